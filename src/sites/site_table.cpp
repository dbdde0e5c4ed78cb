#include "sites/site_table.hpp"

#include <algorithm>
#include <type_traits>

namespace tasuki {

static_assert(std::is_trivially_copyable_v<SiteTable>);

void SiteFindings::include(const SiteFindings& other) {
    checked += other.checked;
    differed += other.differed;
    unchecked += other.unchecked;
    if (other.unchecked > 0) reason = other.reason;
    ranks = std::max(ranks, other.ranks);
    has_distance = has_distance || other.has_distance;
    ulp = std::max(ulp, other.ulp);
    relative = std::max(relative, other.relative);
}

void SiteTable::add(const SiteKey& key, const SiteFindings& findings) {
    const auto end = sites_.begin() + static_cast<std::ptrdiff_t>(count_);
    const auto found =
        std::find_if(sites_.begin(), end, [&](const Site& site) { return site.key == key; });
    if (found != end) {
        found->findings.include(findings);
    } else if (count_ < most_sites) {
        sites_[count_++] = {key, findings};
    } else {
        calls_without_room_ += findings.checked + findings.unchecked;
    }
}

void SiteTable::include(const SiteTable& other) {
    for (const Site& site : other.sites()) add(site.key, site.findings);
    independent_calls_ += other.independent_calls_;
    calls_without_room_ += other.calls_without_room_;
}

}  // namespace tasuki
