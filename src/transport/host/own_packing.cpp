#include "transport/host/own_packing.hpp"

#include <cstring>
#include <optional>

#include "transport/host/packing_probe.hpp"
#include "transport/host/type_runs.hpp"

namespace tasuki::host {

std::shared_ptr<const OwnPacking> OwnPacking::of(MPI_Datatype type, MPI_Count size,
                                                 MPI_Count extent) {
    if (host_packs_complex_numbers() || !has_complex_numbers(type)) return nullptr;
    std::optional<Runs> runs = runs_of(type);
    if (!runs || runs->bytes() != size) return nullptr;
    return std::make_shared<const OwnPacking>(std::move(*runs), extent);
}

void OwnPacking::pack(const std::byte* base, std::int64_t elements, std::byte* packed) const {
    for (std::int64_t element = 0; element < elements; ++element, base += extent_) {
        for (const Run& run : runs_.all()) {
            std::memcpy(packed, base + run.place, static_cast<std::size_t>(run.bytes));
            packed += run.bytes;
        }
    }
}

void OwnPacking::unpack(const std::byte* packed, std::byte* base, std::int64_t elements) const {
    for (std::int64_t element = 0; element < elements; ++element, base += extent_) {
        for (const Run& run : runs_.all()) {
            std::memcpy(base + run.place, packed, static_cast<std::size_t>(run.bytes));
            packed += run.bytes;
        }
    }
}

}  // namespace tasuki::host
