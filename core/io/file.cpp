// SPDX-License-Identifier: Apache-2.0
#include "core/io/file.h"

#include "core/base/quantity.h"
#include "core/io/system_error.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <unistd.h>
#include <utility>

namespace plumb {

namespace {

/// Up to this size the whole map is read ahead; above it rows are fetched one by one, because a shuffled
/// pass over a large file would make every read-ahead useless.
constexpr std::size_t kReadAheadBytes = std::size_t{256} << 20U;

Error tooLarge(const std::string& path, std::size_t limit) {
    return Error{ErrorCode::BadInput,
                 path + " is larger than the " + formatQuantity(static_cast<double>(limit), "B") +
                     " that are read from such a file",
                 "check that this is the right file"};
}

/// Refuses all but regular files: others may block for ever or never end.
Result<Descriptor> openForReading(const std::string& path, struct stat& status) {
    // Without O_NONBLOCK opening a FIFO waits for a writer; on regular files it has no effect.
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    const int problem = file.isOpen() && ::fstat(file.get(), &status) == 0 ? 0 : errno;
    // ENXIO is what opening a socket gives.
    if (problem != 0 && problem != ENXIO) return systemError("read", path, problem);
    if (problem == 0 && S_ISDIR(status.st_mode)) return systemError("read", path, EISDIR);
    if (problem != 0 || !S_ISREG(status.st_mode))
        return Error{ErrorCode::Io, "cannot read " + path + " (not a regular file)",
                     "copy the data into a file on disk first"};
    return file;
}

/// Reads to the end of the file or until `most` bytes are there. The size that stat() gives is only a hint:
/// files of /proc have none, and a file may grow meanwhile.
Result<std::string> readUpTo(const Descriptor& file, const std::string& path, std::size_t most,
                             std::size_t expected) {
    std::string content(std::min(most, expected), '\0');
    std::size_t filled = 0;
    // What comes after the expected size goes through a small buffer, so that asking for the end of the file
    // does not make the text grow.
    std::array<char, 16384> rest;
    while (filled < most) {
        const bool direct = filled < content.size();
        const std::size_t room = direct ? content.size() - filled : std::min(rest.size(), most - filled);
        const ssize_t count = ::read(file.get(), direct ? content.data() + filled : rest.data(), room);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return systemError("read", path, errno);
        if (count == 0) break;
        if (!direct) content.append(rest.data(), static_cast<std::size_t>(count));
        filled += static_cast<std::size_t>(count);
    }
    content.resize(filled);
    return content;
}

/// 0, or errno. A short write is not an error: the next call says why, if there is a reason.
int writeAll(const Descriptor& file, std::span<const std::byte> content) {
    while (!content.empty()) {
        const ssize_t count = ::write(file.get(), content.data(), content.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return count < 0 ? errno : EIO;
        content = content.subspan(static_cast<std::size_t>(count));
    }
    return 0;
}

constexpr std::string_view kTemporarySuffix = ".tmp";

/// Between prefix and suffix stands a random number; the result fits within the 255 bytes of a name.
std::string temporaryPrefix(const std::string& name) { return "." + name.substr(0, 200) + "."; }

/// The file that `path` finally names; it need not exist.
Result<std::string> followLinks(const std::string& path) {
    constexpr int kMostLinks = 40;  // the kernel's own limit
    namespace fs = std::filesystem;
    fs::path target(path);
    std::error_code problem;
    for (int hop = 0; hop < kMostLinks; ++hop) {
        if (!fs::is_symlink(fs::symlink_status(target, problem))) return target.string();
        const fs::path next = fs::read_symlink(target, problem);
        if (problem) return systemError("write", path, problem.value());
        target = next.is_absolute() ? next : target.parent_path() / next;
    }
    return systemError("write", path, ELOOP);
}

/// A rename is durable once its folder is synced. Some file systems cannot do that; the new content is
/// complete and in place by then, so this is no failure.
void syncFolder(const std::string& target) {
    std::string folder = std::filesystem::path(target).parent_path().string();
    if (folder.empty()) folder = ".";
    const Descriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (file.isOpen()) ::fsync(file.get());
}

}  // namespace

Result<std::string> readFile(const std::string& path, std::size_t limitBytes) {
    struct stat status {};
    PLUMB_TRY(const Descriptor file, openForReading(path, status));
    const auto size = static_cast<std::size_t>(std::max<off_t>(status.st_size, 0));
    if (size > limitBytes) return tooLarge(path, limitBytes);
    PLUMB_TRY(std::string content, readUpTo(file, path, limitBytes + 1, std::min(size, limitBytes)));
    if (content.size() > limitBytes) return tooLarge(path, limitBytes);
    return content;
}

Result<std::string> readFileStart(const std::string& path, std::size_t bytes) {
    struct stat status {};
    PLUMB_TRY(const Descriptor file, openForReading(path, status));
    return readUpTo(file, path, bytes, bytes);
}

Result<void> writeFileAtomically(const std::string& path, std::string_view content) {
    PLUMB_TRY(AtomicFile file, AtomicFile::create(path));
    PLUMB_CHECK(file.write(std::as_bytes(std::span(content))));
    return file.commit();
}

Result<AtomicFile> AtomicFile::create(const std::string& path) {
    struct stat old {};
    const bool exists = ::stat(path.c_str(), &old) == 0;
    if (exists && S_ISDIR(old.st_mode)) return systemError("write", path, EISDIR);
    // A rename would put a plain file where the device was.
    if (exists && !S_ISREG(old.st_mode)) {
        AtomicFile file(path, "");
        file.m_file = Descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
        if (!file.m_file.isOpen()) return systemError("write", path, errno);
        return file;
    }
    if (exists && ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0)
        return systemError("write", path, errno);

    PLUMB_TRY(std::string target, followLinks(path));
    AtomicFile file(path, std::move(target));
    PLUMB_CHECK(file.openTemporary());
    if (exists) {
        // The owner first, because changing it clears mode bits; only root may give files away.
        if (::fchown(file.m_file.get(), old.st_uid, old.st_gid) != 0 && errno != EPERM && errno != EINVAL)
            return systemError("write", path, errno);
        if (::fchmod(file.m_file.get(), old.st_mode & 07777U) != 0) return systemError("write", path, errno);
    }
    return file;
}

Result<void> AtomicFile::openTemporary() {
    const std::filesystem::path full(m_target);
    std::random_device random;
    for (int attempt = 0; attempt < 100; ++attempt) {
        const std::string name =
            temporaryPrefix(full.filename().string()) + std::to_string(random()) + kTemporarySuffix.data();
        std::string temporary = (full.parent_path() / name).string();
        // Not mkstemp(): its mode ignores the umask, and the umask cannot be read without changing it.
        m_file = Descriptor(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
        if (m_file.isOpen()) {
            m_temporary = std::move(temporary);
            return {};
        }
        if (errno != EEXIST) break;
    }
    return systemError("write", m_path, errno);
}

Result<void> AtomicFile::write(std::span<const std::byte> bytes) {
    if (const int problem = writeAll(m_file, bytes); problem != 0) {
        discard();
        return systemError("write", m_path, problem);
    }
    return {};
}

Result<void> AtomicFile::commit() {
    int problem = m_file.isOpen() ? 0 : EIO;
    const bool direct = m_target.empty();
    if (problem == 0 && !direct && ::fsync(m_file.get()) != 0 && errno != EINVAL) problem = errno;
    if (const int late = m_file.close(); problem == 0) problem = late;
    if (problem == 0 && !direct && ::rename(m_temporary.c_str(), m_target.c_str()) != 0) problem = errno;
    if (problem != 0) {
        discard();
        return systemError("write", m_path, problem);
    }
    m_temporary.clear();
    if (!direct) syncFolder(m_target);
    return {};
}

bool AtomicFile::isTemporaryName(std::string_view entry, std::string_view name) {
    const std::string prefix = temporaryPrefix(std::string(name));
    if (!entry.starts_with(prefix) || !entry.ends_with(kTemporarySuffix)) return false;
    entry.remove_prefix(prefix.size());
    if (entry.size() <= kTemporarySuffix.size()) return false;
    entry.remove_suffix(kTemporarySuffix.size());
    return entry.find_first_not_of("0123456789") == std::string_view::npos;
}

void AtomicFile::discard() {
    m_file.close();
    if (!m_temporary.empty()) ::unlink(m_temporary.c_str());
    m_temporary.clear();
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : m_file(std::move(other.m_file)),
      m_path(std::move(other.m_path)),
      m_target(std::move(other.m_target)),
      m_temporary(std::exchange(other.m_temporary, {})) {}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
    std::swap(m_file, other.m_file);
    std::swap(m_path, other.m_path);
    std::swap(m_target, other.m_target);
    std::swap(m_temporary, other.m_temporary);
    return *this;
}

AtomicFile::~AtomicFile() { discard(); }

Result<MappedFile> MappedFile::open(const std::string& path) {
    struct stat status {};
    PLUMB_TRY(const Descriptor file, openForReading(path, status));
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size == 0) return MappedFile({});
    void* const address = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.get(), 0);
    if (address == MAP_FAILED) return systemError("map", path, errno);
    ::madvise(address, size, size <= kReadAheadBytes ? MADV_WILLNEED : MADV_RANDOM);
    return MappedFile({static_cast<const std::byte*>(address), size});
}

MappedFile::MappedFile(MappedFile&& other) noexcept : m_bytes(std::exchange(other.m_bytes, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    std::swap(m_bytes, other.m_bytes);
    return *this;
}

MappedFile::~MappedFile() {
    if (!m_bytes.empty()) ::munmap(const_cast<std::byte*>(m_bytes.data()), m_bytes.size());
}

}  // namespace plumb
