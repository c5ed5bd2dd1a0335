// SPDX-License-Identifier: Apache-2.0
#include "core/io/file.h"

#include "core/base/quantity.h"
#include "core/io/system_error.h"

#include <sys/file.h>
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

std::string folderOf(const std::string& target) {
    const std::string folder = std::filesystem::path(target).parent_path().string();
    return folder.empty() ? "." : folder;
}

/// The name under which an open file can be linked although it has none.
std::string pathOf(const Descriptor& file) { return "/proc/self/fd/" + std::to_string(file.get()); }

/// Names that are tried before it is given up.
constexpr int kMostNames = 100;

/// False when somebody else holds the lock; true also where the file system knows no locks.
bool lockAgainstRemoval(const Descriptor& file) {
    return ::flock(file.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

/// A rename is durable once its folder is synced. Some file systems cannot do that; the new content is
/// complete and in place by then, so this is no failure.
void syncFolder(const std::string& target) {
    const Descriptor file(::open(folderOf(target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
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

std::string AtomicFile::temporaryName() const {
    const std::filesystem::path full(m_target);
    const std::string number = std::to_string(std::random_device()());
    return (full.parent_path() /
            (temporaryPrefix(full.filename().string()) + number + kTemporarySuffix.data()))
        .string();
}

Result<void> AtomicFile::openTemporary() {
    removeAbandoned();
    m_file = Descriptor(::open(folderOf(m_target).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666));
    // Its descriptor under /proc is the only way for everybody to give it a name.
    if (m_file.isOpen() && ::access(pathOf(m_file).c_str(), F_OK) == 0) {
        lockAgainstRemoval(m_file);
        return {};
    }
    for (int attempt = 0; attempt < kMostNames; ++attempt) {
        std::string temporary = temporaryName();
        // Not mkstemp(): its mode ignores the umask, and the umask cannot be read without changing it.
        m_file = Descriptor(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
        if (!m_file.isOpen() && errno != EEXIST) break;
        // Not locked: another program took it for an abandoned one in the moment before, and removes it.
        if (m_file.isOpen() && lockAgainstRemoval(m_file)) {
            m_temporary = std::move(temporary);
            return {};
        }
    }
    return systemError("write", m_path, errno);
}

/// 0, or errno.
int AtomicFile::nameFile() {
    for (int attempt = 0; attempt < kMostNames; ++attempt) {
        std::string temporary = temporaryName();
        if (::linkat(AT_FDCWD, pathOf(m_file).c_str(), AT_FDCWD, temporary.c_str(), AT_SYMLINK_FOLLOW) == 0) {
            m_temporary = std::move(temporary);
            return 0;
        }
        if (errno != EEXIST) return errno;
    }
    return EEXIST;
}

void AtomicFile::removeAbandoned() const {
    namespace fs = std::filesystem;
    const std::string name = fs::path(m_target).filename().string();
    std::error_code problem;
    for (fs::directory_iterator entry(folderOf(m_target), problem), end; !problem && entry != end;
         entry.increment(problem)) {
        if (!isTemporaryName(entry->path().filename().string(), name)) continue;
        const Descriptor file(::open(entry->path().c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
        if (file.isOpen() && ::flock(file.get(), LOCK_EX | LOCK_NB) == 0) ::unlink(entry->path().c_str());
    }
}

Result<void> AtomicFile::write(std::span<const std::byte> bytes) {
    if (const int problem = writeAll(m_file, bytes); problem != 0) {
        m_problem = problem;
        discard();
        return systemError("write", m_path, problem);
    }
    return {};
}

Result<void> AtomicFile::commit() {
    int problem = m_file.isOpen() ? 0 : EIO;
    const bool direct = m_target.empty();
    if (problem == 0 && !direct && ::fsync(m_file.get()) != 0 && errno != EINVAL) problem = errno;
    if (problem == 0 && !direct && m_temporary.empty()) problem = nameFile();
    // Closed before the rename, since a write error can come as late as here; the lock stays until after it.
    const Descriptor lock(problem == 0 && !direct ? ::fcntl(m_file.get(), F_DUPFD_CLOEXEC, 0) : -1);
    if (const int late = m_file.close(); problem == 0) problem = late;
    if (problem == 0 && !direct && ::rename(m_temporary.c_str(), m_target.c_str()) != 0) problem = errno;
    if (problem != 0) {
        m_problem = problem;
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
      m_temporary(std::exchange(other.m_temporary, {})),
      m_problem(other.m_problem) {}

AtomicFile& AtomicFile::operator=(AtomicFile&& other) noexcept {
    std::swap(m_file, other.m_file);
    std::swap(m_path, other.m_path);
    std::swap(m_target, other.m_target);
    std::swap(m_temporary, other.m_temporary);
    std::swap(m_problem, other.m_problem);
    return *this;
}

AtomicFile::~AtomicFile() { discard(); }

Result<ReadableFile> ReadableFile::open(const std::string& path) {
    struct stat status {};
    PLUMB_TRY(Descriptor file, openForReading(path, status));
    return ReadableFile(std::move(file), path,
                        static_cast<std::uint64_t>(std::max<off_t>(status.st_size, 0)));
}

Result<void> ReadableFile::read(std::uint64_t offset, std::span<std::byte> target) const {
    while (!target.empty()) {
        const ssize_t count = ::pread(m_file.get(), target.data(), target.size(), static_cast<off_t>(offset));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return systemError("read", m_path, errno);
        if (count == 0)
            return Error{ErrorCode::Io, m_path + " has become shorter while it was read",
                         "leave it alone until the run has ended"};
        target = target.subspan(static_cast<std::size_t>(count));
        offset += static_cast<std::uint64_t>(count);
    }
    return {};
}

}  // namespace plumb
