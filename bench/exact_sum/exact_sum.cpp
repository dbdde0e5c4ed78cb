// What exact sums cost beside plain loops; see README.md.
#include "reduce/exact_sum.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iomanip>
#include <iostream>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "../common/report.hpp"
#include "reduce/exact_block_sum.hpp"
#include "reduce/kernel.hpp"

namespace tasuki::reduction {
namespace {

/// Two ways to one result, and how many numbers each reads.
struct Subject {
    std::string name;
    std::size_t count;
    std::function<double()> exact;
    std::function<double()> plain;
};

struct Row {
    std::string name;
    std::size_t count;
    double exact_seconds;
    double plain_seconds;
    double ratio;   ///< median of the ratios of runs that were made one after the other
    double spread;  ///< of the ratios: interquartile range over the median
};

volatile double sink;

/// Seconds a call, of so many calls that the clock counts little.
double time_of(const std::function<double()>& run, int calls) {
    const double start = cpu_seconds();
    double last = 0;
    for (int i = 0; i < calls; ++i) last = run();
    sink = last;
    return (cpu_seconds() - start) / calls;
}

double quantile(std::vector<double> values, double part) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

Row measure(const Subject& subject, double seconds) {
    const int calls = std::max(1, static_cast<int>(200'000 / subject.count));
    std::vector<double> exact;
    std::vector<double> plain;
    std::vector<double> ratios;
    for (double spent = 0; spent < seconds || ratios.size() < 5;) {
        exact.push_back(time_of(subject.exact, calls));
        plain.push_back(time_of(subject.plain, calls));
        ratios.push_back(exact.back() / plain.back());
        spent += (exact.back() + plain.back()) * calls;
    }
    const double ratio = quantile(ratios, 0.5);
    return {.name = subject.name,
            .count = subject.count,
            .exact_seconds = quantile(exact, 0.5),
            .plain_seconds = quantile(plain, 0.5),
            .ratio = ratio,
            .spread = (quantile(ratios, 0.75) - quantile(ratios, 0.25)) / ratio};
}

/// The loop that exact sums are held against: one number after the other, as it is written.
double plain_sum(std::span<const double> values) {
    double sum = 0;
    for (double value : values) sum += value;
    return sum;
}

/// The fastest that is not exact: as many sums as a processor can keep, so that memory is the
/// limit.
double reassociated_sum(std::span<const double> values) {
    constexpr std::size_t width = 32;
    std::array<double, width> sums{};
    std::size_t i = 0;
    for (; i + width <= values.size(); i += width) {
        for (std::size_t j = 0; j < width; ++j) sums[j] += values[i + j];
    }
    for (; i < values.size(); ++i) sums[0] += values[i];
    return plain_sum(sums);
}

double plain_dot(std::span<const double> left, std::span<const double> right) {
    double sum = 0;
    for (std::size_t i = 0; i < left.size(); ++i) sum += left[i] * right[i];
    return sum;
}

double exact_sum(std::span<const double> values) {
    ExactSum sum;
    sum.add(values);
    return sum.to_double();
}

double exact_dot(std::span<const double> left, std::span<const double> right) {
    ExactSum sum;
    sum.add_products(left, right);
    return sum.to_double();
}

using Vector = std::vector<double>;

Vector numbers(std::size_t count, int exponents) {
    std::mt19937_64 random(count);
    Vector values(count);
    for (double& value : values) {
        const double digits = static_cast<double>(static_cast<std::int64_t>(random())) * 0x1p-63;
        value = std::ldexp(digits, static_cast<int>(random() % exponents) - exponents / 2);
    }
    return values;
}

/// Contributors to a block sum; the plain way adds them up by the kernel of the host's operation.
struct Block {
    std::vector<Vector> values;
    std::vector<const std::byte*> addresses;
    Vector result;

    Block(std::size_t contributors, std::size_t count) : result(count) {
        for (std::size_t i = 0; i < contributors; ++i) {
            values.push_back(numbers(count + i, 8));
            values.back().resize(count);
        }
        for (const Vector& vector : values) {
            addresses.push_back(reinterpret_cast<const std::byte*>(vector.data()));
        }
    }
    double exact() {
        exact_block_sum(Element::float64, addresses.data(), addresses.size(),
                        reinterpret_cast<std::byte*>(result.data()), result.size());
        return result[0];
    }
    double plain() {
        const Kernel& sum = *find_kernel(Operation::sum, Element::float64);
        std::copy(values[0].begin(), values[0].end(), result.begin());
        for (std::size_t i = 1; i < addresses.size(); ++i) {
            reduce_from_left(sum, addresses[i], reinterpret_cast<std::byte*>(result.data()),
                             result.size());
        }
        return result[0];
    }
};

std::vector<Row> measure_all(std::size_t most, double seconds) {
    std::vector<Row> rows;
    std::cout << "what                                  numbers       exact       plain   ratio  "
                 "spread\n";
    const auto add = [&](const Subject& subject) {
        rows.push_back(measure(subject, seconds));
        const Row& row = rows.back();
        std::cout << std::left << std::setw(34) << row.name << std::right << std::setw(11)
                  << row.count << std::fixed << std::setprecision(2) << std::setw(9)
                  << row.exact_seconds * 1e6 << " us" << std::setw(9) << row.plain_seconds * 1e6
                  << " us" << std::setw(8) << row.ratio << std::setw(8) << row.spread << "\n"
                  << std::flush;
    };
    for (std::size_t count = 100; count <= most; count *= 10) {
        const Vector values = numbers(count, 8);
        const Vector others = numbers(count, 10);
        const Vector spread = numbers(count, 1800);
        add({"sum / plain loop", count, [&] { return exact_sum(values); },
             [&] { return plain_sum(values); }});
        add({"sum / reassociated loop", count, [&] { return exact_sum(values); },
             [&] { return reassociated_sum(values); }});
        add({"sum, all exponents / plain loop", count, [&] { return exact_sum(spread); },
             [&] { return plain_sum(spread); }});
        add({"dot / plain loop", count, [&] { return exact_dot(values, others); },
             [&] { return plain_dot(values, others); }});
    }
    for (std::size_t contributors : {2, 4, 8}) {
        for (std::size_t count = 1000; count <= std::min<std::size_t>(most, 100'000); count *= 10) {
            Block block(contributors, count);
            add({"block of " + std::to_string(contributors) + " / kernels", count,
                 [&] { return block.exact(); }, [&] { return block.plain(); }});
        }
    }
    return rows;
}

/// The greatest ratio of sums of 10^4 and more to the plain loop.
double local_exact_over_plain(const std::vector<Row>& rows) {
    double greatest = 0;
    for (const Row& row : rows) {
        if (row.name == "sum / plain loop" && row.count >= 10'000) {
            greatest = std::max(greatest, row.ratio);
        }
    }
    return greatest;
}

std::string document(const std::vector<Row>& rows) {
    double load[3] = {0, 0, 0};
    getloadavg(load, 3);
    std::ostringstream json;
    json << "{\"benchmark\": \"exact-sum\",\n \"machine\": {\"cpu\": " << std::quoted(cpu_model())
         << ", \"cores\": " << std::thread::hardware_concurrency() << ", \"instruction_set\": "
         << std::quoted(instruction_set_names[static_cast<std::size_t>(best_instruction_set())])
         << ", \"load\": [" << load[0] << ", " << load[1] << ", " << load[2]
         << "]},\n \"mpi\": [], \"ranks\": [],\n \"rows\": [";
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Row& row = rows[i];
        json << (i == 0 ? "\n" : ",\n") << "  {\"name\": " << std::quoted(row.name)
             << ", \"numbers\": " << row.count << ", \"exact_seconds\": " << row.exact_seconds
             << ", \"plain_seconds\": " << row.plain_seconds << ", \"ratio\": " << row.ratio
             << ", \"spread\": " << row.spread << "}";
    }
    json << "],\n \"summary\": {\"local_exact_over_plain\": " << local_exact_over_plain(rows)
         << "}}\n";
    return json.str();
}

}  // namespace
}  // namespace tasuki::reduction

int main(int argc, char** argv) {
    std::string json_file;
    std::size_t most = 10'000'000;
    double seconds = 0.3;
    for (int i = 1; i < argc; i += 2) {
        const std::string option = argv[i];
        if (i + 1 < argc && option == "--json") {
            json_file = argv[i + 1];
        } else if (i + 1 < argc && option == "--most-numbers") {
            most = std::strtoull(argv[i + 1], nullptr, 10);
        } else if (i + 1 < argc && option == "--seconds") {
            seconds = std::atof(argv[i + 1]);
        } else {
            std::cerr << "usage: bench_exact_sum [--json FILE] [--most-numbers NUMBER] "
                         "[--seconds SECONDS]\n";
            return 2;
        }
    }
    const auto rows = tasuki::reduction::measure_all(most, seconds);
    return tasuki::finish(json_file, tasuki::reduction::document(rows), {});
}
