// For check_sums.py: reads lines of numbers and writes, for each, the exact sum as a double and as
// a float, and the exact sum of products of neighbours as a double.
#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "reduce/exact_sum.hpp"

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
        std::printf("%a %a %a\n", sum.to_double(), static_cast<double>(sum.to_float()),
                    products.to_double());
    }
    return 0;
}
