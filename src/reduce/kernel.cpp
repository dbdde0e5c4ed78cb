#include "reduce/kernel.hpp"

#include <array>

#include "reduce/vectorised/kernel_table.hpp"

namespace tasuki::reduction {

namespace {

using Kernels = std::array<std::array<Kernel, elements>, operations>;

/// Complex sums are sums of twice as many numbers.
Element number_of(Operation operation, Element element) {
    if (operation == Operation::sum && element == Element::complex32) return Element::float32;
    if (operation == Operation::sum && element == Element::complex64) return Element::float64;
    return element;
}

Kernels kernels_of(const KernelTable* own) {
    Kernels kernels;
    for (std::size_t operation = 0; operation < operations; ++operation) {
        for (std::size_t element = 0; element < elements; ++element) {
            const auto type = static_cast<Element>(element);
            const auto number = number_of(static_cast<Operation>(operation), type);
            const auto at = static_cast<std::size_t>(number);
            KernelPair pair = baseline_kernels.pairs[operation][at];
            if (own != nullptr && own->pairs[operation][at].from_left != nullptr) {
                pair = own->pairs[operation][at];
            }
            kernels[operation][element] = {.from_left = pair.from_left,
                                           .from_right = pair.from_right,
                                           .element_bytes = info(type).bytes,
                                           .parts = info(type).bytes / info(number).bytes};
        }
    }
    return kernels;
}

const Kernels& kernels_for(InstructionSet instruction_set) {
#ifdef __x86_64__
    static const Kernels kernels[instruction_sets] = {
        kernels_of(nullptr), kernels_of(&avx2_kernels), kernels_of(&avx512_kernels)};
    return kernels[static_cast<std::size_t>(instruction_set)];
#else
    static const Kernels kernels = kernels_of(nullptr);
    return kernels;
#endif
}

}  // namespace

const Kernel* find_kernel(Operation operation, Element element, InstructionSet instruction_set) {
    const Kernel& kernel = kernels_for(
        instruction_set)[static_cast<std::size_t>(operation)][static_cast<std::size_t>(element)];
    return kernel.from_left != nullptr ? &kernel : nullptr;
}

const Kernel* find_kernel(Operation operation, Element element) {
    return find_kernel(operation, element, best_instruction_set());
}

}  // namespace tasuki::reduction
