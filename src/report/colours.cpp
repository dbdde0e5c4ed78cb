#include "report/colours.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace tasuki::report {

namespace {

constexpr const char* colour_of_host = "#a3a8ae";
/// Those of the second half are lighter or darker ones of the first.
constexpr std::array<const char*, 14> palette = {
    blue,      orange,    "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442",
    "#003d66", "#8a5f00", "#66d9b8", "#7a3d5e", "#b3dff7", "#7a3600", "#a39a00"};

}  // namespace

Colours::Colours(const RunRecord& run) {
    std::map<std::string, double> seconds;
    for (const CommunicatorRecord& communicator : run.communicators) {
        for (const SizeRecord& size : communicator.sizes) {
            for (const AlgorithmUse& use : size.algorithms) seconds[use.name] += use.seconds;
            for (const std::string& name : size.course.names) seconds[name] += 0;
        }
    }
    colours_["native"] = colour_of_host;
    std::vector<std::pair<std::string, double>> order(seconds.begin(), seconds.end());
    std::ranges::stable_sort(order, std::greater{}, &std::pair<std::string, double>::second);
    std::size_t next = 0;
    for (const auto& [name, unused] : order) {
        if (name != "native") colours_[name] = palette[next++ % palette.size()];
    }
}

}  // namespace tasuki::report
