#include "sites/line_table.hpp"

#include <string_view>
#include <vector>

#include "sites/bytes_reader.hpp"

namespace tasuki {

namespace {

// Numbers of the DWARF standard, by its names in small letters.
constexpr std::uint8_t lns_copy = 1, lns_advance_pc = 2, lns_advance_line = 3, lns_set_file = 4,
                       lns_const_add_pc = 8, lns_fixed_advance_pc = 9;
constexpr std::uint8_t lne_end_sequence = 1, lne_set_address = 2;
constexpr std::uint64_t lnct_path = 1, lnct_directory_index = 2;
constexpr std::uint64_t form_data2 = 0x05, form_data4 = 0x06, form_data8 = 0x07, form_string = 0x08,
                        form_block = 0x09, form_data1 = 0x0b, form_strp = 0x0e, form_udata = 0x0f,
                        form_data16 = 0x1e, form_line_strp = 0x1f;

struct Row {
    std::uint64_t address = 0;
    std::uint64_t file = 1;
    std::uint64_t line = 1;
};

/// A value of a form: a text or a number.
struct Value {
    std::string_view text{};
    std::uint64_t number = 0;
};

struct Entry {
    std::string_view path;
    std::uint64_t folder = 0;
};

std::string path_of(std::string_view folder, std::string_view name) {
    const bool stands_alone = folder.empty() || name.starts_with("/");
    return stands_alone ? std::string(name) : std::string(folder) + "/" + std::string(name);
}

/// The line table of one compilation.
class Unit {
  public:
    /// `unit`: from behind its length on.
    Unit(const LineTable& table, std::span<const std::byte> unit, bool is_wide)
        : table_(table), reader_(unit), is_wide_(is_wide) {}

    std::optional<SourceLine> find(std::uint64_t address);

  private:
    std::uint64_t offset() {
        return is_wide_ ? reader_.number<std::uint64_t>() : reader_.number<std::uint32_t>();
    }
    bool read_header();
    std::optional<Row> run(std::uint64_t address);
    Value value(std::uint64_t form);
    std::vector<Entry> entries();
    std::string file(std::uint64_t number);
    std::string file_of_old_form(std::uint64_t number);

    const LineTable& table_;
    BytesReader reader_;
    bool is_wide_;
    std::uint16_t version_ = 0;
    std::span<const std::byte> program_;
    std::uint8_t least_instruction_ = 1;
    std::int8_t line_base_ = 0;
    std::uint8_t line_range_ = 1;
    std::uint8_t first_special_ = 1;
    std::vector<std::uint8_t> operands_;  // of standard opcodes, from 1 on
};

bool Unit::read_header() {
    version_ = reader_.number<std::uint16_t>();
    if (version_ < 2 || version_ > 5) return false;
    if (version_ == 5) reader_.take(2);  // sizes of addresses and segments
    const std::uint64_t header_bytes = offset();
    BytesReader whole = reader_;
    whole.take(header_bytes);
    program_ = whole.rest();
    least_instruction_ = reader_.byte();
    if (version_ >= 4) reader_.byte();  // operations of an instruction
    reader_.byte();                     // whether rows begin as statements
    line_base_ = static_cast<std::int8_t>(reader_.byte());
    line_range_ = reader_.byte();
    first_special_ = reader_.byte();
    operands_.assign(1, 0);
    for (int opcode = 1; opcode < first_special_; ++opcode) operands_.push_back(reader_.byte());
    return !whole.has_failed() && !reader_.has_failed() && line_range_ != 0;
}

/// The last row before `address`, of a sequence that goes beyond it.
std::optional<Row> Unit::run(std::uint64_t address) {
    BytesReader program(program_);
    Row row;
    std::optional<Row> before;  // the row before, of the same sequence
    std::uint64_t beginning = 0;
    bool is_found = false;
    const auto emit = [&] {
        if (!before) beginning = row.address;
        // What the linker has left out begins at 0.
        is_found = before && beginning != 0 && before->address <= address && address < row.address;
        if (!is_found) before = row;
    };
    const auto advance = [&](std::uint64_t operations) {
        row.address += operations * least_instruction_;
    };
    while (!program.is_at_end() && !is_found) {
        const std::uint8_t opcode = program.byte();
        if (opcode >= first_special_) {
            const int adjusted = opcode - first_special_;
            advance(static_cast<std::uint64_t>(adjusted / line_range_));
            row.line += static_cast<std::uint64_t>(line_base_ + adjusted % line_range_);
            emit();
        } else if (opcode == 0) {
            BytesReader operand(program.take(program.variable()));
            const std::uint8_t extended = operand.byte();
            if (extended == lne_set_address) {
                row.address = operand.rest().size() == 4 ? operand.number<std::uint32_t>()
                                                         : operand.number<std::uint64_t>();
            } else if (extended == lne_end_sequence) {
                emit();
                row = {};
                if (!is_found) before.reset();
            }
        } else if (opcode == lns_copy) {
            emit();
        } else if (opcode == lns_advance_pc) {
            advance(program.variable());
        } else if (opcode == lns_advance_line) {
            row.line += static_cast<std::uint64_t>(program.signed_variable());
        } else if (opcode == lns_set_file) {
            row.file = program.variable();
        } else if (opcode == lns_const_add_pc) {
            advance(static_cast<std::uint64_t>((255 - first_special_) / line_range_));
        } else if (opcode == lns_fixed_advance_pc) {
            row.address += program.number<std::uint16_t>();
        } else {
            for (int operand = 0; operand < operands_[opcode]; ++operand) program.variable();
        }
    }
    if (!is_found) return std::nullopt;
    return before;
}

Value Unit::value(std::uint64_t form) {
    const auto at = [](std::span<const std::byte> texts, std::uint64_t place) {
        BytesReader reader(texts);
        reader.take(place);
        return reader.text();
    };
    switch (form) {
        case form_string:
            return {.text = reader_.text()};
        case form_line_strp:
            return {.text = at(table_.line_texts, offset())};
        case form_strp:
            return {.text = at(table_.texts, offset())};
        case form_data1:
            return {.number = reader_.byte()};
        case form_data2:
            return {.number = reader_.number<std::uint16_t>()};
        case form_data4:
            return {.number = reader_.number<std::uint32_t>()};
        case form_data8:
            return {.number = reader_.number<std::uint64_t>()};
        case form_udata:
            return {.number = reader_.variable()};
        case form_data16:
            reader_.take(16);
            return {};
        case form_block:
            reader_.take(reader_.variable());
            return {};
        default:  // not known how long it is
            reader_.take(reader_.rest().size() + 1);
            return {};
    }
}

/// Folders or files, as version 5 lists both.
std::vector<Entry> Unit::entries() {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> format(reader_.byte());
    for (auto& [content, form] : format) {
        content = reader_.variable();
        form = reader_.variable();
    }
    std::vector<Entry> all;
    if (format.empty()) return all;
    for (std::uint64_t left = reader_.variable(); left > 0 && !reader_.is_at_end(); --left) {
        Entry& entry = all.emplace_back();
        for (const auto& [content, form] : format) {
            const Value read = value(form);
            if (content == lnct_path) entry.path = read.text;
            if (content == lnct_directory_index) entry.folder = read.number;
        }
    }
    return all;
}

std::string Unit::file(std::uint64_t number) {
    if (version_ < 5) return file_of_old_form(number);
    const std::vector<Entry> folders = entries();
    const std::vector<Entry> files = entries();
    if (number >= files.size()) return {};
    // Folder 0 is where the compiler ran.
    const Entry& found = files[number];
    const bool is_named = found.folder > 0 && found.folder < folders.size();
    // The source itself is often told to be in a folder of its own that is that one again.
    if (is_named && folders[found.folder].path == folders[0].path) return std::string(found.path);
    return path_of(is_named ? folders[found.folder].path : std::string_view{}, found.path);
}

std::string Unit::file_of_old_form(std::uint64_t number) {
    std::vector<std::string_view> folders = {""};
    for (std::string_view folder = reader_.text(); !folder.empty(); folder = reader_.text()) {
        folders.push_back(folder);
    }
    std::uint64_t at = 1;
    for (std::string_view name = reader_.text(); !name.empty(); name = reader_.text(), ++at) {
        const std::uint64_t folder = reader_.variable();
        reader_.variable();  // when it was changed
        reader_.variable();  // its size
        if (at == number) return path_of(folder < folders.size() ? folders[folder] : "", name);
    }
    return {};
}

std::optional<SourceLine> Unit::find(std::uint64_t address) {
    if (!read_header()) return std::nullopt;
    const std::optional<Row> row = run(address);
    if (!row || row->line == 0) return std::nullopt;  // 0: made by the compiler
    SourceLine found{file(row->file), row->line};
    if (found.file.empty()) return std::nullopt;
    return found;
}

}  // namespace

std::optional<SourceLine> LineTable::find(std::uint64_t address) const {
    BytesReader reader(lines);
    while (!reader.is_at_end()) {
        std::uint64_t length = reader.number<std::uint32_t>();
        const bool is_wide = length == 0xffffffff;
        if (is_wide) length = reader.number<std::uint64_t>();
        if (auto found = Unit(*this, reader.take(length), is_wide).find(address)) return found;
    }
    return std::nullopt;
}

}  // namespace tasuki
