#include "launcher/search_path.hpp"

#include <unistd.h>
#include <utility>

#include "launcher/elf.hpp"
#include "launcher/loader_cache.hpp"
#include "sites/mapped_file.hpp"

namespace tasuki::launcher {

#if defined(__x86_64__)
const std::string_view multiarch = "x86_64-linux-gnu";
#elif defined(__aarch64__)
const std::string_view multiarch = "aarch64-linux-gnu";
#elif defined(__powerpc64__)
const std::string_view multiarch = "powerpc64le-linux-gnu";
#else
const std::string_view multiarch = "riscv64-linux-gnu";
#endif

namespace {

bool is_library(const std::string& path) {
    return access(path.c_str(), R_OK) == 0 && read_elf_file(path).kind == ElfKind::native;
}

void replace_all(std::string& text, std::string_view what, const std::string& by) {
    for (std::size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + by.size())) {
        text.replace(at, what.size(), by);
    }
}

}  // namespace

std::vector<std::string> split_folders(std::string_view list, std::string_view separators) {
    std::vector<std::string> folders;
    if (list.empty()) return folders;
    for (;;) {
        const std::size_t end = list.find_first_of(separators);
        const std::string_view folder = list.substr(0, end);
        folders.emplace_back(folder.empty() ? "." : folder);
        if (end == std::string_view::npos) return folders;
        list.remove_prefix(end + 1);
    }
}

std::vector<std::string> expand_folders(std::string_view list, const std::string& origin) {
    std::vector<std::string> folders;
    for (std::string& folder : split_folders(list)) {
        replace_all(folder, "${ORIGIN}", origin);
        replace_all(folder, "$ORIGIN", origin);
        if (folder.find('$') == std::string::npos) folders.push_back(std::move(folder));
    }
    return folders;
}

std::string find_in(const std::vector<std::string>& folders, const std::string& name) {
    for (const std::string& folder : folders) {
        std::string path = folder + "/" + name;
        if (is_library(path)) return path;
    }
    return "";
}

LibrarySearch::LibrarySearch(std::string_view library_path, std::string cache_file)
    : library_path_(split_folders(library_path, ":;")), cache_file_(std::move(cache_file)) {}

std::string LibrarySearch::find_by_user(const std::string& name) const {
    return find_in(library_path_, name);
}

std::string LibrarySearch::find_by_system(const std::string& name) const {
    const MappedFile cache(cache_file_);
    for (std::string& path : cached_paths(cache.bytes(), name)) {
        if (is_library(path)) return std::move(path);
    }
    const std::string architecture(multiarch);
    return find_in({"/lib/" + architecture, "/usr/lib/" + architecture, "/lib64", "/usr/lib64",
                    "/lib", "/usr/lib"},
                   name);
}

}  // namespace tasuki::launcher
