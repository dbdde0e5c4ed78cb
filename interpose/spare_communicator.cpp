#include "interpose/spare_communicator.hpp"

#include <array>
#include <climits>
#include <random>
#include <utility>

#include "interpose/acquaintance.hpp"
#include "interpose/maximum_of_all.hpp"
#include "interpose/thread_level.hpp"

namespace tasuki::interpose {

CommunicatorNumber agreed_number(MPI_Comm communicator, int rank, bool failed) {
    std::array<int, 3> shared = {failed, 0, 0};
    if (rank == 0) {
        std::random_device draw;
        std::uniform_int_distribution<int> numbers(1, INT_MAX);
        shared[1] = numbers(draw);
        shared[2] = numbers(draw);
    }
    if (maximum_of_program(communicator, shared) != MPI_SUCCESS || shared[0] != 0) return 0;
    return static_cast<CommunicatorNumber>(shared[1]) << 32 | static_cast<unsigned>(shared[2]);
}

namespace {

/// By their groups: Open MPI takes it for an error to compare communicators of different sessions.
bool has_equal_ranks(MPI_Comm one, MPI_Comm other) {
    MPI_Group ranks = MPI_GROUP_NULL, others = MPI_GROUP_NULL;
    PMPI_Comm_group(one, &ranks);
    PMPI_Comm_group(other, &others);
    int result = MPI_UNEQUAL;
    PMPI_Group_compare(ranks, others, &result);
    PMPI_Group_free(&ranks);
    PMPI_Group_free(&others);
    return result == MPI_IDENT;
}

}  // namespace

bool SpareCommunicator::may_keep(const Communicator& communicator) const {
    // The program's threads count: ours have communicators of their own.
    const bool is_told_less = told_thread_level() >= 0;
    return kept_ == nullptr && (is_told_less || !has_thread_multiple()) &&
           has_equal_ranks(communicator.own(), MPI_COMM_WORLD);
}

void SpareCommunicator::keep(std::unique_ptr<Communicator> communicator) {
    kept_ = std::move(communicator);
}

CommunicatorNumber SpareCommunicator::number_for(MPI_Comm parent) const {
    const bool fits = kept_ != nullptr && has_equal_ranks(parent, kept_->own());
    return fits ? kept_->number() : 0;
}

bool SpareCommunicator::has_served_long() const {
    return kept_ != nullptr && kept_->has_served_long();
}

std::unique_ptr<Communicator> SpareCommunicator::take() {
    return std::move(kept_);
}

void SpareCommunicator::drop() {
    kept_.reset();
}

SpareCommunicator& spare_communicator() {
    static auto& spare = *new SpareCommunicator;
    return spare;
}

}  // namespace tasuki::interpose
