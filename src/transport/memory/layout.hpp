// What lies in the memory that a rank shares with the other ranks of its node.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "transport/memory/bell.hpp"
#include "transport/memory/blocks.hpp"
#include "transport/memory/board.hpp"
#include "transport/memory/fifo.hpp"
#include "transport/memory/share.hpp"
#include "transport/memory/sync.hpp"

namespace tasuki::memory {

inline constexpr std::size_t line_bytes = 64;
inline constexpr std::size_t page_bytes = 4096;

/// What messages are matched by, beside their sender.
using Tag = std::uint64_t;

/// What a record is. All travel in one FIFO for each direction of a pair, so that a request tells
/// by the number of messages that were taken before it whether it has crossed one.
enum class Kind : std::uint8_t {
    small,    ///< a message; its bytes are in the record, and in an annex
    eager,    ///< a message; its first piece is in a block, the others follow
    piece,    ///< the next piece of an eager message or a stream, in a block
    offer,    ///< a message whose bytes the receiver may read at the sender
    taken,    ///< answer to an offer: they have been read
    pull,     ///< answer to an offer: they cannot be read, or come faster so: send a stream
    stream,   ///< the pieces of an offer that was pulled follow
    request,  ///< a receive waits, whose bytes the sender may write at the receiver
    written,  ///< a message; its bytes have been written as a request asked
    share,    ///< its bytes are being written as a request asked; the receiver may copy some
};

inline constexpr std::size_t record_bytes = 40;
/// For what a record has no room for: lines that cross side by side.
inline constexpr std::size_t annex_bytes = 4 * line_bytes;
using Annex = std::array<std::byte, annex_bytes>;
/// The longest small message.
inline constexpr std::size_t small_bytes = record_bytes + annex_bytes;

/// The content of a cell beside its stamp.
struct Record {
    Tag tag;
    std::uint32_t eager_bytes;  ///< eager: of the whole message
    std::uint32_t taken;  ///< records that the sender has taken from the receiver, modulo 2^32
    union {
        std::byte small[record_bytes];
        struct {
            std::uint64_t bytes;    ///< of the whole message
            std::uint64_t address;  ///< offer, request, share: of the bytes, or where wanted
            std::uint64_t id;       ///< what an answer refers to
            std::uint64_t seen;     ///< request: messages taken from the FIFO before it;
                                    ///< share: what the answer of one who helped refers to;
                                    ///< taken: nanoseconds of the remote copy of the whole
                                    ///< message, 0 if there was none; written: of the
                                    ///< sender, until it had done with the message
        } direct;
    };
};

using Cell = CellOn<Hardware, Record>;
using Counter = Hardware::Word<std::uint64_t>;
using Flag = Hardware::Word<std::uint32_t>;
static_assert(sizeof(Cell) == line_bytes, "a short message is one cache line");

/// The bits of a record that travel in its stamp: kind 4, block or annex 6, bytes 15.
struct What {
    Kind kind;
    std::uint8_t block;   ///< eager, piece; small: its annex; offer: 1 for want of blocks, else 0
    std::uint16_t bytes;  ///< small: of the message

    std::uint32_t word() const {
        return static_cast<std::uint32_t>(kind) | std::uint32_t{block} << 4 |
               std::uint32_t{bytes} << 10;
    }
    static What of(std::uint32_t word) {
        return {static_cast<Kind>(word & 0xf), static_cast<std::uint8_t>(word >> 4 & 0x3f),
                static_cast<std::uint16_t>(word >> 10)};
    }
};

static_assert(2 * most_blocks <= 1 << 6 && small_bytes < 1 << 15);

/// Blocks that eager messages leave free. Those that nobody has asked for may keep theirs for as
/// long as they like; the stream of a message that somebody waits for must get through. Blocks of a
/// stream always come back, so it has these two for ever.
inline constexpr std::uint32_t blocks_for_streams = 2;

inline constexpr std::uint32_t cells_of_box = 92;
static_assert(cells_of_box <= most_cells);
/// Two that answer each other use one or two.
inline constexpr std::uint32_t annexes_of_box = 8;

/// The way from one sender to the owner of the segment; its blocks lie behind it.
struct Box {
    alignas(line_bytes) Counter taken;                     ///< receiver: records taken
    Counter settled;                                       ///< receiver: eager messages matched
    alignas(line_bytes) HandedBack<Hardware> handed_back;  ///< receiver
    alignas(line_bytes) Flag starved;                      ///< sender: it waits for room
    alignas(line_bytes) std::array<Cell, cells_of_box> cells;
    alignas(line_bytes) std::array<Annex, annexes_of_box> annexes;
};
static_assert(sizeof(Box) <= 2 * page_bytes && sizeof(Box) % line_bytes == 0);

/// A rank has a board of many slots for short posts, so that who posts alone may be far ahead of
/// its readers, and one of few for others.
enum class BoardKind : std::uint8_t { small, large };
inline constexpr std::size_t board_kinds = 2;

struct BoardShape {
    std::uint32_t slots;
    std::uint32_t slot_bytes;  ///< with the head; a multiple of a cache line

    constexpr std::size_t bytes() const { return std::size_t{slots} * slot_bytes; }
    bool operator==(const BoardShape&) const = default;
};

inline constexpr std::int32_t most_ranks = 1024;
inline constexpr std::uint32_t most_requests = 64;

/// The begin of a segment.
struct Front {
    std::uint64_t token;  ///< says to those who attach that it is the right one
    alignas(line_bytes) Bell bell;
    /// Nanoseconds of the monotonic clock since when the owner waits; 0 while it does something
    /// else. Others look at it when they were off their core for long: to see who may have had it.
    alignas(line_bytes) Counter waiting_since;
    /// Of each kind of board, the calls in which the owner has read what others posted.
    alignas(line_bytes) std::array<FinishedCallsOn<Hardware>, board_kinds> finished_calls;
    /// Bit r: rank r has begun to send here.
    alignas(line_bytes) std::array<Counter, most_ranks / 64> talkers;
    /// Requests that the owner has left: generation << 2 | RequestState. A sender claims one before
    /// it writes; the owner withdraws one before it gives its buffer to somebody else.
    alignas(line_bytes) std::array<Counter, most_requests> requests;
    /// What of the messages that these ask for has been claimed to be copied (share.hpp).
    alignas(line_bytes) std::array<Counter, most_requests> shares;
};
static_assert(sizeof(Front) <= page_bytes);

using Share = ShareOn<Hardware>;
using BoardSlot = BoardSlotOn<Hardware>;

/// How a message lies in blocks: in each as much as in the others, but in the last, in pieces one
/// behind the other.
struct Cut {
    std::uint64_t in_block = 0;
    std::uint64_t piece = 0;

    /// Where in its block the byte at `place` lies.
    std::uint64_t offset(std::uint64_t place) const {
        return place < in_block ? place : place % in_block;
    }
    /// How many bytes the piece has that begins at `place`, in a message of `all` bytes.
    std::uint64_t bytes_at(std::uint64_t place, std::uint64_t all) const {
        return std::min({piece, in_block - offset(place), all - place});
    }
    /// Whether nothing more comes in the block of the piece before `place`.
    bool ends_block(std::uint64_t place, std::uint64_t all) const {
        return place == all || offset(place) == 0;
    }
    std::uint64_t blocks(std::uint64_t all) const {
        return all <= in_block ? 1 : (all + in_block - 1) / in_block;
    }
};

/// How large the boxes and boards of a segment are: the same for all ranks of a node.
///
/// Memory of a rank: fixed_bytes() + for each rank that sends to it box_bytes() at the most; of
/// these only what was used is ever taken from the system.
struct Geometry {
    std::int32_t ranks = 0;         ///< of the node
    std::uint32_t blocks = 0;       ///< of each of a pair, up to most_blocks
    std::uint32_t block_bytes = 0;  ///< a multiple of a cache line
    std::array<BoardShape, board_kinds>
        boards{};  ///< by BoardKind; of no slots where there is none

    static constexpr std::uint32_t fewest_blocks = 4;
    static constexpr std::uint32_t usual_piece_bytes = 16384;
    /// An odd number of lines, so that slots do not meet in the same set of a cache.
    static constexpr BoardShape usual_small_board{64, 17 * line_bytes};
    static constexpr BoardShape usual_large_board{4, 262144 + line_bytes};
    /// So that the blocks which eager messages may take hold 4 MiB.
    static constexpr std::uint32_t most_block_bytes = 143360;

    /// Of a message in as few blocks as hold it. Both ends reckon it, so it does not travel.
    Cut cut(std::uint64_t message_bytes) const {
        if (message_bytes <= std::min(block_bytes, usual_piece_bytes)) {
            // Of one without bytes, too, a place can be asked for.
            const std::uint64_t whole = std::max<std::uint64_t>(message_bytes, 1);
            return {whole, whole};
        }
        const std::uint64_t in_block =
            even_part(message_bytes, (message_bytes + block_bytes - 1) / block_bytes);
        const std::uint64_t piece = piece_of(message_bytes);
        return {in_block, even_part(in_block, (in_block + piece - 1) / piece)};
    }
    /// Of a message for which there may be no more than two blocks, in turn.
    Cut cut_of_stream(std::uint64_t message_bytes) const {
        const std::uint64_t piece = piece_of(message_bytes);
        return {piece, piece};
    }

    /// The largest boxes with which a rank stays below `limit` bytes even if everybody sends to it;
    /// with no blocks at all if there are none.
    static Geometry within(std::size_t limit, std::int32_t ranks);
    /// What a communicator takes of `left` bytes: as `within` a sixth, in which 4 MiB between two
    /// ranks find their blocks, since other communicators want some, too; only where that is too
    /// little, as within all of it.
    static Geometry of_communicator(std::size_t left, std::int32_t ranks) {
        const Geometry modest = within(left / 6, ranks);
        return modest.blocks > 0 ? modest : within(left, ranks);
    }

    BoardShape board(BoardKind kind) const { return boards[static_cast<std::size_t>(kind)]; }
    std::size_t fixed_bytes() const {
        return whole_pages(page_bytes + boards[0].bytes() + boards[1].bytes());
    }
    /// Where in a box its blocks begin. Buffers of programs mostly begin where a page does, or 16
    /// bytes later (malloc), and a copy takes longer between two places of which the addresses end
    /// alike: loads wait for stores that seem to be to the same line. So long blocks, in which long
    /// messages lie, begin elsewhere in a page.
    std::size_t blocks_offset() const {
        return 2 * page_bytes + (block_bytes > usual_piece_bytes ? 1024 : 0);
    }
    std::size_t box_bytes() const {
        return whole_pages(blocks_offset() + std::size_t{blocks} * block_bytes);
    }
    std::size_t segment_bytes() const { return fixed_bytes() + ranks * box_bytes(); }

    bool operator==(const Geometry&) const = default;

  private:
    static constexpr std::size_t whole_pages(std::size_t bytes) {
        return (bytes + page_bytes - 1) / page_bytes * page_bytes;
    }
    /// While a piece is copied in, the one before is copied out: so pieces are small, unless there
    /// would be many, for each of which a record travels.
    std::uint64_t piece_of(std::uint64_t message_bytes) const {
        constexpr std::uint64_t many = 8;
        const std::uint64_t usual = std::min(block_bytes, usual_piece_bytes);
        const std::uint64_t largest = block_bytes / 2 / line_bytes * line_bytes;
        return std::clamp(even_part(message_bytes, many), usual, std::max(usual, largest));
    }
    /// Whole cache lines.
    static std::uint64_t even_part(std::uint64_t bytes, std::uint64_t parts) {
        const std::uint64_t part = (bytes + parts - 1) / parts;
        return (part + line_bytes - 1) / line_bytes * line_bytes;
    }
};

}  // namespace tasuki::memory
