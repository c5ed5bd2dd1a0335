// SPDX-License-Identifier: Apache-2.0
#include "core/io/file.h"

#include "core/io/file_lock.h"
#include "core/io/system_error.h"
#include "tests/support/temporary_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <csignal>
#include <fcntl.h>
#include <functional>
#include <stop_token>
#include <string>
#include <thread>
#include <unistd.h>

namespace plumb {
namespace {

using testing::HasSubstr;

mode_t modeOf(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777U : 0;
}

/// Runs `body` in a process of its own, which may give up rights or space; true when it returned true.
bool inChildProcess(const std::function<bool()>& body) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(body() ? 0 : 1);
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(ReadFile, ReturnsEveryByteAlsoZeros) {
    const TemporaryFolder folder;
    const std::string content("a\0b\r\n\xff", 6);
    putFile(folder.file("x"), content);
    const auto read = readFile(folder.file("x"), 6);
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(*read, content);
}

TEST(ReadFile, RefusesOneByteMoreThanTheLimit) {
    const TemporaryFolder folder;
    putFile(folder.file("x"), "1234567");
    const auto read = readFile(folder.file("x"), 6);
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().code, ErrorCode::BadInput);
    EXPECT_THAT(read.error().message, HasSubstr("6 B"));
}

TEST(ReadFile, RefusesALargeFileBeforeReadingIt) {
    const TemporaryFolder folder;
    putFile(folder.file("sparse"), "");
    // Far more than memory: reading it first could only fail in another way.
    ASSERT_EQ(::truncate(folder.file("sparse").c_str(), off_t{1} << 42U), 0);
    const auto read = readFile(folder.file("sparse"), 1 << 20U);
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().code, ErrorCode::BadInput);
}

TEST(ReadFile, ReadsFilesThatDoNotKnowTheirSizeUpToTheLimit) {
    const auto whole = readFile("/proc/self/status", 1 << 20U);
    ASSERT_TRUE(whole.has_value());
    EXPECT_THAT(*whole, HasSubstr("Pid:"));
    const auto longer = readFile("/proc/self/status", 10);
    ASSERT_FALSE(longer.has_value());
    EXPECT_EQ(longer.error().code, ErrorCode::BadInput);
}

TEST(ReadFile, OfAFileThatGrowsReadsNoMoreThanTheLimit) {
    constexpr std::size_t kLimit = std::size_t{2} << 20U;
    const TemporaryFolder folder;
    const std::string path = folder.file("growing");
    putFile(path, std::string(1 << 20, 'a'));
    const std::jthread writer([&](const std::stop_token& stop) {
        const Descriptor file(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
        const std::string piece(4096, 'b');
        for (int i = 0; i < 4096 && !stop.stop_requested(); ++i)
            if (::write(file.get(), piece.data(), piece.size()) < 0) return;
    });
    // As long as it is small enough it is read as it stands; then it is refused, and nothing waits for its
    // end.
    Result<std::string> content = readFile(path, kLimit);
    while (content.has_value()) {
        ASSERT_LE(content->size(), kLimit);
        content = readFile(path, kLimit);
    }
    EXPECT_EQ(content.error().code, ErrorCode::BadInput);
    EXPECT_THAT(content.error().text(), HasSubstr("growing is larger than"));
}

TEST(ReadFile, RefusesAtOnceWhatIsNoRegularFile) {
    const TemporaryFolder folder;
    ASSERT_EQ(::mkfifo(folder.file("pipe").c_str(), 0600), 0);
    const Descriptor listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    ASSERT_LT(folder.file("socket").size(), sizeof address.sun_path);
    folder.file("socket").copy(address.sun_path, sizeof address.sun_path - 1);
    ASSERT_EQ(::bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);

    // Nobody writes into the pipe: what waits for a writer is ended by the alarm, and the child with it.
    EXPECT_TRUE(inChildProcess([&] {
        ::alarm(20);
        const auto refused = [](const auto& result, const std::string& path) {
            return !result.has_value() && result.error().code == ErrorCode::Io &&
                   result.error().message == "cannot read " + path + " (not a regular file)" &&
                   !result.error().hint.empty();
        };
        for (const std::string& path : {folder.file("pipe"), folder.file("socket"), std::string("/dev/zero")})
            if (!refused(readFile(path, 100), path) || !refused(readFileStart(path, 100), path) ||
                !refused(ReadableFile::open(path), path))
                return false;
        return true;
    }));
}

TEST(ReadFile, SaysWhatIsWrongWithThePath) {
    const TemporaryFolder folder;
    const auto missing = readFile(folder.file("none"), 10);
    ASSERT_FALSE(missing.has_value());
    EXPECT_EQ(missing.error().code, ErrorCode::Io);
    EXPECT_THAT(missing.error().message, HasSubstr("No such file"));
    EXPECT_THAT(missing.error().hint, testing::Not(HasSubstr("create the folder")));
    EXPECT_THAT(systemError("write", "f", ENOENT).hint, HasSubstr("create the folder"));
    const auto directory = readFile(folder.path(), 10);
    ASSERT_FALSE(directory.has_value());
    EXPECT_THAT(directory.error().message, HasSubstr("Is a directory"));
}

TEST(ReadFileStart, StopsWhereItIsTold) {
    const TemporaryFolder folder;
    putFile(folder.file("x"), std::string(70'000, 'x'));
    const auto start = readFileStart(folder.file("x"), 5000);
    ASSERT_TRUE(start.has_value());
    EXPECT_EQ(*start, std::string(5000, 'x'));
}

TEST(WriteFile, WritesAndReplaces) {
    const TemporaryFolder folder;
    const std::string path = folder.file("x");
    ASSERT_TRUE(writeFileAtomically(path, "first").has_value());
    EXPECT_EQ(getFile(path), "first");
    ASSERT_TRUE(writeFileAtomically(path, std::string(1 << 20U, 'b')).has_value());
    EXPECT_EQ(getFile(path), std::string(1 << 20U, 'b'));
    EXPECT_EQ(folder.entries(), 1U) << "a temporary file was left";
}

TEST(WriteFile, KeepsThePermissionsOfAnExistingFileAndHonoursTheUmaskOfANewOne) {
    const TemporaryFolder folder;
    putFile(folder.file("old"), "x");
    ASSERT_EQ(::chmod(folder.file("old").c_str(), 0640), 0);
    ASSERT_TRUE(writeFileAtomically(folder.file("old"), "y").has_value());
    EXPECT_EQ(modeOf(folder.file("old")), 0640U);
    EXPECT_TRUE(inChildProcess([&] {
        ::umask(027);
        return writeFileAtomically(folder.file("new"), "y").has_value();
    }));
    EXPECT_EQ(modeOf(folder.file("new")), 0640U);
}

TEST(WriteFile, WritesThroughASymbolicLink) {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.file("sub"));
    putFile(folder.file("sub/target"), "old");
    std::filesystem::create_symlink("sub/target", folder.file("link"));
    ASSERT_TRUE(writeFileAtomically(folder.file("link"), "new").has_value());
    EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link")));
    EXPECT_EQ(getFile(folder.file("sub/target")), "new");

    std::filesystem::create_symlink("sub/fresh", folder.file("dangling"));
    ASSERT_TRUE(writeFileAtomically(folder.file("dangling"), "made").has_value());
    EXPECT_EQ(getFile(folder.file("sub/fresh")), "made");

    std::filesystem::create_symlink("circle", folder.file("circle"));
    const auto circle = writeFileAtomically(folder.file("circle"), "x");
    ASSERT_FALSE(circle.has_value());
    EXPECT_EQ(circle.error().code, ErrorCode::Io);
}

TEST(WriteFile, WritesIntoAPipeAndLeavesItAPipe) {
    const TemporaryFolder folder;
    const std::string path = folder.file("pipe");
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    // Open for both directions, so that the writer finds a reader and neither waits for the other.
    const Descriptor reader(::open(path.c_str(), O_RDWR | O_CLOEXEC));
    ASSERT_TRUE(reader.isOpen());
    ASSERT_TRUE(writeFileAtomically(path, "through").has_value());
    std::string content(7, '\0');
    EXPECT_EQ(::read(reader.get(), content.data(), content.size()), 7);
    EXPECT_EQ(content, "through");
    EXPECT_TRUE(std::filesystem::is_fifo(path));
    EXPECT_EQ(folder.entries(), 1U);
}

TEST(WriteFile, SaysThatADeviceIsFull) {
    const TemporaryFolder folder;
    std::string path = "/dev/full";
    if (::getuid() == 0) {
        // Root could replace the real one by a file if the code under test were wrong: use a copy of it.
        path = folder.file("full");
        if (::mknod(path.c_str(), S_IFCHR | 0600, makedev(1, 7)) != 0 || ::access(path.c_str(), W_OK) != 0)
            GTEST_SKIP() << "no device can be made here; the size limit stands in for it";
    }
    const auto full = writeFileAtomically(path, "x");
    ASSERT_FALSE(full.has_value());
    EXPECT_EQ(full.error().code, ErrorCode::Io);
    if (full.error().message.find("Permission denied") != std::string::npos)
        GTEST_SKIP() << "devices do not work in the temporary folder; the size limit stands in for it";
    EXPECT_THAT(full.error().message, HasSubstr("No space left on device"));
    EXPECT_THAT(full.error().hint, HasSubstr("free some space"));
    EXPECT_TRUE(std::filesystem::is_character_file(path));
}

TEST(WriteFile, SaysThatTheFolderIsMissingOrThePathIsOne) {
    const TemporaryFolder folder;
    const auto missing = writeFileAtomically(folder.file("none/x"), "x");
    ASSERT_FALSE(missing.has_value());
    EXPECT_EQ(missing.error().code, ErrorCode::Io);
    EXPECT_THAT(missing.error().text(), HasSubstr("folder"));
    const auto directory = writeFileAtomically(folder.path(), "x");
    ASSERT_FALSE(directory.has_value());
    EXPECT_THAT(directory.error().message, HasSubstr("Is a directory"));
    putFile(folder.file("file"), "");
    EXPECT_FALSE(writeFileAtomically(folder.file("file/x"), "x").has_value());
    EXPECT_EQ(folder.entries(), 1U);
}

TEST(WriteFile, RefusesWithoutPermissionAndLeavesTheOldFile) {
    const TemporaryFolder folder;
    putFile(folder.file("old"), "old");
    ASSERT_EQ(::chmod(folder.file("old").c_str(), 0444), 0);
    ASSERT_EQ(::chmod(folder.path().c_str(), 0777), 0);
    const auto refused = [&](const std::string& name) {
        // Root may write anything, so the attempt is made as somebody else.
        if (::getuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) return false;
        const auto written = writeFileAtomically(folder.file(name), "new");
        return !written.has_value() && written.error().code == ErrorCode::Io &&
               written.error().text().find("Permission denied") != std::string::npos &&
               written.error().hint.find("permissions") != std::string::npos;
    };
    EXPECT_TRUE(inChildProcess([&] { return refused("old"); })) << "a file that must not be written";
    ASSERT_EQ(::chmod(folder.path().c_str(), 0555), 0);
    EXPECT_TRUE(inChildProcess([&] { return refused("new"); })) << "a folder that must not be written";
    EXPECT_EQ(getFile(folder.file("old")), "old");
    EXPECT_EQ(folder.entries(), 1U);
    ::chmod(folder.path().c_str(), 0700);
}

TEST(WriteFile, LeavesTheOldFileWhenTheContentIsCutOffInTheMiddle) {
    const TemporaryFolder folder;
    putFile(folder.file("x"), "old");
    // The limit makes the first write a short one and the second one fail, as a disk does that fills up.
    EXPECT_TRUE(inChildProcess([&] {
        const rlimit limit{100'000, 100'000};
        ::signal(SIGXFSZ, SIG_IGN);
        if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return false;
        const auto written = writeFileAtomically(folder.file("x"), std::string(1 << 20U, 'n'));
        return !written.has_value() && written.error().code == ErrorCode::Io &&
               written.error().message.find("File too large") != std::string::npos;
    }));
    EXPECT_EQ(getFile(folder.file("x")), "old");
    EXPECT_EQ(folder.entries(), 1U);
}

TEST(WriteFile, LeavesTheOldFileWhenTheDiskIsFull) {
    const TemporaryFolder folder;
    if (::mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=256k") != 0)
        GTEST_SKIP() << "a file system of its own needs root; /dev/full and the size limit stand in for it";
    putFile(folder.file("x"), "old");
    const auto written = writeFileAtomically(folder.file("x"), std::string(1 << 20U, 'n'));
    EXPECT_EQ(getFile(folder.file("x")), "old");
    EXPECT_EQ(folder.entries(), 1U);
    ::mount("tmpfs", folder.path().c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr);
    const auto readOnly = writeFileAtomically(folder.file("x"), "y");
    ::umount(folder.path().c_str());

    ASSERT_FALSE(written.has_value());
    EXPECT_EQ(written.error().code, ErrorCode::Io);
    EXPECT_THAT(written.error().message, HasSubstr("No space left on device"));
    ASSERT_FALSE(readOnly.has_value());
    EXPECT_THAT(readOnly.error().text(), HasSubstr("read-only"));
}

TEST(WriteFile, AKilledWriterLeavesNothingAfterTheNextOne) {
    const TemporaryFolder folder;
    putFile(folder.file("x"), "old");
    EXPECT_FALSE(inChildProcess([&] {
        auto file = AtomicFile::create(folder.file("x"));
        if (!file.has_value() || !file->write(std::as_bytes(std::span("half"))).has_value()) return true;
        ::raise(SIGKILL);
        return true;
    }));
    EXPECT_EQ(getFile(folder.file("x")), "old");
    ASSERT_TRUE(writeFileAtomically(folder.file("x"), "new").has_value());
    EXPECT_EQ(getFile(folder.file("x")), "new");
    EXPECT_EQ(folder.entries(), 1U);
}

TEST(WriteFile, RemovesWhatWasLeftUnderItsOwnTemporaryNamesAndNothingElse) {
    const TemporaryFolder folder;
    for (const char* name : {".x.1.tmp", ".x.22.tmp", ".y.1.tmp", ".x.tmp", ".x.a.tmp", "x.1.tmp"})
        putFile(folder.file(name), "left");
    const Descriptor writer(::open(folder.file(".x.22.tmp").c_str(), O_RDONLY | O_CLOEXEC));
    ASSERT_EQ(::flock(writer.get(), LOCK_EX), 0);
    ASSERT_TRUE(writeFileAtomically(folder.file("x"), "new").has_value());
    EXPECT_FALSE(std::filesystem::exists(folder.file(".x.1.tmp")));
    EXPECT_TRUE(std::filesystem::exists(folder.file(".x.22.tmp"))) << "somebody is writing it";
    EXPECT_EQ(folder.entries(), 6U);
}

TEST(FileLock, IsHeldByOneUntilItGoesOrIsKilled) {
    const TemporaryFolder folder;
    const std::string path = folder.file("lock");
    auto first = FileLock::tryAcquire(path);
    ASSERT_TRUE(first.has_value() && first->has_value());
    const auto isFree = [&] {
        const auto other = FileLock::tryAcquire(path);
        return other.has_value() && other->has_value();
    };
    EXPECT_FALSE(isFree());
    first->reset();
    EXPECT_TRUE(isFree());
    EXPECT_FALSE(inChildProcess([&] {
        const auto lock = FileLock::acquire(path);
        ::raise(SIGKILL);
        return lock.has_value();
    }));
    EXPECT_TRUE(isFree());
}

TEST(FileLock, IsNoLinkAndNeedsItsFolder) {
    const TemporaryFolder folder;
    putFile(folder.file("target"), "");
    std::filesystem::create_symlink("target", folder.file("link"));
    EXPECT_FALSE(FileLock::acquire(folder.file("link")).has_value());
    const auto missing = FileLock::tryAcquire(folder.file("none/lock"));
    ASSERT_FALSE(missing.has_value());
    EXPECT_EQ(missing.error().code, ErrorCode::Io);
}

TEST(SystemError, EveryExpectedReasonHasItsOwnRemedy) {
    std::vector<std::string> hints;
    for (const int number :
         {EACCES, ENOSPC, EROFS, ENOENT, EISDIR, ENOTDIR, EFBIG, ENAMETOOLONG, ELOOP, EMFILE})
        hints.push_back(systemError("write", "f", number).hint);
    std::sort(hints.begin(), hints.end());
    EXPECT_EQ(std::unique(hints.begin(), hints.end()), hints.end());
    EXPECT_EQ(systemError("write", "f", EDQUOT).hint, systemError("write", "f", ENOSPC).hint);
}

TEST(ReadableFile, ReadsAnyPartAndSaysWhenTheFileHasBecomeShorter) {
    const TemporaryFolder folder;
    putFile(folder.file("x"), "hello");
    const auto file = ReadableFile::open(folder.file("x"));
    ASSERT_TRUE(file.has_value());
    EXPECT_EQ(file->size(), 5U);
    std::string part(3, '\0');
    ASSERT_TRUE(file->read(2, std::as_writable_bytes(std::span(part))).has_value());
    EXPECT_EQ(part, "llo");
    ASSERT_EQ(::truncate(folder.file("x").c_str(), 4), 0);
    const auto shorter = file->read(2, std::as_writable_bytes(std::span(part)));
    ASSERT_FALSE(shorter.has_value());
    EXPECT_EQ(shorter.error().code, ErrorCode::Io);
    EXPECT_THAT(shorter.error().message, HasSubstr("has become shorter"));
}

TEST(ReadableFile, RefusesWhatCannotBeRead) {
    const TemporaryFolder folder;
    EXPECT_FALSE(ReadableFile::open("/dev/zero").has_value());
    EXPECT_FALSE(ReadableFile::open(folder.path()).has_value());
    EXPECT_FALSE(ReadableFile::open(folder.file("none")).has_value());
}

}  // namespace
}  // namespace plumb
