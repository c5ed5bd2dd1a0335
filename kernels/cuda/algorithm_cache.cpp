// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/algorithm_cache.h"

#include "core/io/file.h"
#include "core/io/file_lock.h"
#include "core/io/json_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <cstdlib>
#include <filesystem>

namespace plumb::cuda {

namespace {

using nlohmann::json;

constexpr const char* kFormat = "plumbline.matmul-algorithms";
constexpr int kVersion = 2;  // 1: sums of parts in place, whatever the result
constexpr std::size_t kMostBytes = std::size_t{4} << 20U;
constexpr std::size_t kDigits = 16;

std::string hexOf(const ChosenAlgorithm& chosen) {
    std::string text;
    for (const std::uint64_t word : chosen.data) text += fmt::format("{:016x}", word);
    return text;
}

bool readHex(const std::string& text, ChosenAlgorithm& chosen) {
    if (text.size() != chosen.data.size() * kDigits) return false;
    for (std::size_t i = 0; i < chosen.data.size(); ++i) {
        const char* const begin = text.data() + i * kDigits;
        const auto read = std::from_chars(begin, begin + kDigits, chosen.data[i], 16);
        if (read.ec != std::errc() || read.ptr != begin + kDigits) return false;
    }
    return true;
}

Error damaged(const std::string& path) {
    return {ErrorCode::BadInput, fmt::format("the kept choices of matrix products cannot be read ({})", path),
            "delete the file; they are made again"};
}

}  // namespace

Result<AlgorithmCache> AlgorithmCache::load(Owner owner, const std::string& path) {
    AlgorithmCache cache(std::move(owner));
    std::error_code problem;
    if (path.empty() || !std::filesystem::exists(path, problem)) return cache;
    PLUMB_TRY(const std::string text, readFile(path, kMostBytes));
    const auto parsed = parseJson(text, path);
    if (!parsed.has_value()) return damaged(path);
    const json& document = *parsed;
    if (!document.is_object() || document.value("format", json()) != kFormat ||
        !document.contains("products") || !document["products"].is_object())
        return damaged(path);
    const bool ours = document.value("version", json()) == kVersion &&
                      document.value("machine", json()) == cache.m_owner.machine &&
                      document.value("driver", json()) == cache.m_owner.driver &&
                      document.value("library", json()) == cache.m_owner.library;
    if (!ours) return cache;
    for (const auto& [product, entry] : document["products"].items()) {
        ChosenAlgorithm chosen;
        const json algorithm = entry.is_object() ? entry.value("algorithm", json()) : json();
        const json seconds = entry.is_object() ? entry.value("seconds", json()) : json();
        if (!algorithm.is_string() || !seconds.is_number() || !readHex(algorithm.get<std::string>(), chosen))
            return damaged(path);
        chosen.seconds = seconds.get<double>();
        cache.m_entries.emplace(product, chosen);
    }
    return cache;
}

Result<void> AlgorithmCache::save(const std::string& path) const {
    if (path.empty())
        return Error{ErrorCode::Io, "there is no folder to keep the choices of matrix products in",
                     "set HOME or XDG_CACHE_HOME"};
    std::error_code problem;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), problem);
    PLUMB_TRY(const FileLock lock, FileLock::acquire(path + ".lock"));
    auto all = m_entries;
    // A file that cannot be read is made anew.
    if (const auto kept = load(m_owner, path); kept.has_value())
        for (const auto& [product, chosen] : kept->m_entries)
            if (!m_removed.contains(product)) all.emplace(product, chosen);
    json products = json::object();
    for (const auto& [product, chosen] : all)
        products[product] = json{{"algorithm", hexOf(chosen)}, {"seconds", chosen.seconds}};
    const json document{{"format", kFormat},          {"version", kVersion},
                        {"machine", m_owner.machine}, {"driver", m_owner.driver},
                        {"library", m_owner.library}, {"products", std::move(products)}};
    return writeFileAtomically(path, document.dump(1) + "\n");
}

std::optional<ChosenAlgorithm> AlgorithmCache::find(std::string_view product) const {
    const auto found = m_entries.find(product);
    if (found == m_entries.end()) return std::nullopt;
    return found->second;
}

void AlgorithmCache::add(std::string product, const ChosenAlgorithm& chosen) {
    m_removed.erase(product);
    m_entries.insert_or_assign(std::move(product), chosen);
    m_changed = true;
}

void AlgorithmCache::remove(std::string_view product) {
    const auto found = m_entries.find(product);
    if (found == m_entries.end()) return;
    m_removed.insert(found->first);
    m_entries.erase(found);
    m_changed = true;
}

std::string algorithmCachePath(std::string_view machine) {
    const char* const set = std::getenv("XDG_CACHE_HOME");
    const char* const home = std::getenv("HOME");
    std::string folder;
    if (set != nullptr && set[0] == '/')
        folder = set;
    else if (home != nullptr && home[0] != '\0')
        folder = std::string(home) + "/.cache";
    return folder.empty() ? folder : fmt::format("{}/plumbline/matmul-{}.json", folder, machine);
}

}  // namespace plumb::cuda
