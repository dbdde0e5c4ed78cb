// usage: fuzz_<target> SEED_DIRECTORY ITERATIONS
//
// Feeds a fuzz target with its seeds and with mutations of them, the same ones in every run. What
// libFuzzer does with coverage to guide it, this does blindly, with any compiler.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr std::size_t longest_input = 4096;

/// What a text of numbers trips over.
const std::vector<std::string> interesting = {"0",
                                              "1",
                                              "-1",
                                              "7",
                                              "2147483647",
                                              "2147483648",
                                              "-2147483648",
                                              "4294967296",
                                              "9223372036854775807",
                                              "99999999999999999999",
                                              "",
                                              " ",
                                              "\n",
                                              ":",
                                              "=",
                                              "[",
                                              "]",
                                              std::string(1, '\0'),
                                              "\xff",
                                              "after ",
                                              "nothing",
                                              "first="};

std::vector<std::string> read_seeds(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());  // the order of a directory differs between machines
    std::vector<std::string> seeds;
    for (const auto& file : files) {
        std::ifstream stream(file, std::ios::binary);
        seeds.emplace_back(std::istreambuf_iterator<char>(stream),
                           std::istreambuf_iterator<char>());
    }
    return seeds;
}

class Mutator {
  public:
    explicit Mutator(const std::vector<std::string>& seeds) : seeds_(seeds) {}

    std::string next() {
        std::string text = any_seed();
        for (std::size_t changes = 1 + below(4); changes > 0; --changes) change(text);
        text.resize(std::min(text.size(), longest_input));
        return text;
    }

  private:
    void change(std::string& text) {
        const std::size_t place = below(text.size() + 1);
        switch (below(6)) {
            case 0:  // another byte
                if (place < text.size()) text[place] = static_cast<char>(below(256));
                break;
            case 1:  // a gap
                text.erase(place, 1 + below(20));
                break;
            case 2:
                text.insert(place, interesting[below(interesting.size())]);
                break;
            case 3:  // another number
                replace_number(text, place);
                break;
            case 4: {  // a piece of itself somewhere else
                const std::string piece = text.substr(below(text.size() + 1), 1 + below(60));
                text.insert(place, piece);
                break;
            }
            case 5: {  // the rest of another seed
                const std::string& other = any_seed();
                text = text.substr(0, place) + other.substr(below(other.size() + 1));
                break;
            }
        }
    }

    void replace_number(std::string& text, std::size_t from) {
        const char* digits = "0123456789";
        const std::size_t first = text.find_first_of(digits, from);
        if (first == std::string::npos) return;
        const std::size_t end = std::min(text.find_first_not_of(digits, first), text.size());
        text.replace(
            first, end - first,
            below(2) == 0 ? std::to_string(below(10)) : interesting[below(interesting.size())]);
    }

    const std::string& any_seed() { return seeds_[below(seeds_.size())]; }
    // Not a distribution of <random>: those differ between standard libraries.
    std::size_t below(std::size_t limit) { return random_() % limit; }

    const std::vector<std::string>& seeds_;
    std::mt19937_64 random_{20090501};
};

/// Shows the input on which the target threw what it must not throw.
void run(const std::string& text) {
    try {
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "threw \"%s\" on:\n%s\n", error.what(), text.c_str());
        std::exit(1);
    }
}

}  // namespace

int main(int argc, char** argv) {
    const long iterations = argc == 3 ? std::strtol(argv[2], nullptr, 10) : -1;
    if (iterations < 0) {
        std::fprintf(stderr, "usage: %s SEED_DIRECTORY ITERATIONS\n", argv[0]);
        return 2;
    }
    const std::vector<std::string> seeds = read_seeds(argv[1]);
    if (seeds.empty()) {
        std::fprintf(stderr, "%s holds no seeds\n", argv[1]);
        return 2;
    }
    for (const std::string& seed : seeds) run(seed);
    Mutator mutator(seeds);
    for (long i = 0; i < iterations; ++i) run(mutator.next());
    std::printf("%zu seeds and %ld mutations\n", seeds.size(), iterations);
}
