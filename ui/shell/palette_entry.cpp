// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/palette_entry.h"

#include "ui/shell/fuzzy_match.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace plumb::ui {
namespace {

/// The title counts most; what is found by other words alone comes after it.
std::optional<int> scoreOf(const PaletteEntry& entry, const QString& typed) {
    constexpr int kByKind = 100;
    constexpr int kByDetail = 400;
    constexpr int kByWords = 800;
    if (entry.isFirst) return std::numeric_limits<int>::max();
    if (const auto score = fuzzyScore(entry.title, typed)) return score;
    const QString titled = entry.title + QLatin1Char(' ') + entry.kind;
    if (const auto score = fuzzyScore(titled, typed)) return *score - kByKind;
    if (const auto score = fuzzyScore(titled + QLatin1Char(' ') + entry.detail, typed))
        return *score - kByDetail;
    if (const auto score = fuzzyScore(entry.words, typed)) return *score - kByWords;
    return std::nullopt;
}

}  // namespace

std::vector<PaletteEntry> ranked(std::vector<PaletteEntry> entries, const QString& typed, std::size_t most) {
    std::vector<std::pair<int, std::size_t>> scored;
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (const auto score = scoreOf(entries[i], typed)) scored.emplace_back(*score, i);
    std::ranges::stable_sort(scored, std::ranges::greater{}, &std::pair<int, std::size_t>::first);
    if (scored.size() > most) scored.resize(most);
    std::vector<PaletteEntry> best;
    best.reserve(scored.size());
    for (const auto& [score, i] : scored) best.push_back(std::move(entries[i]));
    return best;
}

std::vector<PaletteEntry> offered(std::vector<PaletteEntry> entries, const QStringList& recent,
                                  std::size_t most) {
    const auto rank = [&](const PaletteEntry& entry) {
        const qsizetype used = recent.indexOf(entry.name());
        return used >= 0 ? used : recent.size() + (entry.isPlace ? 0 : 1);
    };
    std::ranges::stable_sort(entries, {}, rank);
    if (entries.size() > most) entries.resize(most);
    return entries;
}

}  // namespace plumb::ui
