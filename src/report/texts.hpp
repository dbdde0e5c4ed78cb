// Numbers as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tasuki::report {

/// "12.3 µs", "1.20 s", "2 min 5 s"; "-" for what is not known.
std::string duration_text(double seconds);

/// The same without zeros that say nothing: "5 µs".
std::string short_duration_text(double seconds);

/// "64 B", "4 KiB", "1.5 MiB".
std::string bytes_text(double bytes);

/// With thin spaces: "20 000"; "1.3 million" from a million on.
std::string count_text(double count);

/// "12 %", "0.4 %"; "-" for what is not known.
std::string percent_text(double share);

/// "1.8"; so many digits behind the point.
std::string number_text(double number, int digits);

/// UTF-8 without bytes that are none: they become "?". What others name goes through this.
std::string plain_text(std::string_view text);

}  // namespace tasuki::report
