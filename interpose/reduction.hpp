// What a reduction of the program's does to two elements.
#pragma once

#include <optional>

#include "execute/copy_chunks.hpp"
#include "reduce/element.hpp"
#include "reduce/operation.hpp"
#include "transport/host/datatype.hpp"
#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// An operation on elements of a datatype. Elements lie as in the program's arrays, each with the
/// gaps that its type has, so that arrays of them are runs of bytes.
class Reduction {
  public:
    /// Predefined operations on predefined types are done by our kernels, the program's own
    /// operations by the host's MPI_Reduce_local, in the order of their operands.
    ///
    /// nullopt, alike on all ranks, as these pass the same operation and type: the host has to do
    /// the call, because
    /// - it is for the host to say that the operation or the type is invalid, or that MPI does not
    ///   define the one on the other,
    /// - the operation is predefined and the type is derived, or one that only this host has,
    /// - the type is derived and an array of its elements is more than one run of bytes in
    ///   ascending order.
    ///
    /// From the second time on a predefined pair costs a few comparisons. Operations of the program
    /// are looked at each time: one that was freed may come back as another.
    static std::optional<Reduction> of(MPI_Op operation, MPI_Datatype type);

    /// Throws TransportError where the host's MPI_Reduce_local fails. Holds as long as this does.
    const Combine& combine() const { return predefined_ != nullptr ? *predefined_ : own_; }
    bool commutes() const { return commutes_; }
    /// Between neighbours of an array.
    MPI_Count element_bytes() const { return element_bytes_; }
    /// Whether there is something between the parts of an element that is the program's own.
    bool has_gaps() const { return has_gaps_; }
    /// Whether another order of its operands may give another result: floating-point sums and
    /// products do, and operations of the program's may.
    bool depends_on_order() const;
    /// nullopt: one of the program's own.
    std::optional<reduction::Operation> operation() const { return operation_; }
    /// nullopt: a derived type, or one that kernels do not know.
    std::optional<reduction::Element> element() const { return element_; }
    /// Of what this is the sum, where there is an exact one: see reduction::has_exact_sum().
    std::optional<reduction::Element> exact_sum_of() const { return exact_sum_of_; }

  private:
    static std::optional<Reduction> find(MPI_Op operation, MPI_Datatype type);
    static std::optional<Reduction> of_program(MPI_Op operation, MPI_Datatype type,
                                               const host::TypeLayout& layout);

    const Combine* predefined_ = nullptr;
    Combine own_;  // where predefined_ is nullptr
    bool commutes_ = true;
    MPI_Count element_bytes_ = 0;
    bool has_gaps_ = false;
    std::optional<reduction::Operation> operation_;
    std::optional<reduction::Element> element_;
    std::optional<reduction::Element> exact_sum_of_;
};

}  // namespace tasuki::interpose
