// SPDX-License-Identifier: Apache-2.0
#include "core/io/zip_archive.h"

#include "core/io/file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <zip.h>

namespace plumb {

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20U;

struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
    void operator()(zip_file_t* member) const { zip_fclose(member); }
};
using Archive = std::unique_ptr<zip_t, Discard>;
using Member = std::unique_ptr<zip_file_t, Discard>;

Result<Archive> openArchive(const std::string& path) {
    // A pipe or a device is refused before the library waits for it, with the usual sentence.
    PLUMB_TRY(const std::string start, readFileStart(path, 4));
    if (start.size() < 4 || start.compare(0, 2, "PK") != 0)
        return badFile(path, "is no ZIP archive, and a .npz file is one",
                       "write it with numpy.savez('data.npz', x=features, y=targets)");
    int code = 0;
    Archive archive(zip_open(path.c_str(), ZIP_RDONLY, &code));
    if (archive) return archive;
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    std::string why = zip_error_strerror(&error);
    zip_error_fini(&error);
    return badFile(path, fmt::format("cannot be opened as a ZIP archive ({})", why),
                   "copy or write it again");
}

Result<std::vector<std::string>> membersOf(zip_t* archive) {
    std::vector<std::string> names;
    const zip_int64_t count = zip_get_num_entries(archive, 0);
    for (zip_int64_t i = 0; i < count; ++i)
        if (const char* name = zip_get_name(archive, static_cast<zip_uint64_t>(i), ZIP_FL_ENC_GUESS))
            names.emplace_back(name);
    return names;
}

}  // namespace

Result<std::vector<std::string>> zipMembers(const std::string& path) {
    PLUMB_TRY(const Archive archive, openArchive(path));
    return membersOf(archive.get());
}

Result<std::vector<std::byte>> readZipMember(const std::string& path, const std::string& member) {
    PLUMB_TRY(const Archive archive, openArchive(path));
    const zip_int64_t index = zip_name_locate(archive.get(), member.c_str(), 0);
    if (index < 0) {
        PLUMB_TRY(const std::vector<std::string> names, membersOf(archive.get()));
        return badFile(path, fmt::format("has no member {}", member),
                       fmt::format("it holds {}", fmt::join(names, ", ")));
    }
    const auto at = static_cast<zip_uint64_t>(index);
    const std::string label = path + ":" + member;
    const auto damaged = [&](const std::string& why) {
        return badFile(label, fmt::format("cannot be read ({})", why), "copy or write the archive again");
    };
    zip_stat_t stat;
    zip_stat_init(&stat);
    if (zip_stat_index(archive.get(), at, 0, &stat) != 0 || (stat.valid & ZIP_STAT_SIZE) == 0)
        return damaged(zip_strerror(archive.get()));
    if (stat.size > kMostZipBytes)
        return badFile(label, fmt::format("is too large to be read from an archive ({} B)", stat.size),
                       fmt::format("save it alone as .npy: archives are read up to {} B", kMostZipBytes));
    const Member file(zip_fopen_index(archive.get(), at, 0));
    if (!file) return damaged(zip_strerror(archive.get()));
    // Piece by piece: memory follows what is there, not what the archive promises.
    std::vector<std::byte> bytes;
    const auto size = static_cast<std::size_t>(stat.size);
    while (bytes.size() < size) {
        const std::size_t before = bytes.size();
        bytes.resize(std::min(size, before + kPiece));
        const zip_int64_t got = zip_fread(file.get(), bytes.data() + before, bytes.size() - before);
        if (got < 0) return damaged(zip_file_strerror(file.get()));
        if (got == 0) return damaged("it ends early");
        bytes.resize(before + static_cast<std::size_t>(got));
    }
    // The checksum is compared where the end is read.
    std::byte beyond{};
    if (zip_fread(file.get(), &beyond, 1) != 0) return damaged("its checksum is wrong");
    return bytes;
}

}  // namespace plumb
