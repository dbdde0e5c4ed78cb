#include "interpose/communicator.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <set>

#include "interpose/device_memory.hpp"
#include "interpose/find_placement.hpp"

namespace tasuki::interpose {

namespace {

std::mutex mutex;                   // guards with_attribute
std::set<MPI_Comm> with_attribute;  // [communicators that were used and not freed]

int forget(MPI_Comm parent, int, void* value, void*) {
    {
        const std::lock_guard lock(mutex);
        with_attribute.erase(parent);
    }
    delete static_cast<Communicator*>(value);
    return MPI_SUCCESS;
}

/// The attribute by which a communicator knows its Communicator.
int key() {
    static const int made = [] {
        int created = MPI_KEYVAL_INVALID;
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &created, nullptr);
        return created;
    }();
    return made;
}

/// Counts what goes, so that a thread does not trust a handle that now means another communicator.
std::atomic<std::uint64_t> generation{0};

struct Recent {
    MPI_Comm parent;
    std::uint64_t generation = ~std::uint64_t{0};
    Communicator* found = nullptr;
};
thread_local Recent recent;

}  // namespace

Communicator* Communicator::of(MPI_Comm parent) {
    const std::uint64_t now = generation.load(std::memory_order_acquire);
    if (recent.generation == now && recent.parent == parent) return recent.found;
    void* value = nullptr;
    int found = 0;
    if (PMPI_Comm_get_attr(parent, key(), &value, &found) != MPI_SUCCESS) return nullptr;
    Communicator* communicator = found ? static_cast<Communicator*>(value) : make(parent);
    // What is not there is not remembered: nothing would tell when the handle changes its meaning.
    if (communicator != nullptr) recent = {parent, now, communicator};
    return communicator;
}

Communicator* Communicator::make(MPI_Comm parent) {
    int is_inter = 0;
    if (PMPI_Comm_test_inter(parent, &is_inter) != MPI_SUCCESS || is_inter) return nullptr;
    MPI_Group group = MPI_GROUP_NULL;
    MPI_Comm own = MPI_COMM_NULL;
    bool ok = PMPI_Comm_group(parent, &group) == MPI_SUCCESS;
    ok = ok && PMPI_Comm_create(parent, group, &own) == MPI_SUCCESS;
    if (group != MPI_GROUP_NULL) PMPI_Group_free(&group);
    // {something failed, a device runtime is here}: what one rank has counts for all.
    int shared[2] = {!ok, device_runtime_is_loaded()};
    const int code = PMPI_Allreduce(MPI_IN_PLACE, shared, 2, MPI_INT, MPI_MAX, parent);
    std::unique_ptr<Communicator> made;
    if (code == MPI_SUCCESS && shared[0] == 0) {
        PMPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
        int rank = 0, ranks = 1;
        PMPI_Comm_rank(own, &rank);
        PMPI_Comm_size(own, &ranks);
        made.reset(new Communicator(own, rank, ranks, shared[1] != 0));
    } else if (own != MPI_COMM_NULL) {
        PMPI_Comm_free(&own);
    }
    PMPI_Comm_set_attr(parent, key(), made.get());
    const std::lock_guard lock(mutex);
    with_attribute.insert(parent);
    return made.release();
}

Communicator::Communicator(MPI_Comm own, int rank, int ranks, bool may_meet_device_memory)
    : own_(own),
      rank_(rank),
      ranks_(ranks),
      may_meet_device_memory_(may_meet_device_memory),
      placement_(find_placement(own, rank, ranks)),
      transport_(own),
      programs_(rank, ranks, placement_) {}

Communicator::~Communicator() {
    generation.fetch_add(1, std::memory_order_acq_rel);
    PMPI_Comm_free(&own_);
}

void forget_communicators() {
    std::set<MPI_Comm> parents;
    {
        const std::lock_guard lock(mutex);
        parents.swap(with_attribute);
    }
    for (MPI_Comm parent : parents) PMPI_Comm_delete_attr(parent, key());
}

}  // namespace tasuki::interpose
