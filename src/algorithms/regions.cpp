#include "algorithms/regions.hpp"

namespace tasuki {

std::vector<Region> regions_of(Space space, std::span<const std::int32_t> list) {
    std::vector<Region> regions;
    for (std::size_t done = 0; done < list.size();) {
        const std::span<const std::int32_t> rest = list.subspan(done);
        std::size_t block = 1;
        while (block < rest.size() && rest[block] == rest[block - 1] + 1) ++block;
        Region region = chunks(space, rest[0], static_cast<std::int32_t>(block));
        if (block < rest.size()) {
            region.stride = rest[block] - rest[0];
            while (static_cast<std::size_t>(region.count) < rest.size() &&
                   rest[region.count] == region.chunk(region.count)) {
                ++region.count;
            }
        }
        regions.push_back(region);
        done += region.count;
    }
    return regions;
}

}  // namespace tasuki
