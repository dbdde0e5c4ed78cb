#include "predict/symmetry.hpp"

#include <algorithm>
#include <bit>
#include <vector>

namespace tasuki {

namespace {

/// The messages of a program, one after the other.
class Messages {
  public:
    explicit Messages(const Program& program) : program_(program) {}

    const Step* next() {
        while (next_ < program_.steps.size()) {
            const Step& step = program_.steps[next_++];
            if (step.is_message()) return &step;
        }
        return nullptr;
    }

  private:
    const Program& program_;
    std::size_t next_ = 0;
};

/// Whether the messages of `image` are those of `program` with their peers renumbered. Copies may
/// differ: where a run of chunks wraps around at the last rank, one copy becomes two.
bool is_image(const Program& program, const Program& image, const Symmetry& symmetry,
              std::int32_t image_rank) {
    Messages messages(program);
    Messages image_messages(image);
    for (;;) {
        const Step* step = messages.next();
        const Step* other = image_messages.next();
        if (step == nullptr || other == nullptr) return step == other;
        if (step->kind != other->kind || step->message != other->message ||
            step->from.count != other->from.count || step->to.count != other->to.count ||
            symmetry.as_seen(image_rank, other->peer) != step->peer) {
            return false;
        }
    }
}

/// Ranks whose programs are compared with their representatives'.
std::vector<std::int32_t> samples(const Symmetry& symmetry) {
    const std::int32_t next = symmetry.representatives;
    const std::int32_t last = symmetry.ranks - 1;
    std::vector<std::int32_t> ranks;
    for (const std::int32_t rank : {next, 2 * next, symmetry.ranks / 2 - 1, last}) {
        if (rank >= symmetry.representatives && rank <= last) ranks.push_back(rank);
    }
    return ranks;
}

}  // namespace

std::int32_t Symmetry::representative(std::int32_t rank) const {
    return kind == Kind::nodes ? 0 : rank % representatives;
}

std::int32_t Symmetry::as_seen(std::int32_t rank, std::int32_t other) const {
    switch (kind) {
        case Kind::shift: {
            const std::int32_t seen = other - (rank - rank % representatives);
            return seen < 0 ? seen + ranks : seen;
        }
        case Kind::exclusive_or:
            return other ^ (rank - rank % representatives);
        case Kind::nodes: {
            std::int32_t node = other / ranks_per_node - rank / ranks_per_node;
            std::int32_t local = other % ranks_per_node - rank % ranks_per_node;
            if (node < 0) node += ranks / ranks_per_node;
            if (local < 0) local += ranks_per_node;
            return node * ranks_per_node + local;
        }
    }
    return other;
}

Symmetry find_symmetry(const Instance& instance, bool keep_links,
                       const std::function<const Program&(std::int32_t)>& program_of) {
    const std::int32_t ranks = instance.ranks;
    const Placement& placement = instance.placement;
    const std::int32_t per_node = placement.most_ranks_on_a_node();
    const bool even = placement == Placement::blocks(ranks, per_node) && ranks % per_node == 0;
    const bool flat = placement.nodes() == 1 || per_node == 1 || !keep_links;

    std::vector<Symmetry> candidates;
    if (flat) {
        candidates.push_back({Symmetry::Kind::shift, ranks, 1, 1});
        if (std::has_single_bit(static_cast<std::uint32_t>(ranks))) {
            candidates.push_back({Symmetry::Kind::exclusive_or, ranks, 1, 1});
        }
    }
    if (even && placement.nodes() > 1 && per_node > 1) {
        if (!flat && std::has_single_bit(static_cast<std::uint32_t>(ranks)) &&
            std::has_single_bit(static_cast<std::uint32_t>(per_node))) {
            candidates.push_back({Symmetry::Kind::exclusive_or, ranks, 1, 1});
        }
        candidates.push_back({Symmetry::Kind::nodes, ranks, 1, per_node});
        candidates.push_back({Symmetry::Kind::shift, ranks, per_node, 1});
    }
    for (const Symmetry& symmetry : candidates) {
        const auto compared = samples(symmetry);
        if (std::ranges::all_of(compared, [&](std::int32_t rank) {
                const Program& program = program_of(symmetry.representative(rank));
                return is_image(program, program_of(rank), symmetry, rank);
            })) {
            return symmetry;
        }
    }
    return Symmetry::none(ranks);
}

}  // namespace tasuki
