#include <algorithm>
#include <bit>
#include <vector>

#include "algorithms/generators.hpp"
#include "schedule/builder.hpp"

namespace tasuki::alltoall {

namespace {

// A hypercube over the largest power of two of ranks. Slot j of a rank holds a block whose source
// and destination each have some bits of j and the others of the rank: at first the block for rank
// j, at the end the block from rank j. The exchange over one bit moves the slots that differ from
// the rank in this bit to the partner, where they get the partner's other value of the bit.
//
// Bits go from high to low. A slot that agrees with the rank in the bits so far has then never
// moved and is still in the input; the first exchange goes straight from input to output.
//
// Ranks beyond the power of two are folded: each hands its blocks to a proxy, `cube` ranks lower,
// which takes part for both. A proxy has four planes of slots, for each pair of an own or a folded
// source and an own or a folded destination; slots that belong to no rank are left out.
class Hypercube {
  public:
    Hypercube(std::int32_t rank, std::int32_t ranks)
        : rank_(rank),
          cube_(static_cast<std::int32_t>(std::bit_floor(static_cast<std::uint32_t>(ranks)))),
          folded_(ranks - cube_),
          program_(ranks, ranks) {}

    Program finish() {
        if (rank_ >= cube_) return folded();
        reserve();
        take_over();
        for (std::int32_t bit = cube_ / 2; bit > 0; bit /= 2) exchange(bit);
        hand_back();
        return program_.finish();
    }

  private:
    /// The slots that `rank` sends over `bit`, of one plane: `blocks` runs of `block` slots.
    struct Slots {
        std::int32_t blocks = 0;
        std::int32_t block = 0;

        std::int32_t count() const { return blocks * block; }
    };

    struct Plane {
        bool folded_source;
        bool folded_destination;
    };
    static constexpr Plane planes[] = {{false, false}, {false, true}, {true, false}, {true, true}};

    bool is_proxy() const { return rank_ < folded_; }

    /// The program of a rank that has a proxy.
    Program folded() {
        const std::int32_t proxy = rank_ - cube_;
        program_.recv(proxy, output(0, cube_ + folded_));
        program_.send(proxy, input(0, cube_));
        program_.send(proxy, input(cube_, folded_));
        return program_.finish();
    }

    void reserve() {
        if (folded_ > 0) {
            folded_source_ = program_.reserve_scratch(cube_);
            folded_destination_ = program_.reserve_scratch(cube_);
            both_folded_ = program_.reserve_scratch(cube_);
        }
        std::int32_t most_sent = 0;
        std::int32_t most_received = 0;
        for (std::int32_t bit = cube_ / 2; bit > 0; bit /= 2) {
            std::int32_t sent = 0;
            std::int32_t received = 0;
            for (const Plane& plane : planes) {
                sent += sent_by(rank_, plane, bit).count();
                received += sent_by(rank_ ^ bit, plane, bit).count();
            }
            most_sent = std::max(most_sent, sent);
            most_received = std::max(most_received, received);
        }
        packed_ = program_.reserve_scratch(most_sent);
        arriving_ = program_.reserve_scratch(most_received);
    }

    /// Receives the blocks of the folded rank into the planes of its slots.
    void take_over() {
        if (!is_proxy()) return;
        const std::int32_t other = rank_ + cube_;
        before_.push_back(program_.recv(other, scratch(folded_source_, cube_)));
        before_.push_back(program_.recv(other, scratch(both_folded_, folded_)));
    }

    Slots sent_by(std::int32_t rank, const Plane& plane, std::int32_t bit) const {
        const std::int32_t period = 2 * bit;
        Slots slots{cube_ / period, bit};
        // The source has the slot's high bits and the rank's others, the destination the rank's
        // high bits and the slot's others; with a folded one, it must be below `folded_`.
        if (plane.folded_source) {
            const std::int32_t below = folded_ - rank % period;
            slots.blocks = std::clamp((below + period - 1) / period, 0, slots.blocks);
        }
        if (plane.folded_destination) {
            const std::int32_t below = folded_ - rank / period * period - first_slot(rank, bit);
            slots.block = std::clamp(below, 0, bit);
        }
        if (slots.count() == 0) return {};
        return slots;
    }

    /// The lowest slot that differs from `rank` in `bit`.
    static std::int32_t first_slot(std::int32_t rank, std::int32_t bit) {
        return (rank & bit) != 0 ? 0 : bit;
    }

    /// `blocks` runs of slots from `first` on, where the plane keeps slots that have moved.
    Region kept(const Plane& plane, std::int32_t first, Slots slots, std::int32_t bit) const {
        const bool in_output = !plane.folded_source && !plane.folded_destination;
        const std::int32_t base = in_output                  ? 0
                                  : !plane.folded_source     ? folded_destination_
                                  : plane.folded_destination ? both_folded_
                                                             : folded_source_;
        return strided(in_output ? Space::output : Space::scratch, base + first, slots.count(),
                       slots.block, 2 * bit);
    }

    void exchange(std::int32_t bit) {
        const std::int32_t partner = rank_ ^ bit;
        std::vector<Region> leaving;
        std::vector<Region> staying;
        for (const Plane& plane : planes) {
            append_leaving(plane, bit, leaving);
            const Slots slots = sent_by(partner, plane, bit);
            if (slots.count() > 0) {
                staying.push_back(kept(plane, first_slot(rank_, bit), slots, bit));
            }
        }
        std::vector<StepId> done;
        std::vector<StepId> reads;
        Region from = leaving[0];
        if (leaving.size() > 1 || !from.is_contiguous()) {
            std::int32_t packed = packed_;
            for (const Region& part : leaving) {
                reads.push_back(program_.copy(part, scratch(packed, part.count), before_));
                packed += part.count;
            }
            from = scratch(packed_, packed - packed_);
            done.push_back(program_.send(partner, from, reads));
        } else {
            done.push_back(program_.send(partner, from, before_));
        }
        arrive(partner, staying, reads, done);
        before_.swap(done);
    }

    /// What this rank sends, in the order of planes and slots.
    void append_leaving(const Plane& plane, std::int32_t bit, std::vector<Region>& leaving) const {
        const Slots slots = sent_by(rank_, plane, bit);
        if (slots.count() == 0) return;
        const std::int32_t period = 2 * bit;
        const std::int32_t first = first_slot(rank_, bit);
        if (plane.folded_source) {
            leaving.push_back(kept(plane, first, slots, bit));
            return;
        }
        // The run in the rank's own period is still in the input.
        const std::int32_t unmoved = rank_ / period;
        const std::int32_t begin = plane.folded_destination ? cube_ : 0;
        if (unmoved > 0) leaving.push_back(kept(plane, first, {unmoved, slots.block}, bit));
        leaving.push_back(input(begin + unmoved * period + first, slots.block));
        if (unmoved + 1 < slots.blocks) {
            leaving.push_back(kept(plane, first + (unmoved + 1) * period,
                                   {slots.blocks - unmoved - 1, slots.block}, bit));
        }
    }

    void arrive(std::int32_t partner, const std::vector<Region>& staying,
                const std::vector<StepId>& reads, std::vector<StepId>& done) {
        if (staying.size() == 1 && staying[0].is_contiguous()) {
            // Only the first exchange arrives in one run, and it reads nothing but input.
            done.push_back(program_.recv(partner, staying[0], before_));
            return;
        }
        std::int32_t count = 0;
        for (const Region& part : staying) count += part.count;
        std::vector<StepId> after = reads;
        after.push_back(program_.recv(partner, scratch(arriving_, count), before_));
        std::int32_t arriving = arriving_;
        for (const Region& part : staying) {
            done.push_back(program_.copy(scratch(arriving, part.count), part, after));
            arriving += part.count;
        }
    }

    /// Completes the output, and sends the folded rank its own.
    void hand_back() {
        program_.copy(input(rank_), output(rank_));
        if (folded_ == 0) return;
        program_.copy(scratch(folded_source_, folded_), output(cube_, folded_), before_);
        if (!is_proxy()) return;
        before_.push_back(
            program_.copy(input(cube_ + rank_), scratch(folded_destination_ + rank_)));
        program_.send(rank_ + cube_, scratch(folded_destination_, cube_ + folded_), before_);
    }

    std::int32_t rank_;
    std::int32_t cube_;    // ranks of the hypercube
    std::int32_t folded_;  // ranks beyond it
    ProgramBuilder program_;
    std::int32_t folded_source_ = 0;  // scratch chunks of slot 0 of the planes
    std::int32_t folded_destination_ = 0;
    std::int32_t both_folded_ = 0;
    std::int32_t packed_ = 0;
    std::int32_t arriving_ = 0;
    std::vector<StepId> before_;
};

}  // namespace

Program recursive_doubling(std::int32_t rank, const Instance& instance) {
    return Hypercube(rank, instance.ranks).finish();
}

}  // namespace tasuki::alltoall
