// Arrays among the arguments of a call, however its language spells them. They belong to the
// caller.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>

#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// Counts or displacements: of int, or of MPI_Count or MPI_Aint in the forms with large counts.
class Integers {
  public:
    constexpr Integers() = default;  ///< is_missing()
    template <std::integral Integer>
    constexpr Integers(const Integer* values) : values_(values), is_wide_(sizeof(Integer) == 8) {
        static_assert(sizeof(Integer) == 4 || sizeof(Integer) == 8);
    }

    bool is_missing() const { return values_ == nullptr; }
    std::int64_t operator[](int index) const {
        if (!is_wide_) return static_cast<const std::int32_t*>(values_)[index];
        std::int64_t value = 0;
        std::memcpy(&value, static_cast<const char*>(values_) + index * 8LL, sizeof value);
        return value;
    }

  private:
    const void* values_ = nullptr;
    bool is_wide_ = false;
};

#if TASUKI_HAS_OWN_FORTRAN_BODIES
/// Handles as Fortran has them.
struct FortranTypes {
    const MPI_Fint* handles;

    MPI_Datatype operator[](int index) const { return PMPI_Type_f2c(handles[index]); }
};
#endif

class Datatypes {
  public:
    Datatypes() = default;  ///< is_missing()
    Datatypes(const MPI_Datatype* types) : types_(types) {}
#if TASUKI_HAS_OWN_FORTRAN_BODIES
    Datatypes(FortranTypes types) : fortran_(types) {}
    bool is_missing() const { return types_ == nullptr && fortran_.handles == nullptr; }
    MPI_Datatype operator[](int index) const {
        return types_ != nullptr ? types_[index] : fortran_[index];
    }
#else
    bool is_missing() const { return types_ == nullptr; }
    MPI_Datatype operator[](int index) const { return types_[index]; }
#endif

  private:
    const MPI_Datatype* types_ = nullptr;
#if TASUKI_HAS_OWN_FORTRAN_BODIES
    FortranTypes fortran_{nullptr};
#endif
};

}  // namespace tasuki::interpose
