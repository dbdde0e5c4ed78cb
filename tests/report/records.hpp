// Records as runs leave them, small enough to be checked by eye.
#pragma once

#include <string>

#include "report/record.hpp"

namespace tasuki::report {

inline Decision decision() {
    Decision decision;
    decision.winner = "bruck:radix=2";
    decision.margin = 0.4;
    decision.calls = 1000;
    decision.switched_at = 30;
    decision.saved_seconds = 0.5;
    decision.learning_seconds = 0.01;
    decision.candidates = {{"native", unknown, 5e-6, 40, Fate::slower},
                           {"bruck:radix=2", 2e-6, 3e-6, 60, Fate::winner},
                           {"ring", 9e-6, unknown, 0, Fate::predicted}};
    return decision;
}

/// One rank's part: 1,004 calls, of which four were the host's own.
inline SizeRecord exchange(double seconds) {
    SizeRecord size;
    size.collective = "alltoall";
    size.size = 64;
    size.ranks = 1;
    size.calls = 1004;
    size.bytes = 1004 * 128;
    size.seconds = {seconds, seconds};
    size.algorithms = {{"native", 4, seconds / 4}, {"bruck:radix=2", 1000, 3 * seconds / 4}};
    return size;
}

inline Course course() {
    Course course;
    course.names = {"native", "bruck:radix=2"};
    course.spans = {{1, 4, 0}, {5, 1000, 1}};
    course.points = {{1, 9e-6}, {2, 5e-6}, {5, 3e-6}};
    course.decision = decision();
    course.phase = "running";
    course.parameters = "built-in";
    return course;
}

/// What rank `rank` of two has of a communicator.
inline CommunicatorRecord part_of_pair(int rank, double seconds) {
    CommunicatorRecord part;
    part.ranks = 2;
    part.ordinal = 1;
    part.first_rank = rank;
    part.sizes = {exchange(seconds)};
    part.traffic.host_messages = 10;
    part.traffic.host_bytes = 640;
    part.traffic.memory.count(memory::Path::eager, 100);
    part.traffic.memory.copied_bytes = 200;
    if (rank != 0) return part;
    part.communicators = 1;
    part.name = "pair";
    part.placement = "1x2";
    part.shares_cores = false;
    part.quick = {true, 700, 2.5, 0.02, {{"on-node", 8, 3e-7}, {"on-node", 4096, 1e-6}}};
    part.sizes[0].course = course();
    return part;
}

/// A run of two ranks, brought together.
inline RunRecord run_of_pair() {
    RunRecord run;
    run.facts.command = "./solver input.nml";
    run.facts.library = "Open MPI v5.0.11";
    run.facts.ranks = 2;
    run.facts.seconds = 10;
    run.seconds = {3, 2};
    CommunicatorRecord pair = part_of_pair(0, 1);
    pair.sizes[0].ranks = 2;
    pair.sizes[0].calls = 2008;
    pair.sizes[0].seconds = {3, 2};
    run.communicators = {pair};
    run.refused = {{"bcast", "there is nothing to move", 8}};
    return run;
}

}  // namespace tasuki::report
