#include "fabric/first_fit.hpp"

#include <algorithm>
#include <bit>

namespace tasuki {

namespace {

/// In which stages something is busy, a bit each; grows as it is asked for.
class BusyStages {
  public:
    std::uint64_t word(std::size_t index) const {
        return index < words_.size() ? words_[index] : 0;
    }
    void set(std::int32_t stage) {
        const std::size_t index = stage / 64;
        if (index >= words_.size()) words_.resize(index + 1, 0);
        words_[index] |= std::uint64_t{1} << stage % 64;
    }

  private:
    std::vector<std::uint64_t> words_;
};

struct Placed {
    std::int32_t stage;
    std::int32_t sender;
    std::int32_t receiver;
};

}  // namespace

StageTable first_fit(const RouteTable& routes) {
    const std::int32_t nodes = routes.nodes;
    std::vector<BusyStages> senders(nodes), receivers(nodes), links(routes.link_count());
    std::vector<Placed> placed;
    std::vector<BusyStages*> needs;
    std::int32_t stages = 0;
    for (std::int32_t distance = 1; distance < nodes; ++distance) {
        for (std::int32_t sender = 0; sender < nodes; ++sender) {
            const std::int32_t receiver = (sender + distance) % nodes;
            needs = {&senders[sender], &receivers[receiver]};
            for (const std::int32_t link : routes.between(sender, receiver)) {
                if (link >= 0) needs.push_back(&links[link]);
            }
            std::int32_t stage = -1;
            for (std::size_t index = 0; stage < 0; ++index) {
                std::uint64_t busy = 0;
                for (const BusyStages* needed : needs) busy |= needed->word(index);
                if (~busy != 0)
                    stage = static_cast<std::int32_t>(index) * 64 + std::countr_one(busy);
            }
            for (BusyStages* needed : needs) needed->set(stage);
            placed.push_back({stage, sender, receiver});
            stages = std::max(stages, stage + 1);
        }
    }
    StageTable table(stages, nodes);
    for (const auto& [stage, sender, receiver] : placed) {
        table.set_receiver(stage, sender, receiver);
    }
    return table;
}

}  // namespace tasuki
