#include <cstring>
#include <gtest/gtest.h>

#include "sites/line_table.hpp"

namespace tasuki {
namespace {

using Bytes = std::vector<unsigned char>;

void add_text(Bytes& bytes, const char* text) {
    bytes.insert(bytes.end(), text, text + std::strlen(text) + 1);
}

template <typename Number>
void add(Bytes& bytes, Number number) {
    const auto* begin = reinterpret_cast<const unsigned char*>(&number);
    bytes.insert(bytes.end(), begin, begin + sizeof number);
}

/// A table of version 3: lines 10, 12 and 20 of src/main.c at 0x1000, 0x1010 and 0x1020, up to
/// 0x1030.
Bytes table_of_version_3() {
    Bytes header = {1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    add_text(header, "src");
    header.push_back(0);
    add_text(header, "other.c");
    header.insert(header.end(), {0, 0, 0});
    add_text(header, "main.c");
    header.insert(header.end(), {1, 0, 0});
    header.push_back(0);
    Bytes program = {0, 9, 2};
    add(program, std::uint64_t{0x1000});
    program.insert(program.end(), {4, 2, 3, 9, 1});           // file 2, line 10
    program.insert(program.end(), {2, 0x10, 3, 2, 1});        // 0x1010, line 12
    program.insert(program.end(), {9, 0x10, 0x00, 3, 8, 1});  // 0x1020, line 20
    program.insert(program.end(), {2, 0x10, 0, 1, 1});        // the end, 0x1030
    Bytes unit;
    add(unit, std::uint16_t{3});
    add(unit, static_cast<std::uint32_t>(header.size()));
    unit.insert(unit.end(), header.begin(), header.end());
    unit.insert(unit.end(), program.begin(), program.end());
    Bytes table;
    add(table, static_cast<std::uint32_t>(unit.size()));
    table.insert(table.end(), unit.begin(), unit.end());
    return table;
}

std::string found(const Bytes& table, std::uint64_t address) {
    const LineTable lines{std::as_bytes(std::span(table)), {}, {}};
    const auto line = lines.find(address);
    return line ? line->file + ":" + std::to_string(line->line) : "";
}

TEST(LineTable, RowsReachUpToTheNext) {
    const Bytes table = table_of_version_3();
    EXPECT_EQ(found(table, 0x0fff), "");
    EXPECT_EQ(found(table, 0x1000), "src/main.c:10");
    EXPECT_EQ(found(table, 0x100f), "src/main.c:10");
    EXPECT_EQ(found(table, 0x1010), "src/main.c:12");
    EXPECT_EQ(found(table, 0x102f), "src/main.c:20");
    EXPECT_EQ(found(table, 0x1030), "");
}

TEST(LineTable, UnitsOfUnknownVersionsArePassedOver) {
    const Bytes known = table_of_version_3();
    Bytes table;
    add(table, std::uint32_t{6});
    add(table, std::uint16_t{77});
    add(table, std::uint32_t{0});
    table.insert(table.end(), known.begin(), known.end());
    EXPECT_EQ(found(table, 0x1010), "src/main.c:12");
}

TEST(LineTable, AnyBytesEndTheSearch) {
    const Bytes whole = table_of_version_3();
    for (std::size_t size = 0; size < whole.size(); ++size) {
        found(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size)), 0x1010);
    }
    for (std::size_t at = 0; at < whole.size(); ++at) {
        for (const int value : {0, 1, 0x7f, 0x80, 0xff}) {
            Bytes changed = whole;
            changed[at] = static_cast<unsigned char>(value);
            found(changed, 0x1010);
        }
    }
}

}  // namespace
}  // namespace tasuki
