// SPDX-License-Identifier: Apache-2.0
#include "core/data/data_fingerprint.h"

#include "core/base/content_hash.h"
#include "core/io/file.h"
#include "core/io/json_fields.h"
#include "core/model/data_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace plumb {

namespace {

constexpr std::uint64_t kWholeBytes = std::uint64_t{256} << 20U;
constexpr std::uint64_t kPieces = 1024;
constexpr std::uint64_t kPieceBytes = 65536;

Result<DataFingerprint> fingerprintOf(const std::string& option, const std::string& path) {
    PLUMB_TRY(const ReadableFile file, ReadableFile::open(parseDataPath(path).file));
    ContentHash hash;
    std::vector<std::byte> piece(static_cast<std::size_t>(std::min(kPieceBytes, file.size())));
    const bool whole = file.size() <= kWholeBytes;
    const std::uint64_t pieces = whole ? (file.size() + kPieceBytes - 1) / kPieceBytes : kPieces;
    for (std::uint64_t i = 0; i < pieces; ++i) {
        // The distance first: the product with the size of a large file has more than 64 bits.
        const std::uint64_t last = file.size() - kPieceBytes;
        const std::uint64_t begin = whole             ? i * kPieceBytes
                                    : i + 1 == pieces ? last
                                                      : i * (last / (kPieces - 1));
        const auto count = static_cast<std::size_t>(std::min(kPieceBytes, file.size() - begin));
        PLUMB_CHECK(file.read(begin, std::span(piece).first(count)));
        hash.add(std::span(piece).first(count));
    }
    return DataFingerprint{option, path, file.size(), hash.hex()};
}

}  // namespace

Result<std::vector<DataFingerprint>> dataFingerprints(const RunConfig& config) {
    std::vector<DataFingerprint> data;
    if (config.data == "synthetic") return data;
    for (const auto& [option, path] :
         {std::pair("data", config.data), std::pair("targets", config.targets)}) {
        if (path.empty()) continue;
        PLUMB_TRY(DataFingerprint fingerprint, fingerprintOf(option, path));
        data.push_back(std::move(fingerprint));
    }
    return data;
}

std::string differingData(const std::vector<DataFingerprint>& then, const std::vector<DataFingerprint>& now) {
    if (then.size() != now.size())
        return fmt::format("was trained on {} data files, and {} are given here", then.size(), now.size());
    for (std::size_t i = 0; i < then.size(); ++i) {
        if (then[i].option != now[i].option ||
            parseDataPath(then[i].path).part != parseDataPath(now[i].path).part)
            return fmt::format("was trained on other {} ({} {} then, {} {} here)", now[i].option,
                               then[i].option, then[i].path, now[i].option, now[i].path);
        if (then[i].bytes != now[i].bytes)
            return fmt::format("was trained on other {} ({} had {} bytes then, and {} has {} here)",
                               now[i].option, then[i].path, then[i].bytes, now[i].path, now[i].bytes);
        if (then[i].hash != now[i].hash)
            return fmt::format("was trained on other {} ({} has as many bytes as then and another content)",
                               now[i].option, now[i].path);
    }
    return {};
}

std::string movedData(const std::vector<DataFingerprint>& then, const std::vector<DataFingerprint>& now) {
    std::string moved;
    for (std::size_t i = 0; i < std::min(then.size(), now.size()); ++i)
        if (then[i].path != now[i].path)
            moved += fmt::format("{}{} {} was {}", moved.empty() ? "" : ", ", now[i].option, now[i].path,
                                 then[i].path);
    return moved;
}

std::string toText(const std::vector<DataFingerprint>& data) {
    nlohmann::json list = nlohmann::json::array();
    for (const DataFingerprint& file : data)
        list.push_back(
            {{"option", file.option}, {"path", file.path}, {"bytes", file.bytes}, {"xxh64", file.hash}});
    return dumpJson(list);
}

Result<std::vector<DataFingerprint>> dataFingerprintsFrom(const std::string& text, const std::string& what) {
    PLUMB_TRY(const nlohmann::json document, parseJson(text, what));
    JsonField::Problem problem;
    const JsonField list(document, what, problem);
    std::vector<DataFingerprint> data;
    const std::size_t count = list.arraySize();
    for (std::size_t i = 0; i < count && list.ok(); ++i) {
        const JsonField entry = list.at(i);
        data.push_back({entry["option"].text(), entry["path"].text(),
                        static_cast<std::uint64_t>(entry["bytes"].count()), entry["xxh64"].text()});
    }
    if (problem) return *std::move(problem);
    return data;
}

}  // namespace plumb
