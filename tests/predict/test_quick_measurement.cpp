#include <gtest/gtest.h>

#include "predict/kept_parameters.hpp"
#include "predict/machine_text.hpp"
#include "predict/parameter_source.hpp"
#include "predict/quick_measurement.hpp"

namespace tasuki {
namespace {

constexpr double budget = 0.01;
constexpr double agreement = 2e-6;

const MachineParameters& built_in() {
    return built_in_parameters("Open MPI v5.0.11", false);
}

double one_way(const LinkParameters& link, std::int64_t bytes) {
    return link.latency + link.gap(bytes);
}

/// A machine on which everything takes so many times what is built in.
struct SlowerMachine {
    double factor;
    double waits = 0;  ///< seconds beside, of each message

    double one_way(const QuickStep& step) const {
        const bool is_on_node = step.place == PairPlace::on_node;
        const auto& link = is_on_node ? built_in().on_node : built_in().off_node;
        return factor * tasuki::one_way(link, step.bytes) + waits;
    }
    double cost(const QuickStep& step) const {
        return 2 * step.exchanges * one_way(step) + agreement;
    }
};

struct Course {
    double seconds = 0;    ///< in collectives, when all was measured
    double most_over = 0;  ///< that a step has cost beyond the budget
    int steps = 0;
};

/// Calls of `seconds_of_call` until everything is measured, or so many.
Course run(QuickMeasurement& quick, const SlowerMachine& machine, double seconds_of_call,
           int most_calls) {
    Course course;
    for (int call = 0; call < most_calls && !quick.is_done(); ++call) {
        course.seconds += seconds_of_call;
        const auto step = quick.due({course.seconds, quick.cost(), agreement, budget});
        if (!step) continue;
        quick.add(machine.one_way(*step), machine.cost(*step));
        ++course.steps;
        course.most_over = std::max(course.most_over, quick.cost() - budget * course.seconds);
    }
    return course;
}

TEST(QuickMeasurement, GivesWhatAnIdlePairTakesAndNothingElseChanges) {
    QuickTimes times;
    times.on_node = {2e-6, 9e-6, 7e-5};
    const MachineParameters scaled = scaled_by(times, built_in());
    for (std::size_t i = 0; i < times.sizes.size(); ++i) {
        EXPECT_NEAR(one_way(scaled.on_node, times.sizes[i]), times.on_node[i],
                    1e-9 * times.on_node[i]);
    }
    EXPECT_EQ(scaled.off_node, built_in().off_node);
    EXPECT_EQ(scaled.copy, built_in().copy);
    EXPECT_EQ(read_machine(machine_text(scaled)), scaled);
}

TEST(QuickMeasurement, AMachineThatIsSlowerThroughoutIsScaledThroughout) {
    const SlowerMachine machine{3};
    QuickMeasurement quick(built_in(), {true, true});
    run(quick, machine, 1e-3, 1000);
    ASSERT_TRUE(quick.is_done());
    const MachineParameters scaled = scaled_by(quick.times(), built_in());
    for (const std::int64_t bytes : {0, 8, 500, 4096, 20000, 65536, 1 << 20}) {
        for (const auto place : {&MachineParameters::on_node, &MachineParameters::off_node}) {
            const LinkParameters& now = scaled.*place;
            const LinkParameters& before = built_in().*place;
            // Between points of the built-in functions the factor is laid on their ends.
            EXPECT_NEAR(one_way(now, bytes), 3 * one_way(before, bytes),
                        1e-6 * one_way(now, bytes));
            EXPECT_NEAR(now.send_overhead(bytes), 3 * before.send_overhead(bytes), 1e-12);
            EXPECT_NEAR(now.receive_overhead(bytes), 3 * before.receive_overhead(bytes), 1e-12);
        }
    }
}

TEST(QuickMeasurement, FactorsGoEvenlyFromOneSizeToTheNext) {
    QuickTimes times;
    for (std::size_t i = 0; i < times.sizes.size(); ++i) {
        times.off_node[i] = one_way(built_in().off_node, times.sizes[i]) * (i == 2 ? 4 : 1);
    }
    const MachineParameters scaled = scaled_by(times, built_in());
    const auto factor = [&](std::int64_t bytes) {
        return scaled.off_node.send_overhead(bytes) / built_in().off_node.send_overhead(bytes);
    };
    EXPECT_NEAR(factor(100), 1, 1e-9);
    EXPECT_NEAR(factor(4096), 1, 1e-9);
    EXPECT_GT(factor(16384), 1.5);
    EXPECT_LT(factor(16384), 3.5);
    EXPECT_NEAR(factor(1 << 20), 4, 1e-9);
    EXPECT_EQ(scaled.on_node, built_in().on_node);
}

TEST(QuickMeasurement, NoiseNeverMakesAGapVanish) {
    QuickTimes times;
    times.off_node = {1e-3, 1e-9, 1e-9};  // the first was held up
    const MachineParameters scaled = scaled_by(times, built_in());
    for (const auto& [bytes, seconds] : scaled.off_node.gap.points()) EXPECT_GT(seconds, 0);
}

TEST(QuickMeasurement, BeginsWhenTheBudgetPays) {
    const SlowerMachine machine{1};
    QuickMeasurement quick(built_in(), {true, false});
    EXPECT_EQ(quick.due({0, 0, agreement, budget}), std::nullopt);
    // Not even one exchange is paid for by a hundred calls of a microsecond ...
    EXPECT_EQ(quick.due({1e-4, 0, agreement, budget}), std::nullopt);
    // ... nor by many of which learning has taken its share.
    EXPECT_EQ(quick.due({1, 0.01, agreement, budget}), std::nullopt);
    const Course course = run(quick, machine, 1e-6, 1000000);
    EXPECT_TRUE(quick.is_done());
    EXPECT_LE(course.most_over, 0);
    EXPECT_LT(course.seconds, 0.1);
}

TEST(QuickMeasurement, WhereExchangesTakeAThousandTimesTheBuiltInOneIsSpentUnawares) {
    for (const SlowerMachine& machine : {SlowerMachine{1000}, SlowerMachine{1, 12e-3}}) {
        QuickMeasurement quick(built_in(), {true, true});
        const Course course = run(quick, machine, 1e-3, 100000000);
        EXPECT_TRUE(quick.is_done());
        // Of each place, without what had been saved up until then.
        const QuickStep first = {PairPlace::off_node, 8, 1, 3};
        EXPECT_LE(course.most_over, machine.cost(first));
    }
}

TEST(QuickMeasurement, AStepThatWasHeldUpOnceDoesNotHoldUpThoseOfLongerMessages) {
    const SlowerMachine machine{1};
    QuickMeasurement quick(built_in(), {true, false});
    constexpr double held_up = 20e-3;
    double seconds = 0;
    for (int number = 0; !quick.is_done(); ++number) {
        seconds += 1e-3;
        const auto step = quick.due({seconds, quick.cost(), agreement, budget});
        if (!step) continue;
        quick.add(machine.one_way(*step), machine.cost(*step) + (number == 0 ? 0 : held_up));
    }
    // Four steps, each of which may be expected to be as dear as the one before.
    EXPECT_LT(seconds, 6 * 2 * held_up / budget);
}

TEST(QuickMeasurement, OnlyPairsThatThereAre) {
    const SlowerMachine machine{1};
    const std::pair<std::array<bool, 2>, int> expected[] = {
        {{false, false}, 0}, {{true, false}, 4}, {{false, true}, 4}, {{true, true}, 8}};
    for (const auto& [places, steps] : expected) {
        QuickMeasurement quick(built_in(), places);
        EXPECT_EQ(run(quick, machine, 1e-3, 1000).steps, steps);
        EXPECT_TRUE(quick.is_done());
        EXPECT_EQ(quick.times().on_node[0] > 0, places[0]);
        EXPECT_EQ(quick.times().off_node[2] > 0, places[1]);
    }
}

TEST(ParameterSource, IsToldByTheFingerprint) {
    EXPECT_EQ(source_of(built_in()), ParameterSource::built_in);
    EXPECT_EQ(source_of(scaled_by({}, built_in())), ParameterSource::quick);
    MachineParameters kept = built_in();
    kept.fingerprint = "Open MPI v5.0.11 | AMD EPYC 7B13 | 2 cores | 1x2 ranks | default fabric";
    EXPECT_EQ(source_of(kept), ParameterSource::measured);
    EXPECT_EQ(name_of(ParameterSource::quick), "quick");
}

}  // namespace
}  // namespace tasuki
