// Buffers that the processor must not touch: memory of CUDA, HIP and Level Zero devices.
#pragma once

namespace tasuki::interpose {

/// From MPI_Init to MPI_Finalize.
void watch_for_device_runtimes();
void stop_watching_for_device_runtimes();

/// Whether a device runtime is in this process now. Costs a load while no library has been loaded
/// since MPI_Init, else about 50 ns.
bool device_runtime_is_loaded();

/// Whether `address` may lie in device memory, as the loaded runtimes say; managed memory counts as
/// such. false for nullptr.
bool is_device_memory(const void* address);

}  // namespace tasuki::interpose
