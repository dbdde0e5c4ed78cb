#include <gtest/gtest.h>
#include <random>
#include <stdexcept>
#include <string>

#include "predict/machine_text.hpp"
#include "predict/machines.hpp"

namespace tasuki {
namespace {

std::string error_of(const std::string& text) {
    try {
        read_machine(text);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

TEST(PiecewiseLinear, InterpolatesAndGoesOn) {
    const PiecewiseLinear function({{0, 1}, {10, 2}, {20, 6}});
    EXPECT_DOUBLE_EQ(function(0), 1);
    EXPECT_DOUBLE_EQ(function(5), 1.5);
    EXPECT_DOUBLE_EQ(function(10), 2);
    EXPECT_DOUBLE_EQ(function(15), 4);
    EXPECT_DOUBLE_EQ(function(30), 10);
    EXPECT_DOUBLE_EQ(PiecewiseLinear({{8, 3}, {16, 1}})(1000), 1) << "never falls beyond the end";
    EXPECT_DOUBLE_EQ(PiecewiseLinear()(77), 0);
}

TEST(PiecewiseLinear, RefusesWhatIsNoFunctionOfSize) {
    EXPECT_THROW(PiecewiseLinear({{4, 1}, {4, 2}}), std::invalid_argument);
    EXPECT_THROW(PiecewiseLinear({{0, -1}}), std::invalid_argument);
    EXPECT_THROW(PiecewiseLinear({{-1, 1}}), std::invalid_argument);
}

TEST(MachineText, ReadsBackToTheSameBits) {
    MachineParameters machine = two_level_machine();
    machine.fingerprint = "Open MPI 5.0.3, 8x4, tcp";
    machine.on_node.latency = 1.0 / 3e6;
    EXPECT_EQ(read_machine(machine_text(machine)), machine);
}

TEST(MachineText, KeepsWhatWasMeasuredOfTheMemoryTransport) {
    MachineParameters machine = two_level_machine();
    EXPECT_EQ(read_machine(machine_text(machine)).memory, MemoryThresholds{}) << "nothing was";
    machine.memory = {.warm_bytes = 65536, .shared_bytes = 524288};
    EXPECT_EQ(read_machine(machine_text(machine)), machine);
    std::string few = machine_text(machine);
    few.replace(few.find("65536"), 5, "1");
    EXPECT_NE(error_of(few).find("\"1\" is not a number of bytes from 4096 on"), std::string::npos);
}

TEST(MachineText, SaysWhatIsWrong) {
    const std::string good = machine_text(two_level_machine());
    EXPECT_NE(error_of("").find("this is no file of P-LogP parameters"), std::string::npos);
    EXPECT_NE(error_of("tasuki-plogp 2\n").find("it has version 2"), std::string::npos);
    EXPECT_NE(error_of(good.substr(0, good.size() / 2)).find("line"), std::string::npos);
    EXPECT_NE(error_of(good.substr(0, good.size() - 4)).find("cut off"), std::string::npos);
    std::string twice = good;
    twice.insert(twice.find("copy"), "on-node latency 1\n");
    EXPECT_NE(error_of(twice).find("\"on-node latency\" is unknown or stands twice"),
              std::string::npos);
    std::string negative = good;
    negative.replace(negative.find("latency ") + 8, 1, "-");
    EXPECT_NE(error_of(negative).find("line 3"), std::string::npos);
}

TEST(MachineText, DamageIsRefusedOrHarmless) {
    const std::string good = machine_text(two_level_machine());
    std::mt19937 random(7);
    for (int round = 0; round < 3000; ++round) {
        std::string text = good;
        for (unsigned change = 0; change <= random() % 4; ++change) {
            text[random() % text.size()] = static_cast<char>(random());
        }
        text.resize(text.size() - random() % 3 * (random() % text.size()) / 2);
        try {
            const MachineParameters machine = read_machine(text);
            EXPECT_GE(machine.on_node.latency, 0);
        } catch (const std::invalid_argument&) {
        }
    }
}

}  // namespace
}  // namespace tasuki
