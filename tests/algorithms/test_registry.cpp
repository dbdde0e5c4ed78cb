#include <gtest/gtest.h>
#include <set>

#include "algorithms/algorithm.hpp"

namespace tasuki {

namespace {

/// What parse_choice() says about a text that it refuses.
std::string refusal(std::string_view text) {
    try {
        parse_choice("alltoall", text);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "accepted";
}

const Algorithm& row(std::string_view name) {
    const Algorithm* found = find_algorithm("alltoall", name);
    EXPECT_NE(found, nullptr) << name;
    return *found;
}

}  // namespace

TEST(Registry, HasTheAllToAllFamily) {
    for (const char* name :
         {"spread", "bruck", "recursive-doubling", "pairwise", "pairwise-light-barrier",
          "pairwise-barrier", "ring", "two-level-ring", "contention-free", "node-aware"}) {
        EXPECT_EQ(row(name).name, name);
    }
    EXPECT_EQ(find_algorithm("alltoall", "brick"), nullptr);
    EXPECT_EQ(find_algorithm("allreduce", "bruck"), nullptr);
}

TEST(Registry, RowsAreCompleteAndDifferent) {
    std::set<std::pair<std::string_view, std::string_view>> names;
    for (const Algorithm& row : all_algorithms()) {
        EXPECT_TRUE(names.insert({row.collective, row.name}).second) << row.name;
        EXPECT_EQ(row.sentence.back(), '.') << row.name;
        EXPECT_FALSE(row.cost.empty()) << row.name;
        EXPECT_FALSE(row.source.empty()) << row.name;
        EXPECT_TRUE(row.file.starts_with("src/algorithms/")) << row.file;
    }
}

TEST(Registry, DefaultsAreComplete) {
    EXPECT_EQ(row("bruck").default_parameters().get("radix"), 2);
    EXPECT_EQ(row("node-aware").default_parameters().get("leaders"), 0);
    EXPECT_THROW(row("ring").default_parameters().get("radix"), std::out_of_range);
}

TEST(Choice, ReadsBackWhatItPrints) {
    for (const Algorithm& row : all_algorithms()) {
        const Choice choice = parse_choice(row.collective, row.name);
        EXPECT_EQ(choice.algorithm, &row);
        EXPECT_EQ(choice.parameters, row.default_parameters());
        EXPECT_EQ(parse_choice(row.collective, choice.text()).parameters, choice.parameters);
    }
    EXPECT_EQ(parse_choice("alltoall", "native").algorithm, nullptr);
    EXPECT_EQ(parse_choice("alltoall", "native").text(), "native");
    EXPECT_EQ(parse_choice("alltoall", "bruck:radix=4").text(), "bruck:radix=4");
    EXPECT_EQ(parse_choice("alltoall", "spread:window=8").parameters.get("window"), 8);
}

TEST(Choice, UnknownNamesAreRefusedWithTheKnownOnes) {
    for (const char* text : {"brick", "", "Bruck", "bruck ", " bruck", "native2"}) {
        const std::string said = refusal(text);
        EXPECT_NE(said.find("no algorithm \"" + std::string(text) + "\""), std::string::npos)
            << said;
        EXPECT_NE(said.find("native, spread, bruck, recursive-doubling"), std::string::npos)
            << said;
    }
}

TEST(Choice, UnknownParametersAreRefusedWithTheKnownOnes) {
    EXPECT_EQ(refusal("bruck:base=4"),
              "alltoall/bruck has no parameter \"base\"; it has radix (2 to 1000000, default 2), "
              "carrier (host or memory, default host)");
    EXPECT_EQ(refusal("ring:radix=4"),
              "alltoall/ring has no parameter \"radix\"; it has carrier (host or memory, default "
              "host)");
    EXPECT_EQ(refusal("ring:carrier=pigeon"),
              "alltoall/ring parameter carrier cannot be \"pigeon\"; it has carrier (host or "
              "memory, default host)");
    EXPECT_NE(refusal("bruck:"), "accepted");
    EXPECT_NE(refusal("bruck:radix=4,"), "accepted");
    EXPECT_NE(refusal("bruck:=4"), "accepted");
    EXPECT_NE(refusal("native:radix=4"), "accepted");
}

TEST(Choice, BadValuesAreRefusedWithTheRange) {
    for (const char* value : {"", "1", "0", "-2", "1000001", "99999999999999999999", "two", "4x",
                              "4 ", "0x4", "4.0", "4=4", "4:4"}) {
        const std::string said = refusal("bruck:radix=" + std::string(value));
        EXPECT_EQ(said, "alltoall/bruck parameter radix cannot be \"" + std::string(value) +
                            "\"; it has radix (2 to 1000000, default 2), carrier (host or "
                            "memory, default host)");
    }
    EXPECT_NE(refusal("bruck:radix"), "accepted");
    EXPECT_EQ(refusal("bruck:radix=2"), "accepted");
    EXPECT_EQ(refusal("bruck:radix=1000000"), "accepted");
}

TEST(Choice, NamesItsCarrier) {
    EXPECT_EQ(parse_choice("alltoall", "ring:carrier=memory").carrier, Carrier::memory);
    EXPECT_EQ(parse_choice("alltoall", "ring:carrier=memory").text(), "ring:carrier=memory");
    EXPECT_EQ(parse_choice("alltoall", "bruck:carrier=memory,radix=3").text(),
              "bruck:radix=3,carrier=memory");
    EXPECT_EQ(parse_choice("alltoall", "ring:carrier=host").text(), "ring");
}

TEST(Domain, IsASentence) {
    const Instance one_node{.ranks = 6, .placement = Placement::one_node(6)};
    const Instance two_nodes{.ranks = 6, .placement = Placement::blocks(6, 3)};
    EXPECT_EQ(row("node-aware").outside_domain(one_node),
              "it needs several nodes and there is one");
    EXPECT_EQ(row("node-aware").outside_domain(two_nodes), "");
    for (const char* name : {"spread", "bruck", "recursive-doubling", "pairwise", "ring"}) {
        EXPECT_EQ(row(name).outside_domain(one_node), "") << name;
    }
}

TEST(Domain, RoutesOfTheNodes) {
    Instance instance{.ranks = 4, .placement = Placement::blocks(4, 2)};
    const Algorithm& algorithm = row("contention-free");
    EXPECT_EQ(algorithm.outside_domain(instance),
              "it needs to know how the fabric leads to the nodes, and no fabric was named, by "
              "--fabric FILE or, for a run, by TASUKI_FABRIC");
    instance.placement = instance.placement.without_routes("node9 is not in job.routes");
    EXPECT_EQ(algorithm.outside_domain(instance),
              "it needs to know how the fabric leads to the nodes, and node9 is not in job.routes");
    instance.placement = Placement::parse("2x2@0/0,1/1", 4);
    EXPECT_EQ(algorithm.outside_domain(instance), "");
}

TEST(Domain, PowersOfTwo) {
    constexpr Condition conditions[] = {Condition::power_of_two_ranks};
    Algorithm only_powers = row("ring");
    only_powers.domain = conditions;
    EXPECT_EQ(only_powers.outside_domain({.ranks = 6}),
              "it needs a power of two of ranks and there are 6");
    EXPECT_EQ(only_powers.outside_domain({.ranks = 8}), "");
}

}  // namespace tasuki
