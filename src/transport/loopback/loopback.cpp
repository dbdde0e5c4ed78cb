#include "transport/loopback/loopback.hpp"

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace tasuki {

namespace {

std::vector<std::byte> packed_copy(const Message& message) {
    const Buffer& buffer = *message.buffer;
    const std::int64_t units = buffer.units(message.first, message.count);
    std::vector<std::byte> bytes(buffer.bytes(units));
    if (bytes.empty()) return bytes;
    const std::byte* address = buffer.address(message.first);
    if (buffer.type != nullptr) {
        buffer.type->pack(address, units * buffer.chunk_elements, bytes.data());
    } else {
        std::copy_n(address, bytes.size(), bytes.data());
    }
    return bytes;
}

void unpack_into(const Message& message, const std::vector<std::byte>& bytes) {
    const Buffer& buffer = *message.buffer;
    const std::int64_t expected = buffer.bytes(buffer.units(message.first, message.count));
    const auto arrived = static_cast<std::int64_t>(bytes.size());
    // A single chunk may meet one that holds any.
    const bool fits = arrived == expected ||
                      (buffer.uneven != nullptr && message.count == 1 && arrived < expected);
    if (!fits) {
        throw std::runtime_error("a message of " + std::to_string(arrived) +
                                 " bytes met a receive of " + std::to_string(expected));
    }
    if (bytes.empty()) return;
    if (buffer.type != nullptr) {
        buffer.type->unpack(bytes.data(), buffer.address(message.first),
                            arrived / buffer.chunk_bytes * buffer.chunk_elements);
    } else {
        std::copy(bytes.begin(), bytes.end(), buffer.address(message.first));
    }
}

}  // namespace

/// What lies at one rank: messages that found no receive, receives that found no message, and the
/// steps of this rank that others have completed.
struct LoopbackWorld::Mailbox {
    using Key = std::pair<std::int32_t, std::int32_t>;  // sender, tag
    struct Arrived {
        std::vector<std::byte> bytes;
        StepId sender_step;
    };
    struct Posted {
        Message message;
        StepId step;
    };

    std::mutex mutex;
    std::condition_variable changed;
    std::map<Key, std::deque<Arrived>> arrived;
    std::map<Key, std::deque<Posted>> posted;
    std::vector<StepId> completed;

    void complete(StepId step) {
        completed.push_back(step);
        changed.notify_one();
    }
};

class LoopbackWorld::Endpoint : public Transport {
  public:
    Endpoint(LoopbackWorld& world, std::int32_t rank) : world_(world), rank_(rank) {}

    // Two mailboxes are never locked at once: a completion for another rank is handed over after
    // the lock on the meeting place has been given back.
    void start_send(const Message& message, StepId step) override {
        ++in_flight_;
        Mailbox& there = *world_.mailboxes_.at(message.peer);
        const Mailbox::Key key{rank_, message.tag};
        bool completes = world_.sends_ == Sends::buffered;
        {
            const std::lock_guard lock(there.mutex);
            auto& receives = there.posted[key];
            if (receives.empty()) {
                there.arrived[key].push_back({packed_copy(message), step});
            } else {
                const Mailbox::Posted receive = receives.front();
                receives.pop_front();
                unpack_into(receive.message, packed_copy(message));
                there.complete(receive.step);
                completes = true;
            }
        }
        if (completes) complete_at(rank_, step);
    }

    void start_recv(const Message& message, StepId step) override {
        ++in_flight_;
        Mailbox& here = *world_.mailboxes_[rank_];
        const Mailbox::Key key{message.peer, message.tag};
        StepId sender_step = 0;
        {
            const std::lock_guard lock(here.mutex);
            auto& messages = here.arrived[key];
            if (messages.empty()) {
                here.posted[key].push_back({message, step});
                return;
            }
            unpack_into(message, messages.front().bytes);
            sender_step = messages.front().sender_step;
            messages.pop_front();
            here.complete(step);
        }
        if (world_.sends_ == Sends::synchronous) complete_at(message.peer, sender_step);
    }

    void collect(Patience patience, std::vector<StepId>& completed) override {
        Mailbox& here = *world_.mailboxes_[rank_];
        std::unique_lock lock(here.mutex);
        if (patience == Patience::wait) {
            here.changed.wait(lock, [&] { return !here.completed.empty() || world_.failed_; });
        }
        if (here.completed.empty() && world_.failed_) throw std::runtime_error("a peer failed");
        in_flight_ -= here.completed.size();
        completed.insert(completed.end(), here.completed.begin(), here.completed.end());
        here.completed.clear();
    }

    void wait_for_all() override {
        std::vector<StepId> completed;
        while (in_flight_ > 0) collect(Patience::wait, completed);
    }

    void abandon() noexcept override {
        Mailbox& here = *world_.mailboxes_[rank_];
        const std::lock_guard lock(here.mutex);
        here.posted.clear();
        here.completed.clear();
        in_flight_ = 0;
    }

  private:
    void complete_at(std::int32_t rank, StepId step) {
        Mailbox& mailbox = *world_.mailboxes_[rank];
        const std::lock_guard lock(mailbox.mutex);
        mailbox.complete(step);
    }

    LoopbackWorld& world_;
    std::int32_t rank_;
    std::size_t in_flight_ = 0;
};

LoopbackWorld::LoopbackWorld(std::int32_t ranks, Sends sends) : ranks_(ranks), sends_(sends) {
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        mailboxes_.push_back(std::make_unique<Mailbox>());
    }
}

LoopbackWorld::~LoopbackWorld() = default;

void LoopbackWorld::run(const std::function<void(std::int32_t rank, Transport& transport)>& body) {
    std::exception_ptr failure;
    std::vector<std::thread> threads;
    for (std::int32_t rank = 0; rank < ranks_; ++rank) {
        threads.emplace_back([&, rank] {
            try {
                Endpoint endpoint(*this, rank);
                body(rank, endpoint);
            } catch (...) {
                if (!failed_.exchange(true)) failure = std::current_exception();
                wake_all();
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    if (failure) std::rethrow_exception(failure);
}

// Under its lock, so that nobody is between having looked and waiting.
void LoopbackWorld::wake_all() {
    for (const auto& mailbox : mailboxes_) {
        const std::lock_guard lock(mailbox->mutex);
        mailbox->changed.notify_all();
    }
}

}  // namespace tasuki
