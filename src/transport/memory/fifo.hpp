// The memory-based FIFO: records from one rank to another, in order, through shared memory.
#pragma once

#include <cstdint>

#include "transport/memory/sync.hpp"

namespace tasuki::memory {

/// One record and its stamp: in the upper half the lap of the ring in which it was written, which
/// says whether the record is there, in the lower half 32 bits of the record itself. The stamp is
/// the first word of a fixed place, so no content can be taken for one, and nothing needs to be
/// cleared before it is used again. With a record of 56 bytes a cell is one cache line, and a short
/// message crosses from core to core in one.
template <typename Sync, typename Record>
struct CellOn {
    typename Sync::template Word<std::uint64_t> stamp;
    Record record;
};

/// The sender's end. There is one writer and one reader.
template <typename Sync, typename Record>
class FifoWriter {
  public:
    using Cell = CellOn<Sync, Record>;
    using Counter = typename Sync::template Word<std::uint64_t>;

    /// `taken` is where the reader tells how many records it has taken. Both start as zeros.
    FifoWriter(Cell* cells, std::uint32_t capacity, const Counter& taken)
        : cells_(cells), capacity_(capacity), taken_(&taken) {}

    /// Where the next record is to be written, or nullptr if the ring is full.
    Record* claim() {
        if (written_ - known_taken_ == capacity_) {
            // Acquire: the reader's loads from the cell come before our stores into it.
            known_taken_ = taken_->load(Order::acquire);
            if (written_ - known_taken_ == capacity_) return nullptr;
        }
        return &cells_[next_].record;
    }

    /// Hands over the record that was claimed, and `what`.
    void publish(std::uint32_t what) {
        // Release: whoever sees the stamp sees the record, and what was written before it.
        cells_[next_].stamp.store(std::uint64_t{lap_} << 32 | what, Order::release);
        ++written_;
        if (++next_ == capacity_) {
            next_ = 0;
            ++lap_;
        }
    }

  private:
    Cell* cells_;
    std::uint32_t capacity_;
    std::uint32_t next_ = 0;
    std::uint32_t lap_ = 1;
    const Counter* taken_;
    std::uint64_t written_ = 0;
    std::uint64_t known_taken_ = 0;
};

/// The receiver's end.
template <typename Sync, typename Record>
class FifoReader {
  public:
    using Cell = CellOn<Sync, Record>;
    using Counter = typename Sync::template Word<std::uint64_t>;

    FifoReader(const Cell* cells, std::uint32_t capacity, Counter& taken)
        : cells_(cells), capacity_(capacity), taken_(&taken) {}

    /// The next record, and its `what`; nullptr if there is none.
    const Record* peek(std::uint32_t& what) const {
        const std::uint64_t stamp = cells_[next_].stamp.load(Order::acquire);
        if (stamp >> 32 != lap_) return nullptr;
        what = static_cast<std::uint32_t>(stamp);
        return &cells_[next_].record;
    }

    /// Gives back the record that peek() returned. The writer is told of a quarter of the ring at
    /// once, so that its line is seldom taken from it; whether it was.
    bool drop() {
        ++taken_count_;
        if (++next_ == capacity_) {
            next_ = 0;
            ++lap_;
        }
        return (taken_count_ - told_) * 4 >= capacity_ && tell();
    }

    /// Tells the writer of all that was dropped; needed before its reader stops looking. Whether
    /// there was something to tell.
    bool tell() {
        if (told_ == taken_count_) return false;
        told_ = taken_count_;
        taken_->store(told_, Order::release);  // after the loads from the cells
        return true;
    }

  private:
    const Cell* cells_;
    std::uint32_t capacity_;
    std::uint32_t next_ = 0;
    std::uint32_t lap_ = 1;
    Counter* taken_;
    std::uint64_t taken_count_ = 0;
    std::uint64_t told_ = 0;
};

}  // namespace tasuki::memory
