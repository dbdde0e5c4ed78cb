#include "execute/kernel_combine.hpp"

#include <array>

#include "reduce/exact_block_sum.hpp"
#include "reduce/kernel.hpp"

namespace tasuki {

namespace {

using reduction::Element;
using reduction::Kernel;
using reduction::Operation;

constexpr std::size_t pairs = reduction::operations * reduction::elements;

std::size_t index_of(Operation operation, Element element) {
    return static_cast<std::size_t>(operation) * reduction::elements +
           static_cast<std::size_t>(element);
}

Combine combine_by(const Kernel* kernel) {
    if (kernel == nullptr) return {};
    return
        [kernel](const std::byte* from, Operand from_operand, std::byte* to, std::int64_t bytes) {
            const std::size_t count = static_cast<std::size_t>(bytes) / kernel->element_bytes;
            if (from_operand == Operand::left) {
                reduce_from_left(*kernel, from, to, count);
            } else {
                reduce_from_right(*kernel, from, to, count);
            }
        };
}

std::array<Combine, pairs> make_all() {
    std::array<Combine, pairs> all;
    for (std::size_t operation = 0; operation < reduction::operations; ++operation) {
        for (std::size_t element = 0; element < reduction::elements; ++element) {
            const auto which = static_cast<Operation>(operation);
            const auto of = static_cast<Element>(element);
            all[index_of(which, of)] = combine_by(reduction::find_kernel(which, of));
        }
    }
    return all;
}

std::array<Combine, reduction::elements> make_exact_pairs() {
    std::array<Combine, reduction::elements> all;
    for (std::size_t index = 0; index < reduction::elements; ++index) {
        const auto element = static_cast<Element>(index);
        if (!reduction::has_exact_sum(element)) continue;
        all[index] = [element](const std::byte* from, Operand, std::byte* to, std::int64_t bytes) {
            const std::byte* const both[] = {from, to};
            const std::size_t count = static_cast<std::size_t>(bytes) / info(element).bytes;
            reduction::exact_block_sum(element, both, 2, to, count);
        };
    }
    return all;
}

}  // namespace

const Combine* find_combine(Operation operation, Element element) {
    static const std::array<Combine, pairs> all = make_all();
    const Combine& combine = all[index_of(operation, element)];
    return combine ? &combine : nullptr;
}

const Combine* find_exact_pair_combine(Element element) {
    static const std::array<Combine, reduction::elements> all = make_exact_pairs();
    const Combine& combine = all[static_cast<std::size_t>(element)];
    return combine ? &combine : nullptr;
}

}  // namespace tasuki
