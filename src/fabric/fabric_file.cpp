#include "fabric/fabric_file.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>

namespace tasuki {

namespace {

constexpr std::string_view title = "tasuki-fabric 1";

std::string_view short_name(std::string_view host) {
    return host.substr(0, host.find('.'));
}

/// Hands out the lines that count, without blanks around them.
class Lines {
  public:
    explicit Lines(std::string_view text) : rest_(text) {}

    /// False at the end of the text.
    bool next(std::string_view& line) {
        while (!rest_.empty()) {
            ++number_;
            const auto end = rest_.find('\n');
            line = rest_.substr(0, end);
            rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
            const auto first = line.find_first_not_of(" \t\r");
            if (first == std::string_view::npos || line[first] == '#') continue;
            line = line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
            return true;
        }
        return false;
    }
    [[noreturn]] void refuse(const std::string& expected, std::string_view found) const {
        throw FabricFileError("line " + std::to_string(number_) + ": expected " + expected +
                              ", found \"" + std::string(found) + "\"");
    }
    std::string_view expect(const std::string& expected) {
        std::string_view line;
        if (!next(line)) {
            throw FabricFileError("the file ends where " + expected + " was expected");
        }
        return line;
    }

  private:
    std::string_view rest_;
    int number_ = 0;
};

std::size_t count_in(std::string_view line, const Lines& lines) {
    std::size_t count = 0;
    for (const char digit : line.substr(std::strlen("hosts "))) {
        if (digit < '0' || digit > '9' || count > 10'000'000) lines.refuse("a number", line);
        count = 10 * count + static_cast<std::size_t>(digit - '0');
    }
    if (count == 0) lines.refuse("at least one host", line);
    return count;
}

}  // namespace

FabricFile FabricFile::read(const std::string& path) {
    std::ifstream stream(path);
    std::ostringstream text;
    if (!stream || !(text << stream.rdbuf())) {
        throw FabricFileError(path + ": cannot read it: " + std::strerror(errno));
    }
    try {
        return parse(text.str());
    } catch (const FabricFileError& error) {
        throw FabricFileError(path + ": " + error.what());
    }
}

FabricFile FabricFile::parse(std::string_view text) {
    Lines lines(text);
    std::string_view line = lines.expect(std::string(title));
    if (line != title) lines.refuse("\"" + std::string(title) + "\"", line);
    line = lines.expect("chosen-by receiver");
    if (line != "chosen-by receiver" && line != "chosen-by sender") {
        lines.refuse("chosen-by receiver, or chosen-by sender", line);
    }
    std::string routes = line == "chosen-by sender" ? "sender:" : "";
    line = lines.expect("hosts NUMBER");
    if (!line.starts_with("hosts ")) lines.refuse("hosts NUMBER", line);
    const std::size_t count = count_in(line, lines);

    FabricFile file;
    std::set<std::string_view> names;
    std::size_t levels = 0;
    while (file.hosts_.size() < count) {
        line = lines.expect("host " + std::to_string(file.hosts_.size() + 1) + " of " +
                            std::to_string(count));
        const auto blank = line.find_first_of(" \t");
        const auto second = line.find_first_not_of(" \t", blank);
        if (blank == std::string_view::npos || line.find_first_of(" \t", second) != line.npos) {
            lines.refuse("HOST LEAF/ROOT", line);
        }
        const std::string_view route = line.substr(second);
        try {
            const auto height = static_cast<std::size_t>(NodeRoutes::parse(route)->height());
            if (levels == 0) levels = height;
            if (route.find_first_of(",:") != route.npos || height != levels) {
                throw std::invalid_argument("another number of levels");
            }
        } catch (const std::invalid_argument&) {
            lines.refuse("LEAF/ROOT, with as many levels in every line", route);
        }
        if (!names.insert(line.substr(0, blank)).second) {
            lines.refuse("every host once", line.substr(0, blank));
        }
        routes += (file.hosts_.empty() ? "" : ",") + std::string(route);
        file.hosts_.emplace_back(line.substr(0, blank));
    }
    if (lines.next(line)) lines.refuse("the end after " + std::to_string(count) + " hosts", line);
    try {
        file.routes_ = NodeRoutes::parse(routes);
    } catch (const std::invalid_argument& error) {
        throw FabricFileError(error.what());
    }
    return file;
}

std::int32_t FabricFile::find(std::string_view host) const {
    const auto count = static_cast<std::int32_t>(hosts_.size());
    for (std::int32_t number = 0; number < count; ++number) {
        if (hosts_[number] == host) return number;
    }
    std::int32_t found = -1;
    for (std::int32_t number = 0; number < count; ++number) {
        if (short_name(hosts_[number]) != short_name(host)) continue;
        if (found >= 0) return -1;
        found = number;
    }
    return found;
}

std::uint64_t FabricFile::fingerprint() const {
    std::uint64_t value = 0xcbf29ce484222325u;  // FNV-1a
    const auto add = [&](std::string_view text) {
        for (const char character : text) {
            value = (value ^ static_cast<unsigned char>(character)) * 0x100000001b3u;
        }
        value = (value ^ 0xFFu) * 0x100000001b3u;
    };
    for (const std::string& host : hosts_) add(host);
    add(routes_->text());
    return value;
}

}  // namespace tasuki
