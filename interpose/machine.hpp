// A program that is ready to run, on what carries its messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

#include "algorithms/algorithm.hpp"
#include "execute/posted_round.hpp"
#include "execute/step_machine.hpp"
#include "transport/host/host_transport.hpp"
#include "transport/memory/boards.hpp"
#include "transport/split_transport.hpp"

namespace tasuki::interpose {

/// A step machine for one carrier, without a detour from step to message; by memory perhaps also
/// the same on boards.
class Machine {
  public:
    /// `program` is what `row` has generated.
    Machine(const Algorithm& row, Program program, Carrier carrier,
            std::optional<PostedRound> posted = std::nullopt)
        : machine_(make(std::move(program), carrier)),
          posted_(std::move(posted)),
          gathers_(row.gathers) {}

    /// As Algorithm has it.
    bool gathers() const { return gathers_; }

    Carrier carrier() const {
        return std::holds_alternative<OnHost>(machine_) ? Carrier::host : Carrier::memory;
    }
    const Program& program() const {
        return std::visit([](const auto& machine) -> const Program& { return machine.program(); },
                          machine_);
    }
    std::size_t bytes() const {
        return std::visit([](const auto& machine) { return machine.bytes(); }, machine_) +
               (posted_ ? posted_->bytes() : 0);
    }
    /// Chunks of equal size on all ranks can be posted instead: nullptr where run() is for them, on
    /// all ranks alike.
    PostedRound* posted(const Buffer& input, const Buffer& output, const UnevenChunks* scratch) {
        const bool is_even =
            input.uneven == nullptr && output.uneven == nullptr && scratch == nullptr;
        return posted_ && is_even ? &*posted_ : nullptr;
    }
    /// Of Binding::scratch; `is_posted`: what posted() gave will run on boards.
    std::int32_t scratch_chunks(bool is_posted) const {
        return is_posted ? posted_->scratch_chunks() : program().scratch_chunks;
    }
    /// By messages or, where there are `boards`, as posted() gave it. `binding.transport` is what
    /// Communicator::transport() gives for carrier(). Throws TransportError, when nothing is under
    /// way any more.
    void run(const Binding& binding, memory::Boards* boards) {
        try {
            if (boards != nullptr) {
                posted_->run(binding, *boards);
            } else {
                std::visit([&](auto& machine) { machine.run(binding); }, machine_);
            }
        } catch (...) {
            binding.transport->abandon();
            throw;
        }
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
    std::optional<PostedRound> posted_;
    bool gathers_;
};

}  // namespace tasuki::interpose
