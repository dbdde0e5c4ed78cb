#include "algorithms/binomial_blocks.hpp"

#include <vector>

#include "algorithms/group.hpp"
#include "algorithms/rank_runs.hpp"
#include "algorithms/tree.hpp"
#include "schedule/builder.hpp"

namespace tasuki {

namespace {

/// A program of so many blocks.
ProgramBuilder program_of(std::int32_t inputs, std::int32_t outputs, Passing passing) {
    if (passing == Passing::sized) return {inputs, outputs};
    ProgramBuilder program(2 * inputs, 2 * outputs);
    program.split_blocks();
    return program;
}

/// Scratch for the blocks of these ranks, on their way.
std::int32_t reserve(ProgramBuilder& program, const std::vector<RankRun>& runs, Passing passing) {
    if (passing == Passing::sized) return reserve_blocks(program, runs);
    std::int32_t count = 0;
    for (const RankRun& run : runs) count += run.count;
    return program.reserve_scratch(count);
}

}  // namespace

Program binomial_gather(std::int32_t rank, const Instance& instance, Passing passing) {
    const std::int32_t ranks = instance.ranks;
    const bool is_root = rank == instance.root;
    const bool is_sized = passing == Passing::sized;
    ProgramBuilder program = program_of(1, is_root ? ranks : 0, passing);
    const Group group = Group::all(rank, ranks, instance.root);
    const TreePlace place = knomial_place(group.index(), ranks, 2);
    if (is_root) {
        program.copy(input(0), output(rank));
        for (const Child& child : place.children) {
            const std::int32_t first = group.rank_of(child.member);
            const auto runs = cyclic_runs(first, child.below, ranks);
            if (is_sized && runs.size() == 1) {
                program.recv(first, output(first, child.below));
                continue;
            }
            // Heads of any size, or the last rank is not the last of the subtree.
            std::int32_t room = reserve(program, runs, passing);
            const StepId received = program.recv(first, scratch(room, child.below));
            for (const RankRun& run : runs) {
                program.copy(scratch(room, run.count), output(run.first, run.count), {received});
                room += run.count;
            }
        }
        if (is_sized) return program.finish();
        for (std::int32_t other = 0; other < ranks; ++other) {
            if (other != rank) program.recv(other, output(ranks + other));
        }
        program.copy(input(1), output(ranks + rank));
        return program.finish();
    }
    const std::int32_t parent = group.rank_of(place.parent);
    if (is_sized && place.children.empty()) {
        program.send(parent, input(0));
        return program.finish();
    }
    const std::int32_t below = knomial_below(group.index(), ranks, 2);
    const std::int32_t room = reserve(program, cyclic_runs(rank, below, ranks), passing);
    std::vector<StepId> gathered = {program.copy(input(0), scratch(room))};
    for (const Child& child : place.children) {
        const std::int32_t first = room + child.member - group.index();
        gathered.push_back(program.recv(group.rank_of(child.member), scratch(first, child.below)));
    }
    program.send(parent, scratch(room, below), gathered);
    if (!is_sized) program.send(instance.root, input(1));
    return program.finish();
}

Program binomial_scatter(std::int32_t rank, const Instance& instance, Passing passing) {
    const std::int32_t ranks = instance.ranks;
    const bool is_root = rank == instance.root;
    const bool is_sized = passing == Passing::sized;
    ProgramBuilder program = program_of(is_root ? ranks : 0, 1, passing);
    const Group group = Group::all(rank, ranks, instance.root);
    const TreePlace place = knomial_place(group.index(), ranks, 2);
    if (is_root) {
        for (auto child = place.children.rbegin(); child != place.children.rend(); ++child) {
            const std::int32_t first = group.rank_of(child->member);
            const auto runs = cyclic_runs(first, child->below, ranks);
            if (is_sized && runs.size() == 1) {
                program.send(first, input(first, child->below));
                continue;
            }
            // Heads of any size, or the last rank is not the last of the subtree.
            const std::int32_t room = reserve(program, runs, passing);
            std::int32_t packed = room;
            std::vector<StepId> copies;
            for (const RankRun& run : runs) {
                copies.push_back(
                    program.copy(input(run.first, run.count), scratch(packed, run.count)));
                packed += run.count;
            }
            program.send(first, scratch(room, child->below), copies);
        }
        program.copy(input(rank), output(0));
        if (is_sized) return program.finish();
        for (std::int32_t other = 0; other < ranks; ++other) {
            if (other != rank) program.send(other, input(ranks + other));
        }
        program.copy(input(ranks + rank), output(1));
        return program.finish();
    }
    const std::int32_t parent = group.rank_of(place.parent);
    if (is_sized && place.children.empty()) {
        program.recv(parent, output(0));
        return program.finish();
    }
    const std::int32_t below = knomial_below(group.index(), ranks, 2);
    const std::int32_t room = reserve(program, cyclic_runs(rank, below, ranks), passing);
    const StepId received = program.recv(parent, scratch(room, below));
    for (auto child = place.children.rbegin(); child != place.children.rend(); ++child) {
        const std::int32_t first = room + child->member - group.index();
        program.send(group.rank_of(child->member), scratch(first, child->below), {received});
    }
    program.copy(scratch(room), output(0), {received});
    if (!is_sized) program.recv(instance.root, output(1));
    return program.finish();
}

}  // namespace tasuki
