#include "algorithms/generators.hpp"
#include "schedule/builder.hpp"

namespace tasuki::scatter {

Program linear(std::int32_t rank, const Instance& instance) {
    const bool is_root = rank == instance.root;
    ProgramBuilder program(is_root ? instance.ranks : 0, 1);
    if (!is_root) {
        program.recv(instance.root, output(0));
        return program.finish();
    }
    for (std::int32_t destination = 0; destination < instance.ranks; ++destination) {
        if (destination != rank) program.send(destination, input(destination));
    }
    program.copy(input(rank), output(0));
    return program.finish();
}

}  // namespace tasuki::scatter
