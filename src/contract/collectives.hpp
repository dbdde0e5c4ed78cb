// The contracts of all collectives but all-to-all, one file each.
#pragma once

#include <memory>

#include "contract/contract.hpp"

namespace tasuki {

std::unique_ptr<Contract> barrier_contract();
std::unique_ptr<Contract> bcast_contract();
std::unique_ptr<Contract> reduce_contract();
std::unique_ptr<Contract> allreduce_contract();
std::unique_ptr<Contract> reduce_scatter_contract();
std::unique_ptr<Contract> scan_contract();
std::unique_ptr<Contract> exscan_contract();
std::unique_ptr<Contract> gather_contract();
std::unique_ptr<Contract> scatter_contract();
std::unique_ptr<Contract> allgather_contract();
std::unique_ptr<Contract> alltoallv_contract();

}  // namespace tasuki
