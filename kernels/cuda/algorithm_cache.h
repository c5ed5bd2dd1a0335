// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantity.h"
#include "core/base/result.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace plumb::cuda {

/// How the matrix library is to compute one product: its own 64 bytes, which mean nothing to anybody else.
struct ChosenAlgorithm {
    std::array<std::uint64_t, 8> data{};
    Seconds seconds = 0;  ///< that it took when it was chosen
    bool operator==(const ChosenAlgorithm&) const = default;
};

/// The choices that were made on one machine, by product. Kept in a file, so that a training run repeats the
/// bits of the run before it and starts without timing anything.
class AlgorithmCache {
public:
    /// Whose choices these are: another GPU, driver or library makes its own.
    struct Owner {
        std::string machine;  ///< Machine::id
        std::int64_t driver = 0;
        std::int64_t library = 0;
        bool operator==(const Owner&) const = default;
    };

    explicit AlgorithmCache(Owner owner) : m_owner(std::move(owner)) {}

    /// What the file of an owner's machine holds; empty where there is none, or it is of another driver or
    /// library. Errors: BadInput for a file that is damaged; Io.
    [[nodiscard]] static Result<AlgorithmCache> load(Owner owner, const std::string& path);
    /// Puts these into the file, beside what other programs have chosen for other products in the meantime;
    /// one writes at a time. Errors: Io.
    [[nodiscard]] Result<void> save(const std::string& path) const;

    [[nodiscard]] std::optional<ChosenAlgorithm> find(std::string_view product) const;
    void add(std::string product, const ChosenAlgorithm& chosen);
    void remove(std::string_view product);
    [[nodiscard]] std::size_t size() const { return m_entries.size(); }
    [[nodiscard]] bool changed() const { return m_changed; }

private:
    Owner m_owner;
    std::map<std::string, ChosenAlgorithm, std::less<>> m_entries;
    std::set<std::string, std::less<>> m_removed;  ///< and not added again: not to come back out of the file
    bool m_changed = false;
};

/// The file in $XDG_CACHE_HOME/plumbline or ~/.cache/plumbline; empty where there is no home.
[[nodiscard]] std::string algorithmCachePath(std::string_view machine);

}  // namespace plumb::cuda
