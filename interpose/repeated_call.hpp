// The same call again, as loops of applications make it.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "interpose/bound_exchange.hpp"
#include "interpose/wishes.hpp"

namespace tasuki::interpose {

class SelectedSize;

/// The arguments of a call between plain buffers of predefined types, which cannot come to mean
/// something else, and what it was to run by.
struct PlainCall {
    const Wish* wish = nullptr;
    const void* send = nullptr;
    void* receive = nullptr;
    MPI_Count send_count = 0;
    MPI_Count receive_count = 0;
    MPI_Datatype send_type{};
    MPI_Datatype receive_type{};

    friend bool operator==(const PlainCall&, const PlainCall&) = default;
};

/// Remembers the last plain call of a communicator, with what follows from its arguments. From the
/// second time on that an algorithm runs it, it is bound, where its program allows that.
class RepeatedCall {
  public:
    /// Whether `call` is the last one again.
    bool is(const PlainCall& call) const { return last_ == call; }
    std::int64_t block_bytes() const { return block_bytes_; }
    /// nullptr where nothing is to be selected.
    SelectedSize* size() const { return size_; }

    void note(const PlainCall& call, std::int64_t block_bytes, SelectedSize* size) {
        last_ = call;
        block_bytes_ = block_bytes;
        size_ = size;
        choice_ = nullptr;
        bound_.reset();
    }

    /// Before the communicator is freed.
    void forget() {
        last_ = {};
        size_ = nullptr;
        choice_ = nullptr;
        bound_.reset();
    }

    /// nullptr if the last call is not bound to `choice`.
    BoundExchange* bound_to(const Choice* choice) {
        return bound_ && choice_ == choice ? &*bound_ : nullptr;
    }
    /// After the last call has run once more, by `choice`.
    void bind(const Choice* choice, const Program& program, const Binding& binding) {
        if (choice_ == choice) return;  // its program does not allow it
        choice_ = choice;
        bound_.reset();
        if (auto bound = BoundExchange::of(program, binding)) bound_.emplace(std::move(*bound));
    }

  private:
    PlainCall last_;
    std::int64_t block_bytes_ = 0;
    SelectedSize* size_ = nullptr;
    const Choice* choice_ = nullptr;
    std::optional<BoundExchange> bound_;
};

}  // namespace tasuki::interpose
