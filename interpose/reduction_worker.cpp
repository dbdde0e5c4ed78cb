#include "interpose/reduction_worker.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <list>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <system_error>
#include <utility>

#include "interpose/abort_run.hpp"
#include "interpose/attribute_key.hpp"
#include "interpose/own_thread.hpp"
#include "transport/silent_wait.hpp"

namespace tasuki::interpose {

constinit thread_local OwnThread own_thread;

namespace {

/// Tells ours from MPI_Comm_create_group of the program's on the same communicator at that time.
constexpr int shadow_tag = 31747;

/// All of this process. Never destroyed: a process may end without MPI_Finalize.
struct Workers {
    std::mutex mutex;
    std::list<std::unique_ptr<ReductionWorker>> all;
};
Workers& workers() {
    static auto& made = *new Workers;
    return made;
}
constinit std::atomic<int> workers_alive{0};  // of workers().all

bool is_known(const Workers& among, const ReductionWorker* worker) {
    for (const auto& one : among.all) {
        if (one.get() == worker) return true;
    }
    return false;
}

/// The program's communicator goes.
int leave_worker(MPI_Comm, int, void* value, void*) {
    const std::lock_guard lock(workers().mutex);
    auto* worker = static_cast<ReductionWorker*>(value);
    if (is_known(workers(), worker)) worker->leave(true);
    return MPI_SUCCESS;
}

/// The attribute by which a communicator knows its worker.
int worker_key() {
    static const int made = new_attribute_key(MPI_COMM_NULL_COPY_FN, leave_worker);
    return made;
}

ReductionWorker* find(MPI_Comm parent) {
    if (workers_alive.load(std::memory_order_acquire) == 0 || parent == MPI_COMM_NULL)
        return nullptr;
    void* value = nullptr;
    int found = 0;
    if (PMPI_Comm_get_attr(parent, worker_key(), &value, &found) != MPI_SUCCESS) return nullptr;
    return found ? static_cast<ReductionWorker*>(value) : nullptr;
}

/// Those whose communicators are gone and whose work is done.
void forget_ended() {
    std::list<std::unique_ptr<ReductionWorker>> ended;
    const std::lock_guard lock(workers().mutex);
    auto& all = workers().all;
    for (auto one = all.begin(); one != all.end();) {
        const auto next = std::next(one);
        if ((*one)->has_ended()) {
            ended.splice(ended.end(), all, one);
            --workers_alive;
        }
        one = next;
    }
}

/// Throws std::system_error where no thread can be made.
ReductionWorker& make_worker(MPI_Comm parent, MPI_Comm shadow) {
    forget_ended();
    auto made = std::make_unique<ReductionWorker>(parent, shadow);
    ReductionWorker& worker = *made;
    const std::lock_guard lock(workers().mutex);
    workers().all.push_back(std::move(made));
    ++workers_alive;
    return worker;
}

void end_all(bool frees_shadows) {
    if (workers_alive == 0) return;
    std::list<std::unique_ptr<ReductionWorker>> ending;
    {
        const std::lock_guard lock(workers().mutex);
        ending.swap(workers().all);
        workers_alive = 0;
    }
    for (const auto& worker : ending) worker->leave(frees_shadows);
    ending.clear();  // waits for their ends
}

/// Signals are for the program's threads.
class SignalsBlocked {
  public:
    SignalsBlocked() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

  private:
    sigset_t before_;
};

/// Of a thread that runs the program's operations, which may need as much as on a thread of the
/// program's. Where that has no limit, as Fortran programs often ask for, the system gives new ones
/// 2 MiB. Only what is used is ever taken.
std::size_t stack_bytes() {
    constexpr rlim_t least = rlim_t{8} << 20, most = rlim_t{1} << 30,
                     without_limit = rlim_t{256} << 20;
    rlimit limit{};
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return without_limit;
    }
    return std::clamp(limit.rlim_cur, least, most);
}

/// Throws std::system_error.
pthread_t make_thread(void* (*run)(void*), void* argument) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack_bytes());
    pthread_t made{};
    int code = pthread_create(&made, &attributes, run, argument);
    pthread_attr_destroy(&attributes);
    // Where addresses are short, by a limit of them, a smaller stack may do.
    if (code != 0) code = pthread_create(&made, nullptr, run, argument);
    if (code != 0) throw std::system_error(code, std::system_category());
    return made;
}

}  // namespace

ReductionWorker& ReductionWorker::of(MPI_Comm parent) {
    if (ReductionWorker* known = find(parent)) return *known;
    try {
        ReductionWorker& worker = make_worker(parent, MPI_COMM_NULL);
        PMPI_Comm_set_attr(parent, worker_key(), &worker);
        return worker;
    } catch (const std::system_error& error) {
        abort_run(std::string("cannot make a thread for non-blocking reductions (") + error.what() +
                  ")");
    }
}

ReductionWorker& ReductionWorker::on(MPI_Comm shadow) {
    return make_worker(MPI_COMM_NULL, shadow);
}

ReductionWorker::ReductionWorker(MPI_Comm parent, MPI_Comm shadow)
    : parent_(parent), shadow_(shadow), has_shadow_(shadow != MPI_COMM_NULL) {
    if (!has_shadow_) PMPI_Comm_group(parent, &group_);
    const SignalsBlocked while_it_is_made;
    thread_ = make_thread(
        [](void* worker) -> void* {
            static_cast<ReductionWorker*>(worker)->work();
            return nullptr;
        },
        this);
    pthread_setname_np(thread_, "tasuki-reduce");
}

ReductionWorker::~ReductionWorker() {
    pthread_join(thread_, nullptr);
}

void ReductionWorker::add(std::shared_ptr<RequestedReduction> reduction) {
    {
        const std::lock_guard lock(mutex_);
        waiting_.push_back(std::move(reduction));
    }
    changed_.notify_all();
}

void ReductionWorker::wait_for_shadow() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return has_shadow_; });
}

void ReductionWorker::wait_for_all() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return has_shadow_ && waiting_.empty() && !is_busy_; });
}

void ReductionWorker::leave(bool frees_shadow) {
    const std::lock_guard lock(mutex_);
    is_left_ = true;
    frees_shadow_ = frees_shadow;
    changed_.notify_all();  // while it is locked: afterwards it may be gone
}

bool ReductionWorker::has_ended() {
    const std::lock_guard lock(mutex_);
    return has_ended_;
}

void ReductionWorker::make_shadow() {
    // A host that cannot tells the program's error handler.
    const int code = PMPI_Comm_create_group(parent_, group_, shadow_tag, &shadow_);
    if (code != MPI_SUCCESS || shadow_ == MPI_COMM_NULL) {
        abort_run("got no communicator from the host for non-blocking reductions");
    }
    PMPI_Group_free(&group_);
    PMPI_Comm_set_errhandler(shadow_, MPI_ERRORS_RETURN);
    const std::lock_guard lock(mutex_);
    has_shadow_ = true;
    changed_.notify_all();
}

void ReductionWorker::work() {
    own_thread.is_ours = true;
    SilentWait::leave_cores_to_others();
    prctl(PR_SET_TIMERSLACK, 1000UL);  // else the system makes such sleeps three times as long
    if (shadow_ == MPI_COMM_NULL) make_shadow();
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return is_left_ || !waiting_.empty(); });
        if (waiting_.empty()) break;
        std::shared_ptr<RequestedReduction> reduction = std::move(waiting_.front());
        waiting_.pop_front();
        is_busy_ = true;
        lock.unlock();
        reduction->carry_out(shadow_);
        reduction.reset();
        lock.lock();
        is_busy_ = false;
        changed_.notify_all();
    }
    const bool frees = frees_shadow_;
    lock.unlock();
    if (frees) PMPI_Comm_free(&shadow_);
    lock.lock();
    has_ended_ = true;
}

void before_free(MPI_Comm communicator) {
    ReductionWorker* worker = find(communicator);
    if (worker != nullptr) worker->wait_for_shadow();
}

void before_disconnect(MPI_Comm communicator) {
    ReductionWorker* worker = find(communicator);
    if (worker != nullptr) worker->wait_for_all();
}

void end_reduction_workers() {
    end_all(true);
}

void end_reduction_workers_late() {
    end_all(false);
}

}  // namespace tasuki::interpose
