#include "interpose/reduction.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include "execute/kernel_combine.hpp"
#include "interpose/operation_turn.hpp"
#include "interpose/predefined.hpp"
#include "reduce/difference.hpp"
#include "reduce/exact_block_sum.hpp"
#include "transport/host/check.hpp"
#include "transport/host/datatype.hpp"

namespace tasuki::interpose {

namespace {

/// What the operands of the program's operations are copied to, if it gives the left one in `to`.
constexpr std::int64_t piece_bytes = std::int64_t{64} << 10;

/// to = from op to, the one form that MPI_Reduce_local has. The operand that it overwrites is
/// therefore a copy where the result is to replace the left one. That is done for operations that
/// commute too: their operands may still be told apart by the last bits of their result.
class ByHost {
  public:
    ByHost(MPI_Op operation, MPI_Datatype type, std::int64_t element_bytes)
        : operation_(operation), type_(type), element_bytes_(element_bytes) {}

    void operator()(const std::byte* from, Operand from_operand, std::byte* to,
                    std::int64_t bytes) const {
        const std::int64_t piece = std::max<std::int64_t>(1, piece_bytes / element_bytes_);
        const std::int64_t count = bytes / element_bytes_;
        std::unique_ptr<std::byte[]> right;
        if (from_operand == Operand::right) {
            const std::int64_t most = std::min(piece, count) * element_bytes_;
            right = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(most));
        }
        for (std::int64_t done = 0; done < count; done += piece) {
            const std::int64_t now = std::min(piece, count - done);
            const std::int64_t first = done * element_bytes_;
            if (right == nullptr) {
                reduce_local(from + first, to + first, now);
                continue;
            }
            const auto size = static_cast<std::size_t>(now * element_bytes_);
            std::memcpy(right.get(), from + first, size);
            reduce_local(to + first, right.get(), now);
            std::memcpy(to + first, right.get(), size);
        }
    }

  private:
    void reduce_local(const std::byte* left, std::byte* right, std::int64_t count) const {
        const OperationTurn turn;
        host::check(PMPI_Reduce_local(left, right, static_cast<int>(count), type_, operation_));
    }

    MPI_Op operation_;
    MPI_Datatype type_;
    std::int64_t element_bytes_;
};

}  // namespace

std::optional<Reduction> Reduction::of_program(MPI_Op operation, MPI_Datatype type,
                                               const host::TypeLayout& layout) {
    int commutes = 0;
    host::check(PMPI_Op_commutative(operation, &commutes));
    Reduction reduction;
    reduction.own_ = ByHost(operation, type, layout.extent);
    reduction.commutes_ = commutes != 0;
    reduction.element_bytes_ = layout.extent;
    reduction.has_gaps_ = layout.size != layout.extent;
    if (layout.is_predefined) reduction.element_ = predefined_element(type, layout);
    return reduction;
}

bool Reduction::depends_on_order() const {
    if (!operation_) return true;
    const bool rounds =
        *operation_ == reduction::Operation::sum || *operation_ == reduction::Operation::prod;
    return rounds && reduction::is_floating(*element_);
}

std::optional<Reduction> Reduction::find(MPI_Op operation, MPI_Datatype type) {
    if (is_no_reduction(operation)) return std::nullopt;
    host::TypeLayout layout;
    if (!host::layout_of(type, layout) || layout.extent <= 0) return std::nullopt;
    const auto predefined = predefined_operation(operation);
    if (!predefined) {
        if (!layout.is_predefined && !layout.is_plain) return std::nullopt;
        return of_program(operation, type, layout);
    }
    if (!layout.is_predefined) return std::nullopt;
    const auto element = predefined_element(type, layout);
    if (!element) return std::nullopt;
    Reduction reduction;
    reduction.predefined_ = find_combine(*predefined, *element);
    if (reduction.predefined_ == nullptr) return std::nullopt;
    reduction.element_bytes_ = layout.extent;
    reduction.has_gaps_ = layout.size != layout.extent;
    reduction.operation_ = predefined;
    reduction.element_ = element;
    if (*predefined == reduction::Operation::sum && reduction::has_exact_sum(*element)) {
        reduction.exact_sum_of_ = element;
    }
    return reduction;
}

std::optional<Reduction> Reduction::of(MPI_Op operation, MPI_Datatype type) {
    struct Known {
        MPI_Op operation{};
        MPI_Datatype type{};
        Reduction reduction;
    };
    thread_local Known known[4];
    thread_local std::size_t next = 0;
    for (const Known& entry : known) {
        if (entry.operation == operation && entry.type == type &&
            entry.reduction.predefined_ != nullptr) {
            return entry.reduction;
        }
    }
    std::optional<Reduction> found = find(operation, type);
    if (found && found->predefined_ != nullptr) {
        known[next++ % std::size(known)] = {operation, type, *found};
    }
    return found;
}

}  // namespace tasuki::interpose
