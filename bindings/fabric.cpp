#include <cstdint>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "core.hpp"
#include "fabric/contention_free.hpp"
#include "fabric/fabric_file.hpp"
#include "fabric/first_fit.hpp"
#include "schedule/placement.hpp"

namespace nb = nanobind;

namespace tasuki::bindings {

namespace {

template <int Dimensions>
using Numbers =
    nb::ndarray<const std::int32_t, nb::ndim<Dimensions>, nb::c_contig, nb::device::cpu>;

template <int Dimensions>
std::vector<std::int32_t> to_vector(const Numbers<Dimensions>& array) {
    return {array.data(), array.data() + array.size()};
}

/// [stage, sender] -> receiver, -1 where it rests
nb::ndarray<nb::numpy, std::int32_t, nb::ndim<2>> to_numpy(const StageTable& table) {
    const auto stages = static_cast<std::size_t>(table.stages());
    const auto nodes = static_cast<std::size_t>(table.nodes());
    auto* kept = new std::vector<std::int32_t>;
    nb::capsule owner(kept, [](void* vector) noexcept {
        delete static_cast<std::vector<std::int32_t>*>(vector);
    });
    kept->reserve(stages * nodes);
    for (std::int32_t stage = 0; stage < table.stages(); ++stage) {
        for (std::int32_t node = 0; node < table.nodes(); ++node) {
            kept->push_back(table.receiver(stage, node));
        }
    }
    return {kept->data(), {stages, nodes}, owner};
}

auto contention_free_stages(const Numbers<1>& leaf, const Numbers<2>& uplink) {
    LeafDemand demand{static_cast<std::int32_t>(uplink.shape(0)), to_vector<1>(leaf),
                      to_vector<2>(uplink)};
    const bool fits = uplink.shape(1) == leaf.shape(0);
    for (const std::int32_t mine : demand.leaf) {
        if (!fits || mine < 0 || mine >= demand.leaves) {
            throw std::invalid_argument("uplink must be [leaf, host], leaf [host] below its rows");
        }
    }
    const nb::gil_scoped_release release;
    const StageTable table = contention_free(demand);
    const nb::gil_scoped_acquire acquire;
    return to_numpy(table);
}

auto first_fit_stages(const Numbers<3>& links) {
    if (links.shape(0) != links.shape(1)) {
        throw std::invalid_argument("links must be [sender, receiver, hop]");
    }
    const RouteTable routes{static_cast<std::int32_t>(links.shape(0)),
                            static_cast<std::int32_t>(links.shape(2)), to_vector<3>(links)};
    return to_numpy(first_fit(routes));
}

/// The placement with the routes of the first hosts of a file, one for each node.
std::string placement_on(std::string_view text, std::int32_t ranks, const std::string& path) {
    const FabricFile file = FabricFile::read(path);
    const Placement placement =
        text.empty() ? Placement::blocks(ranks, 1) : Placement::parse(text, ranks);
    if (file.routes().nodes() < placement.nodes()) {
        throw std::invalid_argument(path + " has " + std::to_string(file.routes().nodes()) +
                                    " hosts, the placement " + std::to_string(placement.nodes()) +
                                    " nodes");
    }
    std::vector<std::int32_t> nodes(placement.nodes());
    std::iota(nodes.begin(), nodes.end(), 0);
    return placement.with_routes(file.routes().of(nodes)).text();
}

}  // namespace

void bind_fabric(nb::module_& core) {
    core.def("contention_free_stages", &contention_free_stages, nb::arg("leaf"), nb::arg("uplink"),
             "[stage, sender] -> receiver or -1: the shortest all-to-all without hot spots, out of "
             "leaf[host] and uplink[leaf, host] (int32; -1 for hosts of the leaf), where hosts "
             "have downlinks of their own.");
    core.def("first_fit_stages", &first_fit_stages, nb::arg("links"),
             "The same out of links[sender, receiver, hop] (int32; -1 after the last), for any "
             "fabric, not the shortest.");
    core.def(
        "fabric_hosts",
        [](const std::string& path) {
            const FabricFile file = FabricFile::read(path);
            nb::list hosts;
            for (std::int32_t host = 0; host < file.routes().nodes(); ++host) {
                hosts.append(nb::make_tuple(file.hosts()[host], file.routes().text_of(host)));
            }
            return hosts;
        },
        nb::arg("path"),
        "(name, routes) of each host in a file for TASUKI_FABRIC. Raises RuntimeError that names "
        "the line.");
    core.def(
        "least_stages",
        [](std::string_view routes) { return NodeRoutes::parse(routes)->least_stages(); },
        nb::arg("routes"), "No schedule without hot spots has fewer stages under these routes.");
    core.def(
        "stages_of",
        [](std::string_view routes) { return to_numpy(NodeRoutes::parse(routes)->stages()); },
        nb::arg("routes"),
        "[stage, sender] -> receiver or -1: the stages that a run makes of these routes.");
    core.def("placement_on", &placement_on, nb::arg("placement"), nb::arg("ranks"), nb::arg("path"),
             "The placement (by default a node for each rank) with the first hosts of a file for "
             "TASUKI_FABRIC as its nodes.");
}

}  // namespace tasuki::bindings
