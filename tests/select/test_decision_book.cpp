#include <gtest/gtest.h>
#include <random>
#include <string>

#include "select/books.hpp"
#include "select/decision_book.hpp"

namespace tasuki {
namespace {

std::string error_of(const std::string& text) {
    try {
        read_decisions(text);
    } catch (const DecisionError& error) {
        return error.what();
    }
    return "";
}

TEST(DecisionBook, ReadsBack) {
    const DecisionBook book = book_of({64, 1024, 1536});
    const DecisionBook again = read_decisions(decisions_text(book));
    EXPECT_EQ(decisions_text(again), decisions_text(book));
    EXPECT_EQ(again.fingerprint, book.fingerprint);
    ASSERT_EQ(again.decisions.size(), 3U);
    const Decision& decision = again.decisions.begin()->second;
    EXPECT_EQ(decision.winner, "bruck:radix=4");
    EXPECT_TRUE(std::isnan(decision.find("native")->predicted));
    EXPECT_EQ(decision.find("bruck:radix=4")->measured, 1.25e-5);
}

TEST(DecisionBook, TheHeadTellsTheParametersOrNothing) {
    DecisionBook book = book_of({64});
    const std::string without = decisions_text(book);
    EXPECT_EQ(without.find("\nparameters "), std::string::npos);
    EXPECT_EQ(read_decisions(without).parameters, "") << "as in an older file";
    book.parameters = "built-in, quick";
    EXPECT_EQ(read_decisions(decisions_text(book)).parameters, "built-in, quick");
}

TEST(DecisionBook, WhatALaterHeadTellsBesideIsPassedOver) {
    std::string text = decisions_text(book_of({64, 1024}));
    text.insert(text.find("key "), "weather fine\n");
    const DecisionBook book = read_decisions(with_checksum(text.substr(0, text.rfind("checksum"))));
    EXPECT_EQ(book.decisions.size(), 2U);
}

TEST(DecisionBook, SaysWhatIsWrong) {
    const std::string good = decisions_text(book_of({64}));
    EXPECT_NE(error_of("").find("cut off"), std::string::npos);
    EXPECT_NE(error_of("hello\n").find("this is no file of decisions"), std::string::npos);
    EXPECT_NE(error_of("tasuki-decisions 2\n").find("a newer Tasuki"), std::string::npos);
    EXPECT_NE(error_of("tasuki-decisions 0\n").find("an older Tasuki"), std::string::npos);
    std::string changed = good;
    changed.replace(changed.find("bruck"), 5, "ring1");
    EXPECT_NE(error_of(changed).find("the checksum does not fit"), std::string::npos);
}

TEST(DecisionBook, EveryCutIsNoticed) {
    const std::string good = decisions_text(book_of({64, 96}));
    for (std::size_t length = 0; length < good.size(); ++length) {
        EXPECT_NE(error_of(good.substr(0, length)), "") << length;
    }
}

TEST(DecisionBook, DamageIsRefusedOrHarmless) {
    const std::string good = decisions_text(book_of({64, 1024}));
    const std::string body = good.substr(0, good.rfind("checksum"));
    std::mt19937 random(5);
    for (int round = 0; round < 20000; ++round) {
        std::string text = body;
        for (unsigned change = 0; change <= random() % 5; ++change) {
            const std::size_t place = random() % text.size();
            switch (random() % 3) {
                case 0:
                    text[place] = static_cast<char>(random());
                    break;
                case 1:
                    text.erase(place, random() % 40);
                    break;
                default:
                    text.insert(place, text.substr(random() % text.size(), random() % 40));
            }
        }
        EXPECT_NE(error_of(text + "checksum 0000000000000\n"), "") << "the checksum was right";
        // With a checksum that fits, the reader itself must cope.
        try {
            const DecisionBook book = read_decisions(with_checksum(text));
            EXPECT_EQ(decisions_text(read_decisions(decisions_text(book))), decisions_text(book));
        } catch (const DecisionError&) {
        }
    }
}

}  // namespace
}  // namespace tasuki
