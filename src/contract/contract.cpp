#include "contract/contract.hpp"

#include <stdexcept>
#include <string>

#include "contract/alltoall.hpp"

namespace tasuki {

std::unique_ptr<Contract> contract_of(std::string_view collective) {
    if (collective == "alltoall") return std::make_unique<AllToAll>();
    throw std::invalid_argument("no contract for \"" + std::string(collective) +
                                "\"; there is one for alltoall");
}

}  // namespace tasuki
