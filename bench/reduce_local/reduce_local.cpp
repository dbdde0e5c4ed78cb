// Tasuki's kernels against the host's Reduce_local: the same answers, and how long each takes. See
// README.md. Writes one JSON object a line.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <type_traits>

#include "mpi_types.hpp"

namespace tasuki::reduction {
namespace {

using Bytes = std::vector<std::byte>;

/// A value that every operation keeps exact: a small whole number.
template <Element element>
TypeOf<element> small_value(std::mt19937& random, int least, int greatest) {
    constexpr Family family = info(element).family;
    const auto whole = [&] {
        return least + static_cast<int>(random() % static_cast<unsigned>(greatest - least + 1));
    };
    TypeOf<element> value;
    if constexpr (family == Family::complex) {
        value.real = static_cast<decltype(value.real)>(whole());
        value.imaginary = static_cast<decltype(value.real)>(whole());
    } else if constexpr (family == Family::pair) {
        value.value = static_cast<decltype(value.value)>(whole());
        value.index = static_cast<decltype(value.index)>(whole());
    } else if constexpr (family == Family::c_logical || family == Family::fortran_logical) {
        value = whole() > 0;
    } else {
        value = static_cast<TypeOf<element>>(whole());
    }
    return value;
}

/// Padding of the buffer stays zero, so that buffers can be compared.
template <typename Value>
void put(std::byte* place, const Value& value) {
    const bool is_extended = std::is_same_v<Value, long double> && __LDBL_MANT_DIG__ == 64;
    std::memcpy(place, &value, is_extended ? 10 : sizeof value);
}
template <typename Part>
void put(std::byte* place, const Complex<Part>& value) {
    put(place, value.real);
    put(place + sizeof value.real, value.imaginary);
}
template <typename Value, typename Index>
void put(std::byte* place, const Located<Value, Index>& value) {
    using Pair = Located<Value, Index>;
    put(place, value.value);
    put(place + offsetof(Pair, index), value.index);
}

template <Element element>
Bytes filled(std::size_t count, int least, int greatest, unsigned seed) {
    std::mt19937 random(seed);
    Bytes bytes(count * sizeof(TypeOf<element>));
    for (std::size_t i = 0; i < count; ++i) {
        const auto value = small_value<element>(random, least, greatest);
        put(&bytes[i * sizeof value], value);
    }
    return bytes;
}

Bytes filled_with(Element element, std::size_t count, int least, int greatest, unsigned seed) {
    switch (element) {
#define TASUKI_ELEMENT(name, type, family) \
    case Element::name:                    \
        return filled<Element::name>(count, least, greatest, seed);
#include "reduce/elements.inc"
#undef TASUKI_ELEMENT
    }
    return {};
}

/// Compares the answers of every operation on every type, and writes how many were equal and which
/// differ. Pairs that the host refuses count apart.
void compare_answers() {
    constexpr int count = 37;
    int equal = 0;
    std::string refused;
    std::string different;
    for (const MpiType& type : mpi_types()) {
        for (const MpiOperation& operation : mpi_operations()) {
            const Kernel* kernel = find_kernel(operation.operation, type.element);
            if (kernel == nullptr) continue;
            const bool is_signed = type.name.find("UNSIGNED") == std::string::npos &&
                                   type.name.find("MPI_UINT") == std::string::npos;
            const Bytes in = filled_with(type.element, count, is_signed ? -3 : 0, 3, 1);
            Bytes ours = filled_with(type.element, count, is_signed ? -3 : 0, 3, 2);
            Bytes theirs = ours;
            const std::string pair = "\"" + operation.name + " of " + type.name + "\"";
            if (MPI_Reduce_local(in.data(), theirs.data(), count, type.handle, operation.handle) !=
                MPI_SUCCESS) {
                refused += (refused.empty() ? "" : ", ") + pair;
                continue;
            }
            reduce_from_left(*kernel, in.data(), ours.data(), count);
            if (ours == theirs) {
                ++equal;
            } else {
                different += (different.empty() ? "" : ", ") + pair;
            }
        }
    }
    std::printf("{\"equal\": %d, \"refused\": [%s], \"different\": [%s]}\n", equal, refused.c_str(),
                different.c_str());
    std::fflush(stdout);
}

double median(std::vector<double>& values) {
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

/// Runs kernel and host in turn for `seconds` and writes the medians.
void measure(const MpiType& type, const MpiOperation& operation, std::size_t bytes,
             double seconds) {
    const std::size_t count = bytes / info(type.element).bytes;
    if (count == 0) return;
    const Kernel* kernel = find_kernel(operation.operation, type.element);
    // Ones, so that nothing grows beyond its type.
    const Bytes in = filled_with(type.element, count, 1, 1, 1);
    Bytes inout = filled_with(type.element, count, 1, 1, 2);
    const int calls = static_cast<int>(std::max<std::size_t>(1, 100'000 / (bytes + 50)));
    std::vector<double> ours;
    std::vector<double> theirs;
    std::vector<double> ratios;
    const double end = MPI_Wtime() + seconds;
    for (int pair = 0; pair < 5 || MPI_Wtime() < end; ++pair) {
        double times[2] = {0, 0};
        for (int turn = 0; turn < 2; ++turn) {
            const int way = (pair + turn) % 2;
            const double began = MPI_Wtime();
            for (int i = 0; i < calls; ++i) {
                if (way == 0) {
                    reduce_from_left(*kernel, in.data(), inout.data(), count);
                } else {
                    MPI_Reduce_local(in.data(), inout.data(), static_cast<int>(count), type.handle,
                                     operation.handle);
                }
            }
            times[way] = (MPI_Wtime() - began) / calls;
        }
        ours.push_back(times[0]);
        theirs.push_back(times[1]);
        ratios.push_back(times[0] / times[1]);
    }
    std::printf(
        "{\"type\": \"%s\", \"operation\": \"%s\", \"bytes\": %zu, \"pairs\": %zu, "
        "\"kernel_seconds\": %.6g, \"host_seconds\": %.6g, \"ratio\": %.4g}\n",
        type.name.c_str(), operation.name.c_str(), bytes, ratios.size(), median(ours),
        median(theirs), median(ratios));
    std::fflush(stdout);
}

int run(double seconds, const std::vector<std::string>& types,
        const std::vector<std::string>& operations, const std::vector<std::size_t>& sizes) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    compare_answers();
    const auto is_among = [](const std::vector<std::string>& names, const std::string& name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    for (const MpiType& type : mpi_types()) {
        if (!is_among(types, type.name)) continue;
        for (const MpiOperation& operation : mpi_operations()) {
            if (!is_among(operations, operation.name)) continue;
            if (find_kernel(operation.operation, type.element) == nullptr) continue;
            for (std::size_t bytes : sizes) measure(type, operation, bytes, seconds);
        }
    }
    return 0;
}

std::vector<std::string> words(const std::string& text) {
    std::vector<std::string> list;
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        list.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return list;
}

}  // namespace
}  // namespace tasuki::reduction

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    if (argc != 5) {
        std::fprintf(stderr,
                     "usage: reduce_local SECONDS TYPES OPERATIONS SIZES\n"
                     "  each a list with commas: MPI_DOUBLE,MPI_INT MPI_SUM 8,4096\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    using tasuki::reduction::words;
    std::vector<std::size_t> sizes;
    for (const std::string& size : words(argv[4])) sizes.push_back(std::stoul(size));
    const int code =
        tasuki::reduction::run(std::atof(argv[1]), words(argv[2]), words(argv[3]), sizes);
    MPI_Finalize();
    return code;
}
