// Buffers that the processor must not touch: memory of CUDA, HIP and Level Zero devices.
#pragma once

namespace tasuki::interpose {

/// Whether a device runtime is in this process. Costs a few nanoseconds while no library has been
/// loaded since the last look.
bool device_runtime_is_loaded();

/// Whether `address` may lie in device memory, as the loaded runtimes say; managed memory counts as
/// such. false for nullptr.
bool is_device_memory(const void* address);

}  // namespace tasuki::interpose
