#include "transport/host/type_contents.hpp"

#include <cstddef>

#include "transport/host/check.hpp"

namespace tasuki::host {

Envelope::Envelope(MPI_Datatype type) {
#if TASUKI_HAS_LARGE_COUNTS
    // MPI forbids to ask a type that was made with large counts through the calls with int counts.
    // Hosts that have no such types lack the call as well.
    if (PMPI_Type_get_envelope_c != nullptr) {
        check(PMPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner));
        return;
    }
#endif
    int few_integers = 0, few_addresses = 0, few_types = 0;
    check(PMPI_Type_get_envelope(type, &few_integers, &few_addresses, &few_types, &combiner));
    integers = few_integers, addresses = few_addresses, types = few_types;
}

bool Envelope::is_predefined() const {
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
           combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

TypeContents::TypeContents(MPI_Datatype type, const Envelope& envelope) {
    // One more of each: hosts refuse null pointers, also for arrays of nothing.
    std::vector<int> integers(static_cast<std::size_t>(envelope.integers) + 1);
    std::vector<MPI_Aint> addresses(static_cast<std::size_t>(envelope.addresses) + 1);
    std::vector<MPI_Count> counts(static_cast<std::size_t>(envelope.counts) + 1);
    types_.resize(static_cast<std::size_t>(envelope.types) + 1, MPI_DATATYPE_NULL);
    const auto ask = [&] {
#if TASUKI_HAS_LARGE_COUNTS
        if (PMPI_Type_get_contents_c != nullptr) {
            return PMPI_Type_get_contents_c(type, envelope.integers, envelope.addresses,
                                            envelope.counts, envelope.types, integers.data(),
                                            addresses.data(), counts.data(), types_.data());
        }
#endif
        return PMPI_Type_get_contents(
            type, static_cast<int>(envelope.integers), static_cast<int>(envelope.addresses),
            static_cast<int>(envelope.types), integers.data(), addresses.data(), types_.data());
    };
    check(ask());
    types_.pop_back();
    numbers_.insert(numbers_.end(), integers.begin(), integers.end() - 1);
    numbers_.insert(numbers_.end(), addresses.begin(), addresses.end() - 1);
    numbers_.insert(numbers_.end(), counts.begin(), counts.end() - 1);
}

TypeContents::~TypeContents() {
    for (MPI_Datatype& type : types_) {
        try {
            if (!Envelope(type).is_predefined()) PMPI_Type_free(&type);
        } catch (const TransportError&) {
            // It stays; what it was asked for has its answer.
        }
    }
}

}  // namespace tasuki::host
