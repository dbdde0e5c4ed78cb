// For check_sums.py: reads lines of numbers and writes, for each, the exact sum as a double and as
// a float, the exact sum of products of neighbours as a double, and the sum as ranks that have a
// number each come to it.
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "reduce/exact_block_sum.hpp"
#include "reduce/exact_sum.hpp"

namespace {

double sum_of_contributors(const std::vector<double>& terms) {
    std::vector<const std::byte*> addresses;
    for (const double& term : terms) {
        addresses.push_back(reinterpret_cast<const std::byte*>(&term));
    }
    double sum = 0;
    if (terms.empty()) return sum;
    tasuki::reduction::exact_block_sum(tasuki::reduction::Element::float64, addresses.data(),
                                       addresses.size(), reinterpret_cast<std::byte*>(&sum), 1);
    return sum;
}

}  // namespace

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        std::istringstream words(line);
        std::vector<double> terms;
        for (std::string word; words >> word;) terms.push_back(std::strtod(word.c_str(), nullptr));
        tasuki::reduction::ExactSum sum;
        sum.add(terms);
        tasuki::reduction::ExactSum products;
        if (!terms.empty()) {
            const std::span<const double> all(terms);
            products.add_products(all.first(all.size() - 1), all.last(all.size() - 1));
        }
        std::printf("%a %a %a %a\n", sum.to_double(), static_cast<double>(sum.to_float()),
                    products.to_double(), sum_of_contributors(terms));
    }
    return 0;
}
