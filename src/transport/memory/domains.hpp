// On which NUMA domain the memory lies that a rank shares.
#pragma once

#include <cstddef>
#include <string>

#include "transport/memory/layout.hpp"

namespace tasuki::memory {

/// Has every byte of a new segment come from the domain that this process runs in, whoever touches
/// it first; whether the system lets us (a container may not). Takes no memory.
bool prefer_this_domain(std::byte* base, std::size_t bytes);

/// The next best: takes what others write first, and the owner looks at all the time, at once from
/// where the owner runs: its Front and the cells of each box, 8 KiB for each rank of the node.
void touch_what_is_looked_at(std::byte* base, const Geometry& geometry);

/// Whether a node has several domains, by its list of them: "0", "0-3", "0,2".
bool names_several_domains(const std::string& list);

/// The list of this node; empty if the system has none.
std::string domains_of_this_node();

}  // namespace tasuki::memory
