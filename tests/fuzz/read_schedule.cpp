// Any text is either refused with a TextError, or gives a schedule that writes and reads back
// equal and that can be drawn and, unless it names huge buffers, verified.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "contract/alltoall.hpp"
#include "schedule/dot.hpp"
#include "schedule/text.hpp"
#include "verify/verify.hpp"

using namespace tasuki;

namespace {

/// Verifying takes memory for every chunk, reading does not.
bool is_small(const Schedule& schedule) {
    return std::all_of(
        schedule.programs.begin(), schedule.programs.end(), [](const Program& program) {
            return std::int64_t{program.output_chunks} + program.scratch_chunks < 10'000;
        });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const Schedule schedule = read_text({reinterpret_cast<const char*>(data), size});
        if (read_text(write_text(schedule)) != schedule) std::abort();
        if (write_dot(schedule).empty()) std::abort();
        if (is_small(schedule)) verify(schedule, AllToAll());
        return 0;
    } catch (const TextError&) {
        return 0;
    }
}
