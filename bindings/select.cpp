#include <cmath>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arena/arena.hpp"
#include "core.hpp"
#include "predict/cache_directory.hpp"
#include "select/decision_file.hpp"

namespace nb = nanobind;

namespace tasuki::bindings {

namespace {

nb::object seconds_of(double seconds) {
    return std::isfinite(seconds) ? nb::object(nb::float_(seconds)) : nb::none();
}

nb::dict decision_of(const SelectionKey& key, const Decision& decision) {
    nb::dict dict;
    dict["key"] = key.text();
    dict["collective"] = key.collective;
    dict["bytes"] = key.bytes;
    dict["ranks"] = key.ranks;
    dict["placement"] = key.placement;
    dict["oversubscribed"] = key.oversubscribed;
    dict["winner"] = decision.winner;
    dict["margin"] = decision.margin;
    dict["calls"] = decision.calls;
    dict["switched_at"] = decision.switched_at;
    dict["relearnings"] = decision.relearnings;
    dict["common_drifts"] = decision.common_drifts;
    dict["learning_seconds"] = decision.learning_seconds;
    dict["saved_seconds"] = decision.saved_seconds;
    dict["break_even_calls"] = seconds_of(decision.break_even_calls());
    nb::list candidates;
    for (const CandidateRecord& record : decision.candidates) {
        nb::dict row;
        row["name"] = record.name;
        row["fate"] = std::string(name_of(record.fate));
        row["predicted"] = seconds_of(record.predicted);
        row["measured"] = seconds_of(record.measured);
        row["samples"] = record.samples;
        candidates.append(row);
    }
    dict["candidates"] = candidates;
    return dict;
}

nb::dict read_book(const std::string& text) {
    DecisionBook book;
    try {
        book = read_decisions(text);
    } catch (const DecisionError& error) {
        throw std::invalid_argument(error.what());
    }
    nb::dict dict;
    dict["fingerprint"] = book.fingerprint;
    dict["parameters"] = book.parameters.empty() ? nb::object(nb::none())
                                                 : nb::object(nb::str(book.parameters.c_str()));
    nb::list decisions;
    for (const auto& [key, decision] : book.decisions) decisions.append(decision_of(key, decision));
    dict["decisions"] = decisions;
    return dict;
}

std::string forget(const std::string& path, const std::vector<std::string>& keys) {
    std::vector<SelectionKey> list;
    for (const std::string& key : keys) list.push_back(read_key(key));
    return forget_decisions(path, list).message;
}

nb::dict row_of(const ArenaRow& row) {
    nb::dict dict;
    dict["bytes"] = row.bytes;
    dict["world"] = row.world;
    dict["best"] = row.best;
    dict["chosen"] = row.chosen;
    dict["chosen_over_best"] = row.chosen_over_best;
    dict["regret"] = row.regret;
    dict["over_native"] = row.over_native;
    dict["settled_at"] = row.settled_at;
    dict["measured_candidates"] = row.measured_candidates;
    dict["drift_recovery_calls"] = row.drift_recovery_calls;
    nb::dict fixed;
    for (const auto& [candidate, seconds] : row.policies.fixed) fixed[candidate.c_str()] = seconds;
    dict["fixed_seconds"] = fixed;
    dict["dynamic_seconds"] = row.policies.dynamic;
    dict["without_model_seconds"] = row.policies.without_model;
    dict["warm_seconds"] = row.policies.warm;
    return dict;
}

nb::dict play(const std::string& name, std::int32_t worlds, std::uint32_t calls,
              std::uint32_t noise_calls, std::uint64_t seed, const std::string& grouping,
              bool with_model, double noise, std::optional<std::uint32_t> drift_at,
              double drift_factor, bool other_faster) {
    ArenaSettings settings;
    settings.worlds = worlds;
    settings.calls = calls;
    settings.drift_at = drift_at.value_or(calls);
    settings.drift_factor = drift_factor;
    if (other_faster) settings.drift = WorldDrift::other_faster;
    settings.noise.call = noise;
    settings.policies = true;
    settings.noise_calls = noise_calls;
    settings.seed = seed;
    settings.selection.grouping = read_grouping(grouping);
    settings.with_model = with_model;
    for (const DescribedMachine& machine : described_machines()) {
        if (machine.name != name) continue;
        ArenaSummary summary;
        {
            const nb::gil_scoped_release others_may_run;
            summary = run_arena(machine, settings);
        }
        nb::dict dict;
        dict["machine"] = summary.machine;
        dict["ranks"] = summary.ranks;
        dict["best_chosen_fraction"] = summary.best_chosen_fraction;
        dict["regret"] = summary.regret;
        dict["regret_max"] = summary.regret_max;
        dict["over_native_geomean"] = summary.over_native_geomean;
        dict["over_native_max"] = summary.over_native_max;
        dict["drift_recovery_calls"] = summary.drift_recovery_calls;
        dict["drift_recovery_median"] = summary.drift_recovery_median;
        dict["common_relearnings"] = summary.common_relearnings;
        dict["false_relearnings"] = summary.false_relearnings;
        nb::list rows;
        for (const ArenaRow& row : summary.rows) rows.append(row_of(row));
        dict["rows"] = rows;
        return dict;
    }
    throw std::invalid_argument("no described machine \"" + name + "\"");
}

nb::dict limits_of(bool oversubscribed) {
    const SelectionSettings settings =
        oversubscribed ? SelectionSettings::where_ranks_share_cores() : SelectionSettings{};
    nb::dict dict;
    dict["group_factor"] = settings.group_factor;
    dict["look_factor"] = settings.look_factor;
    dict["look_factor_of_carrier"] = settings.look_factor_of_carrier;
    dict["hopeless_factor"] = settings.hopeless_factor;
    dict["margin"] = settings.margin;
    return dict;
}

}  // namespace

void bind_select(nb::module_& core) {
    core.def("read_decisions", &read_book, nb::arg("text"),
             "The decisions in a text; times are seconds, None where unknown.");
    core.def("size_bucket", &size_bucket, nb::arg("bytes"),
             "The lowest size of the bucket that a size is in: the bytes of its key.");
    core.def("selection_limits", &limits_of, nb::arg("oversubscribed"),
             "By what factors candidates are cut, and by what share another than the host's own "
             "must be faster: see SelectionSettings.");
    core.def("forget_decisions", &forget, nb::arg("path"), nb::arg("keys"),
             "Take keys out of a file of decisions; returns what went wrong, or \"\".");
    core.def(
        "cache_directory", [] { return cache_directory().string(); },
        "Where decisions and P-LogP parameters are kept; \"\" if no home is set.");
    core.def("play_arena", &play, nb::arg("machine"), nb::arg("worlds") = 4,
             nb::arg("calls") = 20000, nb::arg("noise_calls") = 1000000, nb::arg("seed") = 1,
             nb::arg("grouping") = "near-best", nb::arg("with_model") = true,
             nb::arg("noise") = Noise{}.call, nb::arg("drift_at") = nb::none(),
             nb::arg("drift_factor") = ArenaSettings{}.drift_factor,
             nb::arg("other_faster") = false,
             "Selection in virtual time on a described machine, and the same calls by each policy. "
             "`noise`: of a call, as a share; `drift_at`: None is after all calls.");
}

}  // namespace tasuki::bindings
