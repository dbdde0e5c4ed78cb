#include "select/decision_file.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "predict/cache_directory.hpp"
#include "select/digest.hpp"
#include "select/file_lock.hpp"

namespace tasuki {

namespace {

std::string reason() {
    return std::strerror(errno);
}

/// An open file that is closed at the end of its scope.
class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { close(); }

    int number() const { return number_; }
    bool is_open() const { return number_ >= 0; }
    bool close() {
        const int number = number_;
        number_ = -1;
        return number < 0 || ::close(number) == 0;
    }

  private:
    int number_;
};

/// The whole file; nothing if there is none. Throws std::runtime_error if it cannot be read.
std::optional<std::string> read_file(const std::filesystem::path& path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.is_open() && errno == ENOENT) return std::nullopt;
    if (!file.is_open()) throw std::runtime_error("cannot be opened: " + reason());
    std::string text;
    char piece[1 << 14];
    for (;;) {
        const ssize_t count = ::read(file.number(), piece, sizeof piece);
        if (count == 0) return text;
        if (count > 0) {
            text.append(piece, static_cast<std::size_t>(count));
        } else if (errno != EINTR) {
            throw std::runtime_error("cannot be read: " + reason());
        }
    }
}

/// Puts `text` in the place of the file at once. Only the holder of the lock may, so the temporary
/// name needs not be unique, and one left by a killed run is used again.
void replace_file(const std::filesystem::path& path, std::string_view text) {
    const std::string temporary = path.string() + ".new";
    Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (!file.is_open()) throw std::runtime_error("cannot be written: " + reason());
    while (!text.empty()) {
        const ssize_t count = ::write(file.number(), text.data(), text.size());
        if (count >= 0) {
            text.remove_prefix(static_cast<std::size_t>(count));
        } else if (errno != EINTR) {
            const std::string why = reason();
            ::unlink(temporary.c_str());
            throw std::runtime_error("cannot be written: " + why);
        }
    }
    if (::fsync(file.number()) != 0 || !file.close() ||
        ::rename(temporary.c_str(), path.c_str()) != 0) {
        const std::string why = reason();
        ::unlink(temporary.c_str());
        throw std::runtime_error("cannot be written: " + why);
    }
}

void make_folder(const std::filesystem::path& folder) {
    std::error_code error;
    if (!folder.empty()) std::filesystem::create_directories(folder, error);
    if (error) {
        throw std::runtime_error("cannot be written: the folder " + folder.string() +
                                 " cannot be made: " + error.message());
    }
}

std::string about(const std::filesystem::path& path, const std::string& what,
                  const std::string& so) {
    return "the decisions in " + path.string() + " " + what + "; " + so;
}

/// As a shell reads it back, whatever characters it has.
std::string shell_word(const std::string& text) {
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

/// What an earlier run has learnt of the same key stays part of the history.
void add_history(Decision& decision, const Decision& old) {
    // A run that begins with a kept winner does not switch to it.
    decision.switched_at =
        decision.winner == old.winner ? old.switched_at : old.calls + decision.switched_at;
    decision.calls += old.calls;
    decision.relearnings += old.relearnings;
    decision.common_drifts += old.common_drifts;
    decision.learning_seconds += old.learning_seconds;
    decision.saved_seconds += old.saved_seconds;
    for (CandidateRecord& record : decision.candidates) {
        if (const CandidateRecord* before = old.find(record.name))
            record.samples += before->samples;
    }
}

void merge(DecisionBook& book, const DecisionBook& news) {
    if (!news.decisions.empty()) book.parameters = news.parameters;
    for (const auto& [key, decision] : news.decisions) {
        const auto [place, is_new] = book.decisions.try_emplace(key, decision);
        if (is_new) continue;
        const Decision old = std::exchange(place->second, decision);
        add_history(place->second, old);
    }
}

}  // namespace

std::filesystem::path decision_path(const std::string& fingerprint) {
    const std::filesystem::path directory = cache_directory();
    return directory.empty() ? directory
                             : directory / ("decisions-" + Digest().add(fingerprint).text());
}

DecisionFileResult load_decisions(const std::filesystem::path& path,
                                  const std::string& fingerprint) {
    const std::string anew = "this run learns anew";
    const std::string without = anew + " (`tasuki decisions forget --all --file " +
                                shell_word(path.string()) + "` removes the file)";
    try {
        const std::optional<std::string> text = read_file(path);
        if (!text) return {};
        DecisionBook book = read_decisions(*text);
        if (book.fingerprint != fingerprint) {
            return {{},
                    about(path,
                          "were learnt elsewhere (" + book.fingerprint + ", here it is " +
                              fingerprint + ")",
                          without)};
        }
        return {std::move(book), {}};
    } catch (const DecisionError& error) {
        return {{}, about(path, std::string("cannot be used: ") + error.what(), without)};
    } catch (const std::exception& error) {
        // What cannot be opened or read, such as a folder, cannot be removed by that either.
        return {{}, about(path, error.what(), anew)};
    }
}

DecisionFileResult add_decisions(const std::filesystem::path& path, const DecisionBook& news) {
    const std::string lost = "what this run has learnt is not kept";
    try {
        make_folder(path.parent_path());
        const FileLock lock(path);
        DecisionFileResult result;
        DecisionBook book{news.fingerprint, {}};
        if (const std::optional<std::string> text = read_file(path)) {
            try {
                book = read_decisions(*text);
            } catch (const DecisionError& error) {
                if (error.kind() == DecisionError::Kind::newer) {
                    return {{}, about(path, std::string("are left alone: ") + error.what(), lost)};
                }
                result.message = about(path, std::string("could not be read: ") + error.what(),
                                       "the file is replaced");
            }
        }
        if (book.fingerprint != news.fingerprint) {
            return {{}, about(path, "are another machine's (" + book.fingerprint + ")", lost)};
        }
        merge(book, news);
        replace_file(path, decisions_text(book));
        result.book = std::move(book);
        return result;
    } catch (const std::exception& error) {
        return {{}, about(path, error.what(), lost)};
    }
}

DecisionFileResult forget_decisions(const std::filesystem::path& path,
                                    std::span<const SelectionKey> keys) {
    try {
        const FileLock lock(path);
        const std::optional<std::string> text = read_file(path);
        if (!text) return {{}, about(path, "are not there", "nothing is forgotten")};
        DecisionBook book = read_decisions(*text);
        for (const SelectionKey& key : keys) book.decisions.erase(key);
        replace_file(path, decisions_text(book));
        return {std::move(book), {}};
    } catch (const std::exception& error) {
        return {{}, about(path, error.what(), "nothing is forgotten")};
    }
}

}  // namespace tasuki
