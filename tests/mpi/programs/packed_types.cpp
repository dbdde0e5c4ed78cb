// packed_types TYPES: as many random nested types, whose runs are compared with the bytes that the
// host's MPI_Pack gives.
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "check.h"
#include "transport/host/type_contents.hpp"
#include "transport/host/type_runs.hpp"

// Hosts that are older than them lack the calls with large counts.
#pragma weak MPI_Type_contiguous_c
#pragma weak MPI_Type_vector_c
#pragma weak MPI_Type_create_hvector_c
#pragma weak MPI_Type_indexed_c
#pragma weak MPI_Type_create_hindexed_c
#pragma weak MPI_Type_create_indexed_block_c
#pragma weak MPI_Type_create_hindexed_block_c
#pragma weak MPI_Type_create_struct_c
#pragma weak MPI_Type_create_subarray_c
#pragma weak MPI_Type_create_darray_c
#pragma weak MPI_Type_create_resized_c

namespace {

constexpr std::size_t half_of_memory = 1 << 20;
constexpr int most_bytes = 1 << 16;

std::mt19937 random_bits(7);

int draw(int lowest, int highest) {
    return lowest + static_cast<int>(random_bits() % static_cast<unsigned>(highest - lowest + 1));
}

/// Numbers as the calls with int counts and those with large ones take them.
template <typename Number>
std::vector<Number> draw_some(int count, int lowest, int highest) {
    std::vector<Number> numbers;
    for (int i = 0; i < count; ++i) numbers.push_back(draw(lowest, highest));
    return numbers;
}

enum class Way {
    duplicate,
    contiguous,
    vector,
    hvector,
    indexed,
    hindexed,
    indexed_block,
    hindexed_block,
    structure,
    subarray,
    darray,
    resized
};
constexpr int ways = 12;

void release(MPI_Datatype type) {
    if (!tasuki::host::Envelope(type).is_predefined()) MPI_Type_free(&type);
}

struct Array {
    std::array<int, 3> sizes, taken, starts, distributions, arguments, grid;
    int dimensions, order, processes = 1, process;
};

Array draw_array() {
    Array array;
    array.dimensions = draw(1, 3);
    array.order = draw(0, 1) == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    for (int d = 0; d < array.dimensions; ++d) {
        array.sizes[d] = draw(1, 6);
        array.taken[d] = draw(1, array.sizes[d]);
        array.starts[d] = draw(0, array.sizes[d] - array.taken[d]);
        const std::array kinds = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE};
        array.distributions[d] = kinds[draw(0, 2)];
        array.grid[d] = array.distributions[d] == MPI_DISTRIBUTE_NONE ? 1 : draw(1, 3);
        array.arguments[d] = MPI_DISTRIBUTE_DFLT_DARG;
        if (array.distributions[d] == MPI_DISTRIBUTE_CYCLIC && draw(0, 1) == 0) {
            array.arguments[d] = draw(1, 3);
        }
        if (array.distributions[d] == MPI_DISTRIBUTE_BLOCK && draw(0, 1) == 0) {
            array.arguments[d] = (array.sizes[d] + array.grid[d] - 1) / array.grid[d] + draw(0, 1);
        }
        array.processes *= array.grid[d];
    }
    array.process = draw(0, array.processes - 1);
    return array;
}

MPI_Datatype make(Way way, MPI_Datatype of, MPI_Datatype other) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    const int count = draw(0, 3), length = draw(0, 3);
    const auto lengths = draw_some<int>(count + 1, 0, 3);
    const auto places = draw_some<int>(count + 1, -3, 6);
    const auto addresses = draw_some<MPI_Aint>(count + 1, -60, 120);
    const std::array parts = {of, other, of, other};
    const Array array = draw_array();
    switch (way) {
        case Way::duplicate:
            MPI_Type_dup(of, &made);
            break;
        case Way::contiguous:
            MPI_Type_contiguous(count, of, &made);
            break;
        case Way::vector:
            MPI_Type_vector(count, length, draw(-2, 5), of, &made);
            break;
        case Way::hvector:
            MPI_Type_create_hvector(count, length, draw(-60, 120), of, &made);
            break;
        case Way::indexed:
            MPI_Type_indexed(count, lengths.data(), places.data(), of, &made);
            break;
        case Way::hindexed:
            MPI_Type_create_hindexed(count, lengths.data(), addresses.data(), of, &made);
            break;
        case Way::indexed_block:
            MPI_Type_create_indexed_block(count, length, places.data(), of, &made);
            break;
        case Way::hindexed_block:
            MPI_Type_create_hindexed_block(count, length, addresses.data(), of, &made);
            break;
        case Way::structure:
            MPI_Type_create_struct(count, lengths.data(), addresses.data(), parts.data(), &made);
            break;
        case Way::subarray:
            MPI_Type_create_subarray(array.dimensions, array.sizes.data(), array.taken.data(),
                                     array.starts.data(), array.order, of, &made);
            break;
        case Way::darray:
            MPI_Type_create_darray(array.processes, array.process, array.dimensions,
                                   array.sizes.data(), array.distributions.data(),
                                   array.arguments.data(), array.grid.data(), array.order, of,
                                   &made);
            break;
        case Way::resized:
            MPI_Type_create_resized(of, draw(-8, 8), draw(0, 100), &made);
            break;
    }
    return made;
}

#if TASUKI_HAS_LARGE_COUNTS
bool has_large_counts() {
    return MPI_Type_contiguous_c != nullptr;
}

MPI_Datatype make_large(Way way, MPI_Datatype of, MPI_Datatype other) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    const int count = draw(0, 3), length = draw(0, 3);
    const auto lengths = draw_some<MPI_Count>(count + 1, 0, 3);
    const auto places = draw_some<MPI_Count>(count + 1, -3, 6);
    const auto addresses = draw_some<MPI_Count>(count + 1, -60, 120);
    const std::array parts = {of, other, of, other};
    const Array array = draw_array();
    const std::vector<MPI_Count> sizes(array.sizes.begin(), array.sizes.end());
    const std::vector<MPI_Count> taken(array.taken.begin(), array.taken.end());
    const std::vector<MPI_Count> starts(array.starts.begin(), array.starts.end());
    switch (way) {
        case Way::duplicate:
            MPI_Type_dup(of, &made);
            break;
        case Way::contiguous:
            MPI_Type_contiguous_c(count, of, &made);
            break;
        case Way::vector:
            MPI_Type_vector_c(count, length, draw(-2, 5), of, &made);
            break;
        case Way::hvector:
            MPI_Type_create_hvector_c(count, length, draw(-60, 120), of, &made);
            break;
        case Way::indexed:
            MPI_Type_indexed_c(count, lengths.data(), places.data(), of, &made);
            break;
        case Way::hindexed:
            MPI_Type_create_hindexed_c(count, lengths.data(), addresses.data(), of, &made);
            break;
        case Way::indexed_block:
            MPI_Type_create_indexed_block_c(count, length, places.data(), of, &made);
            break;
        case Way::hindexed_block:
            MPI_Type_create_hindexed_block_c(count, length, addresses.data(), of, &made);
            break;
        case Way::structure:
            MPI_Type_create_struct_c(count, lengths.data(), addresses.data(), parts.data(), &made);
            break;
        case Way::subarray:
            MPI_Type_create_subarray_c(array.dimensions, sizes.data(), taken.data(), starts.data(),
                                       array.order, of, &made);
            break;
        case Way::darray:
            MPI_Type_create_darray_c(array.processes, array.process, array.dimensions, sizes.data(),
                                     array.distributions.data(), array.arguments.data(),
                                     array.grid.data(), array.order, of, &made);
            break;
        case Way::resized:
            MPI_Type_create_resized_c(of, draw(-8, 8), draw(0, 100), &made);
            break;
    }
    return made;
}
#else
bool has_large_counts() {
    return false;
}

MPI_Datatype make_large(Way way, MPI_Datatype of, MPI_Datatype other) {
    return make(way, of, other);
}
#endif

MPI_Datatype draw_type(int depth) {
    if (depth == 0) {
        const std::array named = {MPI_BYTE,
                                  MPI_SHORT,
                                  MPI_INT,
                                  MPI_DOUBLE,
                                  MPI_SHORT_INT,
                                  MPI_DOUBLE_INT,
                                  MPI_FLOAT_INT,
                                  MPI_LONG_DOUBLE_INT,
                                  MPI_C_FLOAT_COMPLEX,
                                  MPI_LONG_INT,
                                  MPI_2INT,
                                  MPI_C_DOUBLE_COMPLEX};
        return named[draw(0, static_cast<int>(named.size()) - 1)];
    }
    MPI_Datatype of = draw_type(draw(0, depth - 1)), other = draw_type(draw(0, depth - 1));
    const auto way = static_cast<Way>(draw(0, ways - 1));
    const bool is_large = has_large_counts() && draw(0, 2) == 0;
    MPI_Datatype made = is_large ? make_large(way, of, other) : make(way, of, other);
    release(of);
    release(other);
    MPI_Count size = 0;
    MPI_Type_size_x(made, &size);
    if (size > 0) return made;
    // MPICH divides by the size of the parts of a type.
    release(made);
    return draw_type(depth - 1);
}

bool fits(MPI_Datatype type) {
    MPI_Count size = 0, lower = 0, extent = 0;
    MPI_Type_size_x(type, &size);
    MPI_Type_get_true_extent_x(type, &lower, &extent);
    const auto most = static_cast<MPI_Count>(half_of_memory);
    return size <= most_bytes && lower >= -most && lower + extent <= most;
}

void compare(MPI_Datatype type, const std::vector<std::byte>& memory) {
    MPI_Count size = 0;
    MPI_Type_size_x(type, &size);
    std::vector<std::byte> packed(static_cast<std::size_t>(size) + 1), gathered;
    const std::byte* base = memory.data() + half_of_memory;
    int position = 0;
    MPI_Pack(base, 1, type, packed.data(), static_cast<int>(size), &position, MPI_COMM_SELF);
    packed.resize(static_cast<std::size_t>(size));
    const auto runs = tasuki::host::runs_of(type);
    if (!check(runs.has_value(), "it is not taken apart")) return;
    MPI_Count end = 2 * half_of_memory;  // of no run
    for (const tasuki::host::Run& run : runs->all()) {
        check(run.bytes > 0 && run.place != end, "runs are empty or not joined");
        end = run.place + run.bytes;
        gathered.insert(gathered.end(), base + run.place, base + end);
    }
    check(gathered == packed, "%d bytes differ from the host's %d",
          static_cast<int>(gathered.size()), static_cast<int>(size));
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    check_begin();
    std::vector<std::byte> memory(2 * half_of_memory);
    for (std::byte& byte : memory) byte = static_cast<std::byte>(random_bits());
    const int types = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 0; i < types; ++i) {
        MPI_Datatype type = draw_type(draw(1, 4));
        MPI_Type_commit(&type);
        in_case("type %d", i);
        if (fits(type)) compare(type, memory);
        release(type);
    }
    const int code = check_end();
    MPI_Finalize();
    return code;
}
