// The memory-based FIFO: records from one rank to another, in order, through shared memory.
#pragma once

#include <array>
#include <cstdint>

#include "transport/memory/sync.hpp"

namespace tasuki::memory {

/// Bits of a record that travel in its stamp.
inline constexpr int what_bits = 25;
/// Most cells of a FIFO: their numbers fill the rest of 32 bits.
inline constexpr std::uint32_t most_cells = 1 << (32 - what_bits);

/// One record and its stamp. From the highest bit: 32 bits that say how often the cell has been
/// used, by which the reader knows that the record is there; 7 bits for the cell that the next
/// record comes in; 25 bits of the record itself. The stamp is the first word of a fixed place, so
/// no content can be taken for one, and nothing needs to be cleared before it is used again. With a
/// record of 56 bytes a cell is one cache line, and a short message crosses from core to core in
/// one.
template <typename Sync, typename Record>
struct CellOn {
    typename Sync::template Word<std::uint64_t> stamp;
    Record record;
};

/// The sender's end. There is one writer and one reader.
///
/// Cells are not used in turn. Each record names the cell of the next, and that is the one that was
/// read last of those that are known to have been: the caches of both ends have it. A ring through
/// all cells costs a fifth more for each record already from 16 cells on.
template <typename Sync, typename Record>
class FifoWriter {
  public:
    using Cell = CellOn<Sync, Record>;
    using Counter = typename Sync::template Word<std::uint64_t>;

    /// From 2 to most_cells cells. `taken` is where the reader tells how many records it has taken.
    /// Both start as zeros.
    FifoWriter(Cell* cells, std::uint32_t capacity, const Counter& taken)
        : cells_(cells), taken_(&taken) {
        for (std::uint32_t cell = capacity - 1; cell > 0; --cell) push(cell);
    }

    /// Where the next record is to be written, or nullptr if there is no room.
    Record* claim() {
        free_taken();
        // There must be one more, to name as the next.
        if (free_count_ == 0) [[unlikely]] {
            look_at_taken();
            free_taken();
            if (free_count_ == 0) return nullptr;
        }
        return &cells_[next_].record;
    }

    /// Whether there is room for so many, as far as is known.
    bool has_room(std::uint32_t records) const { return free_count_ >= records; }

    /// Hands over the record that was claimed, and `what`, of what_bits bits.
    void publish(std::uint32_t what) {
        const std::uint32_t cell = next_;
        const std::uint32_t following = free_[free_count_ - 1];
        const std::uint32_t use = uses_[cell] + 1;
        // Release: whoever sees the stamp sees the record, and what was written before it.
        cells_[cell].stamp.store(
            std::uint64_t{use} << 32 | std::uint64_t{following} << what_bits | what,
            Order::release);
        // Only then what the reader need not wait for.
        next_ = following;
        --free_count_;
        uses_[cell] = use;
        order_[written_++ % most_cells] = static_cast<std::uint8_t>(cell);
    }

    /// The reader says, by whatever way acquires its loads from the cells, that it has taken so
    /// many records, modulo 2^32. Old news does no harm: it is known by what it would make of the
    /// reader, which would have taken more than was written.
    void acknowledge(std::uint32_t taken) {
        const auto more = taken - static_cast<std::uint32_t>(known_taken_);
        if (more <= static_cast<std::uint32_t>(written_ - known_taken_)) known_taken_ += more;
    }

    /// Whether the reader is not known to have taken all that was written.
    bool has_untaken() const { return written_ != known_taken_; }
    /// Records that were published.
    std::uint64_t written() const { return written_; }
    /// Whether the reader is known to have taken so many of these.
    bool has_taken(std::uint64_t records) const { return known_taken_ >= records; }
    /// Looks how many it has taken; costs a line of the reader's.
    void look_at_taken() {
        // Acquire: the reader's loads from the cells come before our stores into them.
        acknowledge(static_cast<std::uint32_t>(taken_->load(Order::acquire)));
    }

  private:
    void free_taken() {
        for (; freed_ != known_taken_; ++freed_) push(order_[freed_ % most_cells]);
    }
    void push(std::uint32_t cell) { free_[free_count_++] = static_cast<std::uint8_t>(cell); }

    Cell* cells_;
    const Counter* taken_;
    std::uint32_t next_ = 0;
    std::uint32_t free_count_ = 0;
    std::uint64_t written_ = 0;
    std::uint64_t known_taken_ = 0;
    std::uint64_t freed_ = 0;
    std::array<std::uint8_t, most_cells> free_{};   // the last is the one that was read last
    std::array<std::uint8_t, most_cells> order_{};  // cells of the records that were not freed
    std::array<std::uint32_t, most_cells> uses_{};  // [cell]
};

/// The receiver's end.
template <typename Sync, typename Record>
class FifoReader {
  public:
    using Cell = CellOn<Sync, Record>;
    using Counter = typename Sync::template Word<std::uint64_t>;

    FifoReader(const Cell* cells, std::uint32_t capacity, Counter& taken)
        : cells_(cells), quarter_((capacity + 3) / 4), tell_at_(quarter_), taken_(&taken) {
        uses_.fill(1);
    }

    /// Whether there is a record.
    bool has_next() const { return is_next(cells_[next_].stamp.load(Order::relaxed)); }

    /// The next record, and its `what`; nullptr if there is none.
    const Record* peek(std::uint32_t& what) {
        const Cell& cell = cells_[next_];
        const std::uint64_t stamp = cell.stamp.load(Order::acquire);
        if (!is_next(stamp)) return nullptr;
        following_ = static_cast<std::uint32_t>(stamp) >> what_bits;
        what = static_cast<std::uint32_t>(stamp) & ((1U << what_bits) - 1);
        return &cell.record;
    }

    /// Gives back the record that peek() returned. The writer is told of a quarter of the cells at
    /// once, so that its line is seldom taken from it; whether it was.
    bool drop() {
        ++uses_[next_];
        next_ = following_;
        return ++taken_count_ == tell_at_ && tell();
    }

    /// Tells the writer of all that was dropped; needed before its reader stops looking. Whether
    /// there was something to tell.
    bool tell() {
        if (tell_at_ == taken_count_ + quarter_) return false;
        tell_at_ = taken_count_ + quarter_;
        taken_->store(taken_count_, Order::release);  // after the loads from the cells
        return true;
    }

    /// Records that were taken, modulo 2^32, for FifoWriter::acknowledge(). What carries it must
    /// be released.
    std::uint32_t taken() const { return static_cast<std::uint32_t>(taken_count_); }

  private:
    bool is_next(std::uint64_t stamp) const { return stamp >> 32 == uses_[next_]; }

    const Cell* cells_;
    std::uint32_t next_ = 0;
    std::uint32_t following_ = 0;  // the cell after the one that was seen
    std::uint64_t taken_count_ = 0;
    std::uint64_t quarter_;
    std::uint64_t tell_at_;
    Counter* taken_;
    std::array<std::uint32_t, most_cells> uses_;  // [cell] the next one
};

}  // namespace tasuki::memory
