#include "reduce/exact_block_sum.hpp"

#include <cstring>

#include "reduce/exact_sum.hpp"
#include "reduce/float_environment.hpp"
#include "reduce/vectorised/exact_table.hpp"

namespace tasuki::reduction {

namespace {

template <typename Number>
void sum_element_of(const std::byte* const* contributors, std::size_t number, std::size_t index,
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

/// What the sums of one element type run by. Complex ones are two numbers each.
struct Loops {
    const BlockLoops& block;
    SumElement* sum_element;
    std::size_t numbers;  ///< in an element

    static Loops of(Element element, InstructionSet instruction_set) {
        const std::size_t numbers = info(element).family == Family::complex ? 2 : 1;
        const ExactTable& table = exact_table(instruction_set);
        if (info(element).bytes / numbers == sizeof(double)) {
            return {table.block_doubles, sum_element_of<double>, numbers};
        }
        return {table.block_floats, sum_element_of<float>, numbers};
    }
};

}  // namespace

void exact_block_sum(Element element, const std::byte* const* contributors, std::size_t number,
                     std::byte* result, std::size_t count, InstructionSet instruction_set) {
    const Loops loops = Loops::of(element, instruction_set);
    const std::size_t numbers = count * loops.numbers;
    const DefaultFloatEnvironment environment;
    if (number == 1) {
        loops.block.lone(contributors[0], numbers, result);
    } else if (number == 2) {
        loops.block.pair(contributors[0], contributors[1], numbers, result);
    } else {
        loops.block.sum(contributors, number, numbers, result, loops.sum_element);
    }
}

void exact_block_prefixes(Element element, const std::byte* const* contributors, std::size_t number,
                          std::byte* const* results, std::size_t count,
                          InstructionSet instruction_set) {
    const Loops loops = Loops::of(element, instruction_set);
    const DefaultFloatEnvironment environment;
    loops.block.prefixes(contributors, number, count * loops.numbers, results, loops.sum_element);
}

}  // namespace tasuki::reduction
