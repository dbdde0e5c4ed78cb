// Programs of one round on boards: what a rank sends is written once, and read by all who want it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "execute/step_machine.hpp"
#include "schedule/one_round.hpp"
#include "schedule/post_layout.hpp"
#include "schedule/program.hpp"
#include "transport/memory/boards.hpp"

namespace tasuki {

/// A schedule in which no message comes after one that was received, made ready for
/// memory::Boards: a rank posts all that it sends in one piece, each region once, and readers know
/// where in it their message lies. What is received into scratch and only read there is read where
/// it was posted.
///
/// Memory: 64 bytes a step.
class PostedRound {
  public:
    /// nullopt where on some rank a message comes after one that was received, on all ranks alike.
    /// `generate(rank)` makes the program of any rank of the schedule. Costs what they all do, or
    /// what is needed to find one that is not of one round.
    static std::optional<PostedRound> of(const Program& program, std::int32_t rank,
                                         std::int32_t ranks,
                                         const std::function<Program(std::int32_t)>& generate);

    /// What is posted, on all ranks.
    const OneRound& facts() const { return facts_; }
    std::size_t bytes() const;
    /// Of Binding::scratch, from the first on: what is read where it was posted needs none.
    std::int32_t scratch_chunks() const { return scratch_chunks_; }

    /// Executes the program, `binding` as for the step machine, but without transport; chunks are
    /// of equal size on all ranks. Throws memory::PeerGone.
    void run(const Binding& binding, memory::Boards& boards);

  private:
    struct Receipt {
        Region to;
        std::int64_t place;  // in the post of `peer`, chunks
        std::int32_t peer;
        bool is_read_in_place;
    };
    static constexpr std::uint32_t no_receipt = ~std::uint32_t{0};
    /// A copy or a reduction.
    struct Local {
        Step step;
        std::uint32_t reads;  // the receipt that it reads in place
    };

    PostedRound() = default;
    void take_all_steps(const Binding& binding, memory::Boards& boards);
    void need_scratch(const Region& region);
    void post(const Binding& binding, memory::Boards& boards);
    void read(const Binding& binding, memory::Boards& boards);
    void take(std::uint32_t receipt, const std::byte* posted, const Binding& binding);
    void run_local(const Local& local, const Binding& binding) const;

    std::vector<Local> before_;  // the steps that sends come after,
    std::vector<Local> beside_;  // those that come after no message,
    std::vector<Local> after_;   // and after a receipt
    std::vector<PostLayout::Part> parts_;
    std::int64_t posted_chunks_ = 0;
    std::int32_t scratch_chunks_ = 0;
    std::vector<Receipt> receipts_;
    OneRound facts_;
    std::uint64_t sent_messages_ = 0;
    std::int64_t sent_chunks_ = 0;
    std::int64_t copied_chunks_ = 0;  // to and from boards

    std::vector<const std::byte*> came_;  // [receipt] in an execution
    std::vector<std::uint32_t> missing_;  // receipts
};

}  // namespace tasuki
