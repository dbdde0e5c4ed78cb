#include "interpose/acquaintance.hpp"

#include <mutex>
#include <utility>
#include <vector>

#include "interpose/attribute_key.hpp"
#include "interpose/being_freed.hpp"
#include "interpose/maximum_of_all.hpp"
#include "interpose/process.hpp"
#include "interpose/wishes.hpp"

namespace tasuki::interpose {

constinit thread_local BeingFreed being_freed;

namespace {

struct Used {
    MPI_Comm parent;
    const Acquaintance* known;
};

std::mutex mutex;        // guards `used`
std::vector<Used> used;  // those not freed, in the order of first use

/// MPICH asks twice where another function that deletes an attribute has refused: false the second
/// time.
bool take_out(const void* known) {
    const std::lock_guard lock(mutex);
    return std::erase_if(used, [&](const Used& one) { return one.known == known; }) != 0;
}

int forget_acquaintance(MPI_Comm parent, int, void* value, void*) {
    being_freed.is_forgotten = being_freed.is_forgotten || being_freed.communicator == parent;
    if (!take_out(value)) return MPI_SUCCESS;
    const std::unique_ptr<Acquaintance> known(static_cast<Acquaintance*>(value));
    if (known->communicator != nullptr) {
        known->communicator->report(parent);
        Communicator::retire(std::move(known->communicator));
    }
    return MPI_SUCCESS;
}

int acquaintance_key() {
    static const int made = new_attribute_key(MPI_COMM_NULL_COPY_FN, forget_acquaintance);
    return made;
}

bool compare_with_world(MPI_Comm parent) {
    MPI_Group group = MPI_GROUP_NULL, world = MPI_GROUP_NULL, outside = MPI_GROUP_NULL;
    PMPI_Comm_group(parent, &group);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Group_difference(group, world, &outside);
    int size = 0;
    PMPI_Group_size(outside, &size);
    for (MPI_Group* made : {&group, &world, &outside}) {
        if (*made != MPI_GROUP_EMPTY) PMPI_Group_free(made);
    }
    return size > 0;
}

}  // namespace

Acquaintance* acquaintance_of(MPI_Comm parent) {
    if (being_freed.has_forgotten(parent)) return nullptr;
    void* value = nullptr;
    int found = 0;
    if (PMPI_Comm_get_attr(parent, acquaintance_key(), &value, &found) != MPI_SUCCESS)
        return nullptr;
    if (found) return static_cast<Acquaintance*>(value);
    auto known = std::make_unique<Acquaintance>();
    PMPI_Comm_set_attr(parent, acquaintance_key(), known.get());
    const std::lock_guard lock(mutex);
    used.push_back({parent, known.get()});
    return known.release();
}

bool reaches_other_worlds(MPI_Comm parent) {
    // Else groups are not compared: MPICH ends the run if one of them is of a session.
    if (!process().may_reach_other_worlds) return false;
    Acquaintance* const known = acquaintance_of(parent);
    if (known == nullptr) return compare_with_world(parent);
    if (!known->reaches_other_worlds) known->reaches_other_worlds = compare_with_world(parent);
    return *known->reaches_other_worlds;
}

void note_idup(MPI_Comm parent) {
    if (!wishes_are_allowed()) return;
    Acquaintance* const known = acquaintance_of(parent);
    if (known != nullptr) known->had_idup = true;
}

bool had_idup(MPI_Comm parent) {
    // Nothing is under way in MPI_Finalize, where the attribute has gone.
    if (!wishes_are_allowed()) return false;
    const Acquaintance* const known = acquaintance_of(parent);
    return known != nullptr && known->had_idup;
}

int maximum_of_program(MPI_Comm parent, std::span<int> values) {
    if (!had_idup(parent)) return maximum_of_all(parent, values);
    return PMPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT,
                          MPI_MAX, parent);
}

void forget_acquaintances() {
    // In the order in which they were made, which ranks share.
    std::vector<Used> left;
    {
        const std::lock_guard lock(mutex);
        left = used;
    }
    for (const Used& one : left) PMPI_Comm_delete_attr(one.parent, acquaintance_key());
    int no_longer_used = acquaintance_key();
    PMPI_Comm_free_keyval(&no_longer_used);
}

}  // namespace tasuki::interpose
