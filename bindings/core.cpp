#include "core.hpp"

NB_MODULE(_core, core) {
    core.doc() = "Schedules and what reads them. Errors of the caller are ValueError.";
    tasuki::bindings::bind_algorithms(core);
    tasuki::bindings::bind_fabric(core);
    tasuki::bindings::bind_schedule(core);
    tasuki::bindings::bind_verify(core);
    tasuki::bindings::bind_predict(core);
    tasuki::bindings::bind_select(core);
}
