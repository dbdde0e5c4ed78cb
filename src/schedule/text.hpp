// The form of a schedule that people read and write.
//
//     collective alltoall
//     algorithm bruck
//     ranks 8
//     root 0
//     parameter radix 2
//     placement 2x4
//
//     rank 0: input 8 output 8 scratch 8
//     0: recv from 7 message 0 scratch[4:8]
//     1: copy input[first=1 count=4 block=1 stride=2] to scratch[0:4]
//     2: send to 1 message 0 scratch[0:4] after 1
//     3: reduce left scratch[4:5] into output[0:1] after 0 2
//
// Chunks are half-open: [4:8] is 4, 5, 6, 7. Where chunks differ in size, "scratch 5 sizes any:2
// 4:7" says that the first two scratch chunks hold any, and the others have the sizes 4, 5 and 6.
// "input 8 output 8 tails scratch 12" says that chunks 4 to 7 are the tails of chunks 0 to 3.
// There is a line for each parameter, and none for the placement of a schedule that was made
// without one. Programs stand in the order of their ranks.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "schedule/schedule.hpp"

namespace tasuki {

/// "input[0:8]", "scratch[first=1 count=4 block=1 stride=2]", or "nothing".
std::string text_of(const Region& region);

/// What a step does, without its number and what it comes after: "send to 5 message 0 input[0:8]".
std::string text_of(const Step& step);

/// The whole schedule. read_text() gives back an equal one if its programs come from a
/// ProgramBuilder and its names are words of letters, digits, - and _.
std::string write_text(const Schedule& schedule);

/// What is wrong with a text: "line 12: expected ..., found ...".
class TextError : public std::invalid_argument {
  public:
    using std::invalid_argument::invalid_argument;
};

/// Reads what write_text() writes, and nothing else but additional blanks and empty lines. Checks
/// what a ProgramBuilder checks, the peers, and the numbers of the messages. Throws TextError.
///
/// Memory: proportional to the text, whatever numbers stand in it.
Schedule read_text(std::string_view text);

}  // namespace tasuki
