#include <gtest/gtest.h>
#include <span>
#include <stdexcept>

#include "report/packing.hpp"
#include "report/record_json.hpp"
#include "report/records.hpp"

namespace tasuki::report {
namespace {

TEST(Packing, WhatComesOutIsWhatWentIn) {
    const RunRecord run = run_of_pair();
    RunRecord copy = unpack(pack(run));
    copy.facts = run.facts;  // which do not travel
    EXPECT_EQ(record_json(copy), record_json(run));
    EXPECT_EQ(pack(copy), pack(run));
}

TEST(Packing, APieceIsRefused) {
    const std::vector<std::byte> bytes = pack(run_of_pair());
    for (const std::size_t length : {std::size_t{0}, std::size_t{20}, bytes.size() - 1}) {
        EXPECT_THROW(unpack(std::span(bytes).first(length)), std::invalid_argument) << length;
    }
}

}  // namespace
}  // namespace tasuki::report
