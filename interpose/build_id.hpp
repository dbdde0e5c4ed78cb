#pragma once

#include <string>

namespace tasuki::interpose {

/// The first 12 hexadecimal digits of what the linker made of this library's whole content, so that
/// two builds of one version, with other algorithms or other code for them, are told apart. Empty
/// if the library carries none. Cost: microseconds; to be called once.
std::string build_id();

}  // namespace tasuki::interpose
