#include "execute/kernel_combine.hpp"

#include <array>

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

}  // namespace

const Combine* find_combine(Operation operation, Element element) {
    static const std::array<Combine, pairs> all = make_all();
    const Combine& combine = all[index_of(operation, element)];
    return combine ? &combine : nullptr;
}

}  // namespace tasuki
