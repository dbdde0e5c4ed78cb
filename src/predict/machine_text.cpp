#include "predict/machine_text.hpp"

#include <charconv>
#include <cmath>
#include <map>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "schedule/whole_number.hpp"

namespace tasuki {

namespace {

constexpr std::string_view magic = "tasuki-plogp";
constexpr int version = 1;

std::string number_text(double value) {
    char digits[32];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
    return {digits, end};
}

std::string function_text(const PiecewiseLinear& function) {
    std::string text;
    for (const auto& [bytes, seconds] : function.points()) {
        text += " " + std::to_string(bytes) + ":" + number_text(seconds);
    }
    return text + "\n";
}

std::string link_text(std::string_view where, const LinkParameters& link) {
    const std::string name(where);
    return name + " latency " + number_text(link.latency) + "\n" +              //
           name + " send-overhead" + function_text(link.send_overhead) +        //
           name + " receive-overhead" + function_text(link.receive_overhead) +  //
           name + " gap" + function_text(link.gap);
}

std::string thresholds_text(const MemoryThresholds& memory) {
    std::string text;
    const auto add = [&](const char* name, std::int64_t bytes) {
        if (bytes > 0) text += std::string("memory ") + name + " " + std::to_string(bytes) + "\n";
    };
    add("warm-bytes", memory.warm_bytes);
    add("shared-bytes", memory.shared_bytes);
    return text;
}

class Reader {
  public:
    explicit Reader(std::string_view text) : rest_(text) {}

    MachineParameters read() {
        read_version();
        MachineParameters machine;
        std::map<std::string_view, PiecewiseLinear*> functions = {
            {"on-node send-overhead", &machine.on_node.send_overhead},
            {"on-node receive-overhead", &machine.on_node.receive_overhead},
            {"on-node gap", &machine.on_node.gap},
            {"off-node send-overhead", &machine.off_node.send_overhead},
            {"off-node receive-overhead", &machine.off_node.receive_overhead},
            {"off-node gap", &machine.off_node.gap},
            {"copy", &machine.copy}};
        std::map<std::string_view, double*> latencies = {
            {"on-node latency", &machine.on_node.latency},
            {"off-node latency", &machine.off_node.latency}};
        std::int64_t no_longer_used = 0;  // in files of before November 2026
        std::map<std::string_view, std::int64_t*> thresholds = {
            {"memory direct-bytes", &no_longer_used},
            {"memory warm-bytes", &machine.memory.warm_bytes},
            {"memory shared-bytes", &machine.memory.shared_bytes}};
        bool fingerprint = false;
        while (next_line() && line_ != "end") {
            const std::string_view name = take_name();
            if (name == "fingerprint") {
                machine.fingerprint = line_;
                fingerprint = true;
            } else if (auto function = functions.extract(name)) {
                *function.mapped() = read_function();
            } else if (auto latency = latencies.extract(name)) {
                *latency.mapped() = read_number(line_);
            } else if (auto threshold = thresholds.extract(name)) {
                *threshold.mapped() = read_threshold(line_);
            } else {
                refuse("\"" + std::string(name) + "\" is unknown or stands twice");
            }
        }
        if (line_ != "end") refuse("the file is cut off: its last line must be \"end\"");
        if (!fingerprint) refuse("there is no fingerprint");
        if (!functions.empty()) refuse("there is no " + std::string(functions.begin()->first));
        if (!latencies.empty()) refuse("there is no " + std::string(latencies.begin()->first));
        return machine;
    }

  private:
    [[noreturn]] void refuse(const std::string& why) const {
        throw std::invalid_argument("P-LogP parameters, line " + std::to_string(number_) + ": " +
                                    why);
    }

    bool next_line() {
        if (rest_.empty()) return false;
        ++number_;
        const auto end = rest_.find('\n');
        line_ = rest_.substr(0, end);
        rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
        return true;
    }

    void read_version() {
        if (!next_line() || take_word() != magic) {
            refuse("this is no file of P-LogP parameters: it must begin with \"tasuki-plogp 1\"");
        }
        int found = 0;
        const auto [end, error] = std::from_chars(line_.data(), line_.data() + line_.size(), found);
        if (error != std::errc{} || end != line_.data() + line_.size()) {
            refuse("the version is not a number");
        }
        if (found != version) {
            refuse("it has version " + std::to_string(found) + ", this Tasuki reads version " +
                   std::to_string(version) + "; measure again with `tasuki model measure`");
        }
    }

    /// "on-node gap" and "copy": one word, or two where the first says which pairs or whose.
    std::string_view take_name() {
        const std::string_view whole = line_;
        const std::string_view first = take_word();
        if (first != "on-node" && first != "off-node" && first != "memory") return first;
        const std::string_view second = take_word();
        return whole.substr(0,
                            static_cast<std::size_t>(second.data() + second.size() - whole.data()));
    }

    std::string_view take_word() {
        const auto space = line_.find(' ');
        const std::string_view word = line_.substr(0, space);
        line_.remove_prefix(space == std::string_view::npos ? line_.size() : space + 1);
        return word;
    }

    PiecewiseLinear read_function() {
        std::vector<PiecewiseLinear::Point> points;
        while (!line_.empty()) {
            const std::string_view pair = take_word();
            const auto colon = pair.find(':');
            std::int64_t bytes = 0;
            const auto [end, error] =
                std::from_chars(pair.data(), pair.data() + std::min(colon, pair.size()), bytes);
            if (colon == std::string_view::npos || error != std::errc{} ||
                end != pair.data() + colon) {
                refuse("expected BYTES:SECONDS, found \"" + std::string(pair) + "\"");
            }
            points.push_back({bytes, read_number(pair.substr(colon + 1))});
        }
        try {
            return PiecewiseLinear(std::move(points));
        } catch (const std::invalid_argument& error) {
            refuse(error.what());
        }
    }

    double read_number(std::string_view text) const {
        const auto value = whole_number<double>(text);
        if (!value || !std::isfinite(*value) || *value < 0) {
            refuse("\"" + std::string(text) + "\" is not a time in seconds");
        }
        return *value;
    }

    std::int64_t read_threshold(std::string_view text) const {
        constexpr std::int64_t least = 4096;
        constexpr std::int64_t most = std::int64_t{1} << 40;
        const auto value = whole_number<std::int64_t>(text);
        if (!value || *value < least || *value > most) {
            refuse("\"" + std::string(text) + "\" is not a number of bytes from " +
                   std::to_string(least) + " on");
        }
        return *value;
    }

    std::string_view rest_;
    std::string_view line_;
    int number_ = 0;
};

}  // namespace

std::string machine_text(const MachineParameters& machine) {
    return std::string(magic) + " " + std::to_string(version) + "\n" + "fingerprint " +
           machine.fingerprint + "\n" + link_text("on-node", machine.on_node) +
           link_text("off-node", machine.off_node) + "copy" + function_text(machine.copy) +
           thresholds_text(machine.memory) + "end\n";
}

MachineParameters read_machine(std::string_view text) {
    return Reader(text).read();
}

}  // namespace tasuki
