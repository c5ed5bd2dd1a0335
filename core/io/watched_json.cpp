// SPDX-License-Identifier: Apache-2.0
#include "core/io/watched_json.h"

#include "core/io/file.h"

#include <algorithm>
#include <span>
#include <utility>

namespace plumb {

Result<std::string> readFile(const std::string& path, std::size_t limitBytes, const ReadControl& control) {
    constexpr std::size_t kPiece = std::size_t{4} << 20U;
    PLUMB_TRY(const ReadableFile file, ReadableFile::open(path));
    // A small one is there at once, and one that is too large is refused by its size.
    if (file.size() <= kPiece || file.size() > limitBytes) return readFile(path, limitBytes);
    std::string content(static_cast<std::size_t>(file.size()), '\0');
    const std::span<std::byte> bytes = std::as_writable_bytes(std::span(content));
    for (std::size_t done = 0; done < bytes.size();) {
        if (control.isStopped()) return readingStopped(path);
        const std::size_t count = std::min(kPiece, bytes.size() - done);
        PLUMB_CHECK(file.read(done, bytes.subspan(done, count)));
        done += count;
        control.tell(static_cast<double>(done) / static_cast<double>(bytes.size()));
    }
    return content;
}

Result<nlohmann::json> parseJson(std::string_view text, const std::string& path, JsonInspector& inspector,
                                 const ReadControl& control) {
    nlohmann::json document;
    Result<void> sound = inspector.inspect(text, control, document);
    if (control.isStopped()) return readingStopped(path);
    PLUMB_CHECK(std::move(sound));
    return document;
}

}  // namespace plumb
