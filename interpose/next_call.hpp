// The same call in whatever comes after us: a PMPI tool, or the host MPI.
#pragma once

#include <atomic>
#include <utility>

namespace tasuki::interpose {

/// Looks `symbol` up behind this library; in libraries that were loaded privately too. Ends the
/// process with a message if it is nowhere, for then nobody could have called it.
void* find_next(const char* symbol);

/// For a function that is to keep nothing for what comes after the call: `first` is what it calls
/// the first time, which calls what it find()s.
template <typename Signature>
class HostCall {
  public:
    explicit constexpr HostCall(Signature* first) : call_(first) {}

    template <typename... Arguments>
    auto operator()(Arguments... arguments) const {
        return call_.load(std::memory_order_relaxed)(arguments...);
    }
    bool is_known() const { return call_.load(std::memory_order_relaxed) != nullptr; }
    Signature* find(const char* symbol) {
        auto* const call = reinterpret_cast<Signature*>(find_next(symbol));
        call_.store(call, std::memory_order_relaxed);
        return call;
    }

  private:
    std::atomic<Signature*> call_;
};

/// For others: found at the first call; from then on a load and a branch.
template <typename Signature>
class NextCall {
  public:
    explicit constexpr NextCall(const char* symbol) : symbol_(symbol) {}

    template <typename... Arguments>
    auto operator()(Arguments... arguments) {
        if (!call_.is_known()) [[unlikely]]
            call_.find(symbol_);
        return call_(arguments...);
    }

  private:
    const char* symbol_;
    HostCall<Signature> call_{nullptr};
};

}  // namespace tasuki::interpose
