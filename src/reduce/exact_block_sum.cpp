#include "reduce/exact_block_sum.hpp"

#include <cstring>

#include "reduce/exact_sum.hpp"
#include "reduce/float_environment.hpp"
#include "reduce/vectorised/exact_table.hpp"

namespace tasuki::reduction {

namespace {

template <typename Number>
void sum_element(const std::byte* const* contributors, std::size_t number, std::size_t index,
                 std::byte* result) {
    ExactSum sum;
    for (std::size_t i = 0; i < number; ++i) {
        Number value;
        std::memcpy(&value, contributors[i] + index * sizeof value, sizeof value);
        sum.add(static_cast<double>(value));
    }
    const Number rounded =
        static_cast<Number>(sizeof(Number) == sizeof(double) ? sum.to_double() : sum.to_float());
    std::memcpy(result, &rounded, sizeof rounded);
}

}  // namespace

void exact_block_sum(Element element, const std::byte* const* contributors, std::size_t number,
                     std::byte* result, std::size_t count, InstructionSet instruction_set) {
    const bool is_complex = info(element).family == Family::complex;
    const std::size_t numbers = is_complex ? 2 * count : count;
    const bool is_double = info(element).bytes / (is_complex ? 2 : 1) == sizeof(double);
    const ExactTable& table = exact_table(instruction_set);
    const DefaultFloatEnvironment environment;
    if (is_double) {
        table.block_doubles(contributors, number, numbers, result, sum_element<double>);
    } else {
        table.block_floats(contributors, number, numbers, result, sum_element<float>);
    }
}

}  // namespace tasuki::reduction
