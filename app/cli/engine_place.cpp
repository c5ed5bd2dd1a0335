// SPDX-License-Identifier: Apache-2.0
#include "app/cli/engine_place.h"

#include "core/io/data_folder.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unistd.h>
#include <utility>

namespace plumb::cli {

namespace {

constexpr mode_t kPrivate = 0700;
constexpr mode_t kOthers = 0077;
constexpr int kBacklog = 8;

std::string ownFolder() {
    std::array<char, 256> host{};
    if (::gethostname(host.data(), host.size() - 1) != 0) host.front() = '\0';
    const std::string data = dataFolder();
    return data.empty() ? data : data + "/engine-" + host.data();
}

sockaddr_un addressOf(const std::string& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    return address;
}

Result<Descriptor> newSocket(const std::string& path) {
    Descriptor made(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (!made.isOpen()) return systemError("open the socket", path, errno);
    return made;
}

}  // namespace

Result<EnginePlace> EnginePlace::open(std::string folder) {
    if (folder.empty()) folder = ownFolder();
    PLUMB_CHECK(makeDataFolder(folder, "the engine's socket"));
    EnginePlace place(std::filesystem::absolute(folder).lexically_normal().string());
    if (place.socket().size() >= sizeof(sockaddr_un::sun_path))
        return badInput(fmt::format("the folder {:s} has too long a name for a socket", place.folder()),
                        "choose another one with --folder, of 90 characters at most");
    if (::mkdir(place.folder().c_str(), kPrivate) != 0 && errno != EEXIST)
        return systemError("create the folder", place.folder(), errno);
    struct stat facts {};
    if (::lstat(place.folder().c_str(), &facts) != 0)
        return systemError("look into the folder", place.folder(), errno);
    // Whoever may write there could answer in the engine's place.
    if (!S_ISDIR(facts.st_mode) || facts.st_uid != ::geteuid() || (facts.st_mode & kOthers) != 0)
        return Error{ErrorCode::Io, fmt::format("the folder {:s} is not this user's alone", place.folder()),
                     "take the rights of others away (chmod 700), or choose another one with --folder"};
    return place;
}

Result<std::optional<Descriptor>> EnginePlace::connect() const {
    PLUMB_TRY(Descriptor connection, newSocket(socket()));
    const sockaddr_un address = addressOf(socket());
    int done = 0;
    do {
        done = ::connect(connection.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
    } while (done != 0 && errno == EINTR);
    if (done == 0) return std::optional(std::move(connection));
    if (errno == ENOENT || errno == ECONNREFUSED) return std::optional<Descriptor>();
    return systemError("connect to the engine at", socket(), errno);
}

Result<Descriptor> EnginePlace::listen() const {
    PLUMB_TRY(Descriptor listening, newSocket(socket()));
    const sockaddr_un address = addressOf(socket());
    ::unlink(socket().c_str());
    if (::bind(listening.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        ::listen(listening.get(), kBacklog) != 0)
        return systemError("listen at", socket(), errno);
    return listening;
}

}  // namespace plumb::cli
