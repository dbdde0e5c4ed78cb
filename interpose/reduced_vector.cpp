#include "interpose/reduced_vector.hpp"

#include <cstring>
#include <exception>

#include "interpose/device_buffers.hpp"
#include "interpose/run_choice.hpp"
#include "interpose/scratch.hpp"
#include "interpose/staging.hpp"
#include "interpose/vector_cut.hpp"

namespace tasuki::interpose {

namespace {

const char* why_not_in_order(const Algorithm& row, int) {
    return row.tree == ReductionTree::any_order
               ? "it changes the order of ranks and the operation does not commute"
               : nullptr;
}
constexpr RowFilter rows_in_order{"-in-order", why_not_in_order};

/// A vector of the program's where it lies, or a copy of it.
class VectorOperand {
  public:
    VectorOperand(const Communicator& communicator, const ReducedVector& vector,
                  const void* address, bool is_copy, bool is_device)
        : communicator_(communicator),
          vector_(vector),
          address_(const_cast<void*>(address)),
          is_device_(is_device),
          is_copy_(is_copy || is_device),
          copy_(is_copy_ ? static_cast<std::size_t>(vector.bytes()) : 0) {
        if (is_device) tell_of_staging();
    }
    ~VectorOperand() {
        if (std::uncaught_exceptions() > exceptions_) copy_.leave_for_ever();
    }
    VectorOperand(const VectorOperand&) = delete;
    VectorOperand& operator=(const VectorOperand&) = delete;

    void* data() const { return is_copy_ ? copy_.data() : address_; }
    void fetch() {
        if (is_copy_) move(address_, copy_.data());
    }
    void deliver() {
        if (is_copy_) move(copy_.data(), address_);
    }

  private:
    void move(const void* from, void* to) const {
        if (is_device_) {
            copy_by_host(communicator_, from, to, vector_.count, vector_.type);
        } else {
            std::memcpy(to, from, static_cast<std::size_t>(vector_.bytes()));
        }
    }

    const Communicator& communicator_;
    const ReducedVector& vector_;
    void* address_;
    bool is_device_;
    bool is_copy_;
    Scratch copy_;
    int exceptions_ = std::uncaught_exceptions();
};

}  // namespace

const RowFilter& rows_for(const Reduction& reduction) {
    return reduction.commutes() ? every_row : rows_in_order;
}

const char* why_not_ours(Communicator& communicator, const ReducedVector& vector) {
    const void* send = vector.is_in_place() ? nullptr : vector.send;
    const bool device = communicator.may_meet_device_memory() &&
                        (is_device_memory(send) || is_device_memory(vector.receive));
    if (any_rank_has_device_memory(communicator, device)) return "a buffer is in device memory";
    return nullptr;
}

void reduce(Communicator& communicator, Machine& machine, const ReducedVector& vector,
            bool late_device) {
    const void* send = vector.is_in_place() ? vector.receive : vector.send;
    VectorOperand input(communicator, vector, send, vector.is_in_place(),
                        late_device && is_device_memory(send));
    VectorOperand output(communicator, vector, vector.receive, false,
                         late_device && is_device_memory(vector.receive));
    input.fetch();
    const Program& program = machine.program();
    const VectorCut cut(vector.count, vector.reduction.element_bytes(), program.input_chunks,
                        program);
    execute(communicator, machine,
            cut.work(input.data(), output.data(), &vector.reduction.combine()));
    output.deliver();
}

}  // namespace tasuki::interpose
