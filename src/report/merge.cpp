#include "report/merge.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace tasuki::report {

namespace {

void add(OverRanks& to, const OverRanks& from, bool are_of_other_ranks) {
    to.sum += from.sum;
    to.most = are_of_other_ranks ? std::max(to.most, from.most) : to.most + from.most;
}

void add(std::vector<AlgorithmUse>& to, const std::vector<AlgorithmUse>& from) {
    for (const AlgorithmUse& use : from) {
        const auto known = std::ranges::find(to, use.name, &AlgorithmUse::name);
        if (known == to.end()) {
            to.push_back(use);
        } else {
            known->calls += use.calls;
            known->seconds += use.seconds;
        }
    }
}

void add(Traffic& to, const Traffic& from) {
    for (std::size_t path = 0; path < memory::paths; ++path) {
        to.memory.messages[path] += from.memory.messages[path];
        to.memory.bytes[path] += from.memory.bytes[path];
    }
    to.memory.copied_bytes += from.memory.copied_bytes;
    to.memory.sleeps += from.memory.sleeps;
    to.memory.asleep_seconds += from.memory.asleep_seconds;
    to.memory.awake_seconds += from.memory.awake_seconds;
    to.host_messages += from.host_messages;
    to.host_bytes += from.host_bytes;
}

/// `takes_course`: that of `from` is the one to keep.
void add(SizeRecord& to, SizeRecord from, bool are_of_other_ranks, bool takes_course) {
    if (are_of_other_ranks) to.ranks += from.ranks;
    to.calls += from.calls;
    to.bytes += from.bytes;
    add(to.seconds, from.seconds, are_of_other_ranks);
    add(to.algorithms, from.algorithms);
    if (!from.course.spans.empty() && (takes_course || to.course.spans.empty())) {
        to.course = std::move(from.course);
    }
}

/// `are_of_other_ranks`: no rank has a part in both.
void add(CommunicatorRecord& to, CommunicatorRecord from, bool are_of_other_ranks) {
    // Both may be parts of one communicator of which only one has rank 0.
    const bool takes_course =
        from.communicators > 0 && (to.communicators == 0 || from.first_rank < to.first_rank);
    if (takes_course) {
        to.first_rank = from.first_rank;
        to.name = std::move(from.name);
        to.placement = std::move(from.placement);
        to.shares_cores = from.shares_cores;
        to.quick = std::move(from.quick);
    }
    to.communicators += from.communicators;
    to.left_out_seconds += from.left_out_seconds;
    add(to.traffic, from.traffic);
    for (SizeRecord& size : from.sizes) {
        const auto known = std::ranges::find_if(to.sizes, [&](const SizeRecord& other) {
            return other.collective == size.collective && other.size == size.size;
        });
        if (known == to.sizes.end()) {
            to.sizes.push_back(std::move(size));
        } else {
            add(*known, std::move(size), are_of_other_ranks, takes_course);
        }
    }
}

void add(RunRecord& run, CommunicatorRecord communicator, bool are_of_other_ranks) {
    const auto known =
        std::ranges::find_if(run.communicators, [&](const CommunicatorRecord& other) {
            return other.ranks == communicator.ranks && other.ordinal == communicator.ordinal;
        });
    if (known == run.communicators.end()) {
        run.communicators.push_back(std::move(communicator));
    } else {
        add(*known, std::move(communicator), are_of_other_ranks);
    }
}

}  // namespace

double CommunicatorRecord::seconds() const {
    double sum = left_out_seconds;
    for (const SizeRecord& size : sizes) sum += size.seconds.sum;
    return sum;
}

void add(RunRecord& run, CommunicatorRecord communicator) {
    add(run.seconds, {communicator.seconds(), communicator.seconds()}, false);
    add(run, std::move(communicator), false);
}

void add(RunRecord& run, RunRecord others) {
    add(run.seconds, others.seconds, true);
    for (CommunicatorRecord& communicator : others.communicators) {
        add(run, std::move(communicator), true);
    }
    for (const RefusedCalls& refused : others.refused) {
        const auto known = std::ranges::find_if(run.refused, [&](const RefusedCalls& other) {
            return other.collective == refused.collective && other.reason == refused.reason;
        });
        if (known == run.refused.end()) {
            run.refused.push_back(refused);
        } else {
            known->calls += refused.calls;
        }
    }
    run.left_out_communicators += others.left_out_communicators;
}

void bound(RunRecord& run) {
    std::ranges::stable_sort(run.communicators, std::greater{}, &CommunicatorRecord::seconds);
    if (run.communicators.size() > RunRecord::most_communicators) {
        const auto end = run.communicators.begin() + RunRecord::most_communicators;
        for (auto gone = end; gone != run.communicators.end(); ++gone) {
            run.left_out_communicators += gone->communicators;
        }
        run.communicators.erase(end, run.communicators.end());
    }
    for (CommunicatorRecord& communicator : run.communicators) {
        std::vector<SizeRecord>& sizes = communicator.sizes;
        std::ranges::stable_sort(sizes, std::greater{},
                                 [](const SizeRecord& size) { return size.seconds.sum; });
        while (sizes.size() > RunRecord::most_sizes) {
            communicator.left_out_seconds += sizes.back().seconds.sum;
            sizes.pop_back();
        }
    }
}

}  // namespace tasuki::report
