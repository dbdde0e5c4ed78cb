#include "execute/copy_chunks.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace tasuki {

namespace {

/// Calls visit(from chunk, to chunk, chunks) for the longest runs that are contiguous on both
/// sides.
template <typename Visit>
void for_each_run(const Region& from, const Region& to, Visit visit) {
    for (std::int32_t done = 0; done < from.count;) {
        const std::int32_t run = std::min(
            {from.count - done, from.block - done % from.block, to.block - done % to.block});
        visit(from.chunk(done), to.chunk(done), run);
        done += run;
    }
}

/// A copy of compile-time size is one or two moves; Bruck's rounds move single small chunks.
template <std::size_t size>
void copy_each(const Buffer& from, const Region& from_region, const Buffer& to,
               const Region& to_region) {
    for_each_run(from_region, to_region,
                 [&](std::int32_t source, std::int32_t target, std::int32_t run) {
                     const std::byte* read = from.address(source);
                     std::byte* write = to.address(target);
                     for (std::int32_t i = 0; i < run; ++i)
                         std::memcpy(write + i * size, read + i * size, size);
                 });
}

void copy_bytes(const Buffer& from, const Region& from_region, const Buffer& to,
                const Region& to_region) {
    switch (from.chunk_bytes) {
        case 4:
            return copy_each<4>(from, from_region, to, to_region);
        case 8:
            return copy_each<8>(from, from_region, to, to_region);
        case 16:
            return copy_each<16>(from, from_region, to, to_region);
        default:
            for_each_run(from_region, to_region,
                         [&](std::int32_t source, std::int32_t target, std::int32_t run) {
                             const std::byte* read = from.address(source);
                             std::byte* write = to.address(target);
                             // A chunk may already be where it has to be.
                             if (write != read) std::memcpy(write, read, from.bytes(run));
                         });
    }
}

/// Copies so many units from chunk `source` on, one of the buffers having a type.
void copy_elements(const Buffer& from, std::int32_t source, const Buffer& to, std::int32_t target,
                   std::int64_t units, std::vector<std::byte>& packed) {
    if (to.type == nullptr) {
        from.type->pack(from.address(source), units * from.chunk_elements, to.address(target));
        return;
    }
    const std::byte* bytes = from.address(source);
    if (from.type != nullptr) {
        packed.resize(from.bytes(units));
        from.type->pack(bytes, units * from.chunk_elements, packed.data());
        bytes = packed.data();
    }
    to.type->unpack(bytes, to.address(target), units * to.chunk_elements);
}

/// One chunk after another, of each as much as both sides have room for.
void copy_uneven(const Buffer& from, const Region& from_region, const Buffer& to,
                 const Region& to_region) {
    std::vector<std::byte> packed;
    for (std::int32_t position = 0; position < from_region.count; ++position) {
        const std::int32_t source = from_region.chunk(position);
        const std::int32_t target = to_region.chunk(position);
        const std::int64_t units = std::min(from.units(source, 1), to.units(target, 1));
        if (units == 0) continue;
        if (from.type == nullptr && to.type == nullptr) {
            const std::byte* read = from.address(source);
            if (to.address(target) == read) continue;
            std::memcpy(to.address(target), read, from.bytes(units));
        } else {
            copy_elements(from, source, to, target, units, packed);
        }
    }
}

}  // namespace

void copy_scattered_chunks(const Buffer& from, const Region& from_region, const Buffer& to,
                           const Region& to_region) {
    if (from_region.empty() || from.chunk_bytes == 0) return;
    if (from.uneven != nullptr || to.uneven != nullptr) {
        return copy_uneven(from, from_region, to, to_region);
    }
    if (from.type == nullptr && to.type == nullptr) {
        return copy_bytes(from, from_region, to, to_region);
    }
    std::vector<std::byte> packed;
    for_each_run(from_region, to_region,
                 [&](std::int32_t source, std::int32_t target, std::int32_t run) {
                     copy_elements(from, source, to, target, run, packed);
                 });
}

void combine_chunks(const Buffer& from, const Region& from_region, Operand from_operand,
                    const Buffer& to, const Region& to_region, const Combine& combine) {
    for_each_run(from_region, to_region,
                 [&](std::int32_t source, std::int32_t target, std::int32_t run) {
                     const std::int64_t bytes = to.bytes(to.units(target, run));
                     if (bytes > 0)
                         combine(from.address(source), from_operand, to.address(target), bytes);
                 });
}

}  // namespace tasuki
