#pragma once

namespace tasuki::interpose {

/// By the entry point, when the host has done a call that its handler left with
/// Handled::is_watched.
void after_host();

}  // namespace tasuki::interpose
