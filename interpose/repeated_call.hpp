// The same call again, as loops of applications make it.
#pragma once

#include <optional>

#include "algorithms/algorithm.hpp"
#include "interpose/bound_exchange.hpp"

namespace tasuki::interpose {

/// The arguments of a call between plain buffers of predefined types, which cannot come to mean
/// something else, and the choice that it ran by.
struct PlainCall {
    const Choice* choice = nullptr;
    const void* send = nullptr;
    void* receive = nullptr;
    MPI_Count send_count = 0;
    MPI_Count receive_count = 0;
    MPI_Datatype send_type{};
    MPI_Datatype receive_type{};

    friend bool operator==(const PlainCall&, const PlainCall&) = default;
};

/// Remembers the last plain call of a communicator. From its second time on it is bound, where its
/// program allows that.
class RepeatedCall {
  public:
    /// nullptr if `call` is another one, or is not bound.
    BoundExchange* find(const PlainCall& call) {
        return bound_ && last_ == call ? &*bound_ : nullptr;
    }

    /// After `call` has run by `program` and `binding` the usual way.
    void note(const PlainCall& call, const Program& program, const Binding& binding) {
        if (last_ == call) {
            if (!is_refused_ && !bound_) bound_ = BoundExchange::of(program, binding);
            is_refused_ = !bound_;
            return;
        }
        last_ = call;
        bound_.reset();
        is_refused_ = false;
    }

  private:
    PlainCall last_;
    std::optional<BoundExchange> bound_;
    bool is_refused_ = false;
};

}  // namespace tasuki::interpose
