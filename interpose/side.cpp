#include "interpose/side.hpp"

#include <cstddef>
#include <cstdint>

#include "execute/copy_chunks.hpp"
#include "interpose/staging.hpp"

namespace tasuki::interpose {

Buffer Side::buffer() const {
    return {static_cast<std::byte*>(address_), block_bytes(), count_ * layout_.extent, count_,
            layout_.is_plain ? nullptr : &elements_};
}

bool Side::can_be_sent(const Communicator& communicator) const {
    if (layout_.is_predefined) return true;
    std::byte unused{};
    return PMPI_Recv(&unused, 1, elements_.type(), MPI_PROC_NULL, 0, communicator.own(),
                     MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

void Side::leave_bottom() {
    if (address_ != nullptr || layout_.is_plain) return;
    constexpr std::intptr_t elsewhere = 64;
    moved_ = std::make_unique<host::MovedType>(elements_.type(), -elsewhere);
    elements_ = host::HostElementType(moved_->type(), layout_);
    address_ = reinterpret_cast<void*>(elsewhere);
}

void Side::pack(const Communicator& communicator, bool by_message, const Buffer& packed) const {
    if (by_message) {
        pack_by_host(communicator, address_, blocks_ * count_, elements_.type(), packed.base,
                     packed.bytes(blocks_));
    } else {
        copy_chunks(buffer(), output(0, blocks_), packed, output(0, blocks_));
    }
}

void Side::unpack(const Communicator& communicator, bool by_message, const Buffer& packed) const {
    if (by_message) {
        unpack_by_host(communicator, packed.base, packed.bytes(blocks_), address_, blocks_ * count_,
                       elements_.type());
    } else {
        copy_chunks(packed, output(0, blocks_), buffer(), output(0, blocks_));
    }
}

}  // namespace tasuki::interpose
