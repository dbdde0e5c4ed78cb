#include <gtest/gtest.h>

#include "report/json_writer.hpp"
#include "report/record_json.hpp"
#include "report/records.hpp"
#include "select/decision.hpp"

namespace tasuki::report {
namespace {

TEST(JsonWriter, NestsAndSeparates) {
    JsonWriter json;
    json.object([&] {
        json.member("one", 1);
        json.array("list", [&] {
            json.value("a");
            json.value(0.5);
        });
        json.object("empty", [] {});
        json.member("no", false);
        json.member("unknown", unknown);
    });
    EXPECT_EQ(json.take(), R"({
  "one": 1,
  "list": [
    "a",
    0.5
  ],
  "empty": {},
  "no": false,
  "unknown": null
}
)");
}

TEST(JsonWriter, StringsMayStandInAPage) {
    JsonWriter json;
    json.array([&] { json.value("\"a\\b\" </script> &\n"); });
    const std::string text = json.take();
    EXPECT_NE(text.find(R"("\u0022a\u005cb\u0022 \u003c/script\u003e \u0026\u000a")"), text.npos)
        << text;
}

TEST(RecordJson, HasMeansOverRanks) {
    const std::string text = record_json(run_of_pair());
    for (const char* expected :
         {"\"tasuki_report\": 1", "\"calls\": 1004", "\"seconds_mean\": 1.5", "\"seconds_max\": 2",
          "\"copies_per_byte\": 2", "\"learnt_keys\": 1", "\"fate\": \"predicted\"",
          "\"parameters\": \"built-in\"", "\"is_done\": true", "\"paid_by_seconds\": 2.5",
          "\"pairs\": \"on-node\"", "\"last_call\": 1004",
          "\"reason\": \"there is nothing to move\""}) {
        EXPECT_NE(text.find(expected), text.npos) << expected << "\n" << text;
    }
}

}  // namespace
}  // namespace tasuki::report
