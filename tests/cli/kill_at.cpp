// SPDX-License-Identifier: Apache-2.0
// Preloaded into a program, kills it at a chosen change of the files of one folder. What a kill can leave
// behind differs only between two such changes, so that every case is reached on a machine of any speed.
//
//   PLUMB_KILL_IN      the folder, an absolute path
//   PLUMB_KILL_AT      the number of the change from 1; 0: none, they are only told
//   PLUMB_KILL_BEFORE  1: before that change is made; else after it, and a write is made by half
//   PLUMB_KILL_LOG     a file that gets the name of every change, one a line
#include <sys/syscall.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

namespace {

std::array<std::atomic<bool>, 4096> g_watched{};  // by descriptor
std::atomic<long> g_changes{0};

bool isInside(const char* path) {
    const char* const folder = std::getenv("PLUMB_KILL_IN");
    return folder != nullptr && path != nullptr && std::strncmp(path, folder, std::strlen(folder)) == 0;
}

bool isKnown(int file) { return file >= 0 && file < static_cast<int>(g_watched.size()); }
bool isWatched(int file) { return isKnown(file) && g_watched[static_cast<std::size_t>(file)].load(); }

long setting(const char* name) {
    const char* const text = std::getenv(name);
    return text != nullptr ? std::strtol(text, nullptr, 10) : 0;
}

[[noreturn]] void killNow() {
    ::kill(::getpid(), SIGKILL);
    for (;;) ::pause();
}

/// To be called before a change; true when the program is to be killed after it.
bool tell(const char* what) {
    // Calls by their numbers, so that nothing of this is counted.
    const char* const log = std::getenv("PLUMB_KILL_LOG");
    const long file =
        log != nullptr ? ::syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND, 0600) : -1;
    if (file >= 0) {
        ::syscall(SYS_write, file, what, std::strlen(what));
        ::syscall(SYS_write, file, "\n", 1);
        ::syscall(SYS_close, file);
    }
    if (g_changes.fetch_add(1) + 1 != setting("PLUMB_KILL_AT")) return false;
    if (setting("PLUMB_KILL_BEFORE") != 0) killNow();
    return true;
}

template <class Function>
Function* next(const char* name) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

/// Makes a change that is told as `what`.
template <class Make>
auto change(const char* what, const Make& make) {
    const bool dies = tell(what);
    const auto result = make(dies);
    if (dies) killNow();
    return result;
}

int openAs(const char* name, const char* path, int flags, mode_t mode) {
    auto* const open = next<int(const char*, int, ...)>(name);
    const bool makes = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
    if (!makes || !isInside(path)) return open(path, flags, mode);
    const int file = change("create", [&](bool) { return open(path, flags, mode); });
    if (isKnown(file)) g_watched[static_cast<std::size_t>(file)].store(true);
    return file;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const auto mode = va_arg(rest, mode_t);
    va_end(rest);
    return openAs("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const auto mode = va_arg(rest, mode_t);
    va_end(rest);
    return openAs("open64", path, flags, mode);
}

int close(int file) {
    if (isWatched(file)) g_watched[static_cast<std::size_t>(file)].store(false);
    return next<int(int)>("close")(file);
}

ssize_t write(int file, const void* bytes, size_t count) {
    auto* const write = next<ssize_t(int, const void*, size_t)>("write");
    if (!isWatched(file)) return write(file, bytes, count);
    return change("write", [&](bool dies) { return write(file, bytes, dies ? count / 2 : count); });
}

int fsync(int file) {
    auto* const sync = next<int(int)>("fsync");
    return isWatched(file) ? change("fsync", [&](bool) { return sync(file); }) : sync(file);
}

int linkat(int fromFolder, const char* from, int toFolder, const char* to, int flags) noexcept {
    auto* const link = next<int(int, const char*, int, const char*, int)>("linkat");
    const auto make = [&](bool) { return link(fromFolder, from, toFolder, to, flags); };
    return isInside(to) ? change("link", make) : make(false);
}

int rename(const char* from, const char* to) noexcept {
    auto* const rename = next<int(const char*, const char*)>("rename");
    return isInside(to) ? change("rename", [&](bool) { return rename(from, to); }) : rename(from, to);
}

int remove(const char* path) noexcept {
    auto* const remove = next<int(const char*)>("remove");
    return isInside(path) ? change("remove", [&](bool) { return remove(path); }) : remove(path);
}

int unlink(const char* path) noexcept {
    auto* const remove = next<int(const char*)>("unlink");
    return isInside(path) ? change("remove", [&](bool) { return remove(path); }) : remove(path);
}

}  // extern "C"
