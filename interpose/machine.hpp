// A program that is ready to run, on what carries its messages.
#pragma once

#include <cstddef>
#include <utility>
#include <variant>

#include "algorithms/algorithm.hpp"
#include "execute/step_machine.hpp"
#include "transport/host/host_transport.hpp"
#include "transport/split_transport.hpp"

namespace tasuki::interpose {

/// A step machine for one carrier, without a detour from step to message.
class Machine {
  public:
    Machine(Program program, Carrier carrier) : machine_(make(std::move(program), carrier)) {}

    Carrier carrier() const {
        return std::holds_alternative<OnHost>(machine_) ? Carrier::host : Carrier::memory;
    }
    const Program& program() const {
        return std::visit([](const auto& machine) -> const Program& { return machine.program(); },
                          machine_);
    }
    std::size_t bytes() const {
        return std::visit([](const auto& machine) { return machine.bytes(); }, machine_);
    }
    /// `binding.transport` is what Communicator::transport() gives for carrier().
    void run(const Binding& binding) {
        std::visit([&](auto& machine) { machine.run(binding); }, machine_);
    }

  private:
    using OnHost = StepMachineOn<host::HostTransport>;
    using OnMemory = StepMachineOn<SplitTransport>;
    using Either = std::variant<OnHost, OnMemory>;

    static Either make(Program program, Carrier carrier) {
        if (carrier == Carrier::host) return Either(std::in_place_type<OnHost>, std::move(program));
        return Either(std::in_place_type<OnMemory>, std::move(program));
    }

    Either machine_;
};

}  // namespace tasuki::interpose
