// SPDX-License-Identifier: Apache-2.0
#include "app/cli/library_file.h"

#include "app/cli/for_people.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <vector>

namespace plumb::cli {

namespace {

/// `count` entries of `size` bytes from `offset` on end within `whole` bytes.
bool fits(std::uint64_t offset, std::uint64_t count, std::uint64_t size, std::uint64_t whole) {
    return offset <= whole && (size == 0 || count <= (whole - offset) / size);
}

/// Whether a 64-bit library is shorter than its header says. Another file is none of ours to judge.
bool isCutShort(std::ifstream& file, std::uint64_t whole) {
    Elf64_Ehdr header{};
    if (!file.read(reinterpret_cast<char*>(&header), sizeof header)) return false;  // dlopen() says so itself
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
        return false;
    if (header.e_phentsize != sizeof(Elf64_Phdr)) return false;
    if (!fits(header.e_phoff, header.e_phnum, sizeof(Elf64_Phdr), whole)) return true;
    // Usually the last thing in the file, so that even a few missing bytes show.
    if (!fits(header.e_shoff, header.e_shnum, header.e_shentsize, whole)) return true;
    std::vector<Elf64_Phdr> segments(header.e_phnum);
    file.seekg(static_cast<std::streamoff>(header.e_phoff));
    if (!file.read(reinterpret_cast<char*>(segments.data()),
                   static_cast<std::streamsize>(segments.size() * sizeof(Elf64_Phdr))))
        return true;
    return std::any_of(segments.begin(), segments.end(), [&](const Elf64_Phdr& segment) {
        return segment.p_type == PT_LOAD && !fits(segment.p_offset, segment.p_filesz, 1, whole);
    });
}

}  // namespace

std::string whyNotLoadable(const std::string& path) {
    if (path.find('/') == std::string::npos) return {};  // a name that the loader looks for
    std::error_code problem;
    if (!std::filesystem::exists(path, problem)) return {};
    if (!std::filesystem::is_regular_file(path, problem)) return forPeople("not a file");
    const std::uintmax_t size = std::filesystem::file_size(path, problem);
    std::ifstream file(path, std::ios::binary);
    if (problem || !file) return {};
    return isCutShort(file, size) ? forPeople("a part of the file is missing") : "";
}

}  // namespace plumb::cli
