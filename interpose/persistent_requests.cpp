#include "interpose/persistent_requests.hpp"

#include <map>
#include <mutex>
#include <utility>

#include "interpose/persistent_reduction.hpp"

namespace tasuki::interpose {

constinit std::atomic<int> persistent_requests_alive{0};

namespace {

using ByRequest = std::map<MPI_Request, std::shared_ptr<PersistentReduction>>;

struct Known {
    std::mutex mutex;  // guards what follows
    ByRequest reductions;
};
/// Never destroyed: a process may end without MPI_Finalize.
Known& known() {
    static auto& made = *new Known;
    return made;
}

void count() {
    persistent_requests_alive = static_cast<int>(known().reductions.size());
}

}  // namespace

void note_persistent(std::shared_ptr<PersistentReduction> reduction) {
    const MPI_Request request = reduction->request();
    const std::lock_guard lock(known().mutex);
    known().reductions.insert_or_assign(request, std::move(reduction));
    count();
}

std::shared_ptr<PersistentReduction> find_persistent(MPI_Request request) {
    const std::lock_guard lock(known().mutex);
    const auto found = known().reductions.find(request);
    return found != known().reductions.end() ? found->second : nullptr;
}

std::shared_ptr<PersistentReduction> take_persistent(MPI_Request request) {
    const std::lock_guard lock(known().mutex);
    auto taken = known().reductions.extract(request);
    count();
    return taken.empty() ? nullptr : std::move(taken.mapped());
}

void forget_all_persistent() {
    ByRequest left;  // goes when the lock is free
    const std::lock_guard lock(known().mutex);
    left.swap(known().reductions);
    count();
}

}  // namespace tasuki::interpose
