#include "interpose/checked_sites.hpp"

#include <mutex>

#include "interpose/call_site.hpp"

namespace tasuki::interpose {

namespace {

std::mutex mutex;  // guards checked_sites() while calls are made

std::string_view operation_of(const Reduction& reduction) {
    if (!reduction.operation()) return "user";
    return reduction::operation_names[static_cast<std::size_t>(*reduction.operation())];
}

std::string_view element_of(const Reduction& reduction) {
    return reduction.element() ? reduction::info(*reduction.element()).name : "derived";
}

SiteKey key_of(Collective collective, const Reduction* reduction) {
    const ModuleAddress& address = find_call_site();
    SiteKey key;
    key.offset = address.offset;
    key.module = ShortText<256>(address.module);
    key.collective = ShortText<24>(collective_names[static_cast<std::size_t>(collective)]);
    if (reduction != nullptr) {
        key.operation = ShortText<8>(operation_of(*reduction));
        key.element = ShortText<24>(element_of(*reduction));
    }
    return key;
}

}  // namespace

SiteTable& checked_sites() {
    static SiteTable table;
    return table;
}

void count_checked_call(Collective collective, const Reduction& reduction, int ranks,
                        const reduction::Difference& found) {
    SiteFindings findings;
    findings.checked = 1;
    findings.differed = found.differs;
    findings.ranks = ranks;
    findings.has_distance = reduction.element() && reduction::is_floating(*reduction.element());
    findings.ulp = found.ulp;
    findings.relative = found.relative;
    const SiteKey key = key_of(collective, &reduction);
    const std::lock_guard lock(mutex);
    checked_sites().add(key, findings);
}

void count_unchecked_call(Collective collective, const Reduction* reduction, const char* reason) {
    SiteFindings findings;
    findings.unchecked = 1;
    findings.reason = ShortText<96>(reason);
    const SiteKey key = key_of(collective, reduction);
    const std::lock_guard lock(mutex);
    checked_sites().add(key, findings);
}

void count_independent_call() {
    const std::lock_guard lock(mutex);
    checked_sites().add_independent_call();
}

}  // namespace tasuki::interpose
