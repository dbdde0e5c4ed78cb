#include "sites/site_report.hpp"

#include <algorithm>
#include <cstdio>

#include "sites/json_text.hpp"
#include "sites/source.hpp"

namespace tasuki {

namespace {

struct Found {
    const Site* site;
    Source source;
};

bool comes_before(const Found& a, const Found& b) {
    const SiteFindings &one = a.site->findings, &two = b.site->findings;
    if ((one.differed > 0) != (two.differed > 0)) return one.differed > 0;
    if (one.ulp != two.ulp) return one.ulp > two.ulp;
    return one.checked > two.checked;
}

std::vector<Found> find_sources(const SiteTable& table) {
    std::vector<Found> found;
    for (const Site& site : table.sites()) {
        const SiteKey& key = site.key;
        found.push_back({&site, find_source(std::string(key.module.view()), key.offset)});
    }
    std::stable_sort(found.begin(), found.end(), comes_before);
    return found;
}

std::string hexadecimal(std::uint64_t number) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
    return text;
}

std::string place(const Found& found) {
    const SiteKey& key = found.site->key;
    const Source& source = found.source;
    const std::string in = source.function.empty() ? "" : " (" + source.function + ")";
    if (source.line != 0) return source.file + ":" + std::to_string(source.line) + in;
    return std::string(key.module.view()) + "+" + hexadecimal(key.offset) + in;
}

std::string what(const SiteKey& key) {
    std::string text(key.collective.view());
    for (const std::string_view more : {key.operation.view(), key.element.view()}) {
        if (!more.empty()) text += " " + std::string(more);
    }
    return text;
}

std::string row(const std::string& differed, const std::string& checked, const std::string& ulp,
                const std::string& relative, const std::string& where) {
    char text[96];
    std::snprintf(text, sizeof text, "%9s %9s %12s %9s  ", differed.c_str(), checked.c_str(),
                  ulp.c_str(), relative.c_str());
    return text + where;
}

std::string short_number(double value, const char* form) {
    char text[32];
    std::snprintf(text, sizeof text, form, value);
    return text;
}

std::string row_of(const Found& found) {
    const SiteFindings& findings = found.site->findings;
    const bool shows = findings.has_distance;
    return row(std::to_string(findings.differed), std::to_string(findings.checked),
               shows ? short_number(findings.ulp, "%.6g") : "-",
               shows ? short_number(findings.relative, "%.1e") : "-",
               what(found.site->key) + ", " + place(found));
}

std::string headline(const SiteTable& table, const ReportedRun& run) {
    const auto count = [&](const auto& is_counted) {
        return std::count_if(table.sites().begin(), table.sites().end(), is_counted);
    };
    const auto checked = count([](const Site& site) { return site.findings.checked > 0; });
    const auto differ = count([](const Site& site) { return site.findings.differed > 0; });
    return "reductions in other orders, on " + std::to_string(run.ranks) +
           " ranks: " + std::to_string(differ) + " of " + std::to_string(checked) +
           " call sites gave other results";
}

std::string json_of(const Found& found) {
    const SiteKey& key = found.site->key;
    const SiteFindings& findings = found.site->findings;
    std::string text = "    {";
    const auto add = [&](const char* name, const std::string& value) {
        text += std::string(text.size() == 5 ? "\"" : ", \"") + name + "\": " + value;
    };
    const bool has_line = found.source.line != 0;
    add("file", has_line ? json_text(found.source.file) : "null");
    add("line", has_line ? std::to_string(found.source.line) : "null");
    add("function", found.source.function.empty() ? "null" : json_text(found.source.function));
    add("module", json_text(key.module.view()));
    add("offset", json_text(hexadecimal(key.offset)));
    add("collective", json_text(key.collective.view()));
    add("operation", json_text(key.operation.view()));
    add("type", json_text(key.element.view()));
    add("ranks", std::to_string(findings.ranks));
    add("checked", std::to_string(findings.checked));
    add("differed", std::to_string(findings.differed));
    add("ulp", findings.has_distance ? json_number(findings.ulp) : "null");
    add("relative", findings.has_distance ? json_number(findings.relative) : "null");
    add("unchecked", std::to_string(findings.unchecked));
    add("reason", findings.unchecked > 0 ? json_text(findings.reason.view()) : "null");
    return text + "}";
}

}  // namespace

std::vector<std::string> report_lines(const SiteTable& table, const ReportedRun& run) {
    std::vector<std::string> lines = {headline(table, run)};
    const std::vector<Found> all = find_sources(table);
    if (!all.empty())
        lines.push_back(row("differed", "of calls", "largest ulp", "relative", "call"));
    for (const Found& found : all) {
        const SiteFindings& findings = found.site->findings;
        if (findings.checked > 0) lines.push_back(row_of(found));
        if (findings.unchecked > 0) {
            lines.push_back(row("?", std::to_string(findings.unchecked), "", "",
                                what(found.site->key) + ", " + place(found) +
                                    ": not checked, because " +
                                    std::string(findings.reason.view())));
        }
    }
    if (table.independent_calls() > 0) {
        lines.push_back(std::to_string(table.independent_calls()) +
                        " more calls cannot depend on the order: integers, max, min and the like");
    }
    if (table.calls_without_room() > 0) {
        lines.push_back(std::to_string(table.calls_without_room()) +
                        " more calls were at call sites beyond the first " +
                        std::to_string(SiteTable::most_sites) + ", which are not kept");
    }
    const auto has_order = [](const Site& site) { return site.findings.ranks > 2; };
    if (!all.empty() && std::ranges::none_of(table.sites(), has_order)) {
        lines.push_back(
            "two operands have one order only; more tells a run on three ranks or more");
    }
    if (run.mode != "off") {
        lines.push_back("reductions were reproducible by \"" + std::string(run.mode) +
                        "\": what differs here would change without it");
    }
    return lines;
}

std::string report_json(const SiteTable& table, const ReportedRun& run) {
    std::string text =
        "{\n  \"ranks\": " + std::to_string(run.ranks) +
        ",\n  \"reproducible\": " + json_text(run.mode) +
        ",\n  \"independent_calls\": " + std::to_string(table.independent_calls()) +
        ",\n  \"calls_without_room\": " + std::to_string(table.calls_without_room()) +
        ",\n  \"sites\": [";
    const char* separator = "\n";
    for (const Found& found : find_sources(table)) {
        text += separator + json_of(found);
        separator = ",\n";
    }
    return text + "\n  ]\n}\n";
}

}  // namespace tasuki
