#include "sites/source.hpp"

#include "sites/line_table.hpp"
#include "sites/mapped_file.hpp"
#include "sites/sections.hpp"

namespace tasuki {

Source find_source(const std::string& module, std::uint64_t offset) {
    const MappedFile file(module);
    const Sections sections(file.bytes());
    const LineTable table{sections.find(".debug_line"), sections.find(".debug_line_str"),
                          sections.find(".debug_str")};
    Source source;
    if (auto line = table.find(offset)) {
        source.file = std::move(line->file);
        source.line = line->line;
    }
    source.function = sections.function_at(offset);
    return source;
}

}  // namespace tasuki
