#include "algorithms/generators.hpp"
#include "schedule/builder.hpp"

namespace tasuki::gather {

Program linear(std::int32_t rank, const Instance& instance) {
    const bool is_root = rank == instance.root;
    ProgramBuilder program(1, is_root ? instance.ranks : 0);
    if (!is_root) {
        program.send(instance.root, input(0));
        return program.finish();
    }
    for (std::int32_t source = 0; source < instance.ranks; ++source) {
        if (source != rank) program.recv(source, output(source));
    }
    program.copy(input(0), output(rank));
    return program.finish();
}

}  // namespace tasuki::gather
