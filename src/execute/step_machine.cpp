#include "execute/step_machine.hpp"

namespace tasuki {

template class StepMachineOn<Transport>;

}  // namespace tasuki
