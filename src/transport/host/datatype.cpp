#include "transport/host/datatype.hpp"

#include <algorithm>
#include <climits>

#include "transport/host/check.hpp"
#include "transport/host/type_contents.hpp"

namespace tasuki::host {

namespace {

/// Only what is surely one run in ascending order: an element without gaps, any number of times.
bool is_plain(MPI_Datatype type, const TypeLayout& layout, bool& is_predefined) {
    const Envelope envelope(type);
    is_predefined = envelope.is_predefined();
    MPI_Count true_lower = 0, true_extent = 0;
    check(PMPI_Type_get_true_extent_x(type, &true_lower, &true_extent));
    if (layout.size != layout.extent || true_lower != 0 || true_extent != layout.size) return false;
    if (is_predefined) return true;
    if (envelope.combiner != MPI_COMBINER_CONTIGUOUS && envelope.combiner != MPI_COMBINER_DUP) {
        return false;
    }
    const TypeContents contents(type, envelope);
    MPI_Datatype inner = contents.types().front();
    TypeLayout inner_layout;
    MPI_Count lower = 0;
    check(PMPI_Type_size_x(inner, &inner_layout.size));
    check(PMPI_Type_get_extent_x(inner, &lower, &inner_layout.extent));
    bool inner_is_predefined = false;
    return is_plain(inner, inner_layout, inner_is_predefined);
}

struct KnownType {
    MPI_Datatype type = MPI_Datatype{};
    TypeLayout layout;
};
constexpr std::size_t known_types = 4;
thread_local KnownType known[known_types];
thread_local std::size_t next_known = 0;

/// The pieces that counts over INT_MAX are cut into.
constexpr MPI_Count piece = MPI_Count{1} << 30;

}  // namespace

bool layout_of(MPI_Datatype type, TypeLayout& layout) {
    if (type == MPI_DATATYPE_NULL) return false;
    for (const KnownType& entry : known) {
        if (entry.type == type && entry.layout.size > 0) {
            layout = entry.layout;
            return true;
        }
    }
    MPI_Count lower = 0;
    check(PMPI_Type_size_x(type, &layout.size));
    check(PMPI_Type_get_extent_x(type, &lower, &layout.extent));
    if (layout.size < 0) return false;  // MPI_UNDEFINED: larger than 2^63
    layout.is_plain = is_plain(type, layout, layout.is_predefined);
    if (layout.is_predefined) known[next_known++ % known_types] = {type, layout};
    return true;
}

const OwnPacking* HostElementType::own_packing() const {
    if (!is_looked_up_) own_packing_ = OwnPacking::of(type_, layout_.size, layout_.extent);
    is_looked_up_ = true;
    return own_packing_.get();
}

void HostElementType::pack(const std::byte* base, std::int64_t elements, std::byte* packed) const {
    if (const OwnPacking* own = own_packing()) return own->pack(base, elements, packed);
    const std::int64_t most =
        std::max<std::int64_t>(1, INT_MAX / std::max<MPI_Count>(1, layout_.size));
    for (std::int64_t done = 0; done < elements;) {
        const auto now = static_cast<int>(std::min(most, elements - done));
        int position = 0;
        check(PMPI_Pack(base + done * layout_.extent, now, type_, packed + done * layout_.size,
                        static_cast<int>(now * layout_.size), &position, MPI_COMM_SELF));
        done += now;
    }
}

void HostElementType::unpack(const std::byte* packed, std::byte* base,
                             std::int64_t elements) const {
    if (const OwnPacking* own = own_packing()) return own->unpack(packed, base, elements);
    const std::int64_t most =
        std::max<std::int64_t>(1, INT_MAX / std::max<MPI_Count>(1, layout_.size));
    for (std::int64_t done = 0; done < elements;) {
        const auto now = static_cast<int>(std::min(most, elements - done));
        int position = 0;
        check(PMPI_Unpack(packed + done * layout_.size, static_cast<int>(now * layout_.size),
                          &position, base + done * layout_.extent, now, type_, MPI_COMM_SELF));
        done += now;
    }
}

MovedType::MovedType(MPI_Datatype type, MPI_Aint distance) {
    const int one = 1;
    check(PMPI_Type_create_hindexed(1, &one, &distance, type, &type_));
    check(PMPI_Type_commit(&type_));
}

MovedType::~MovedType() {
    PMPI_Type_free(&type_);
}

IntCount::IntCount(MPI_Count count, MPI_Datatype type) : count_(1), type_(type) {
    if (count <= INT_MAX) {
        count_ = static_cast<int>(count);
        return;
    }
    // Whole pieces, then the rest, each at its place in units of the type's extent.
    MPI_Count lower = 0, extent = 0;
    check(PMPI_Type_get_extent_x(type, &lower, &extent));
    const MPI_Count whole = count / piece;
    MPI_Datatype one_piece = MPI_DATATYPE_NULL;
    MPI_Datatype pieces = MPI_DATATYPE_NULL;
    check(PMPI_Type_contiguous(static_cast<int>(piece), type, &one_piece));
    check(PMPI_Type_contiguous(static_cast<int>(whole), one_piece, &pieces));
    const int lengths[2] = {1, static_cast<int>(count % piece)};
    const MPI_Aint places[2] = {0, static_cast<MPI_Aint>(whole * piece * extent)};
    const MPI_Datatype types[2] = {pieces, type};
    check(PMPI_Type_create_struct(2, lengths, places, types, &type_));
    check(PMPI_Type_commit(&type_));
    check(PMPI_Type_free(&pieces));
    check(PMPI_Type_free(&one_piece));
    made_ = true;
}

IntCount::~IntCount() {
    if (made_) PMPI_Type_free(&type_);
}

}  // namespace tasuki::host
