// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/palette_entry.h"

#include "ui/shell/fuzzy_match.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace plumb::ui {
namespace {

/// The title counts most; what is found by other words alone comes after it. What most entries fail at is
/// asked first: of ten thousand, few have the words anywhere.
std::optional<int> scoreOf(const PaletteEntry& entry, const FuzzyWords& typed, QString& room) {
    constexpr int kByKind = 100;
    constexpr int kByDetail = 400;
    constexpr int kByWords = 800;
    room.resize(0);
    room.append(entry.title).append(QLatin1Char(' ')).append(entry.kind);
    const qsizetype titled = room.size();
    room.append(QLatin1Char(' ')).append(entry.detail);
    if (const auto detailed = typed.score(room)) {
        // A page called as a word by itself, and an action that begins with it.
        constexpr int kToRead = 250;
        if (const auto score = typed.score(entry.title)) return *score - (entry.isToRead ? kToRead : 0);
        if (const auto score = typed.score(QStringView(room).first(titled))) return *score - kByKind;
        return *detailed - kByDetail;
    }
    if (const auto score = typed.score(entry.words)) return *score - kByWords;
    return std::nullopt;
}

}  // namespace

std::vector<PaletteEntry> ranked(const std::vector<PaletteEntry>& entries, const QString& typed,
                                 std::size_t most) {
    const FuzzyWords words(typed);
    QString room;
    std::vector<std::pair<int, std::size_t>> scored;
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (const auto score = scoreOf(entries[i], words, room)) scored.emplace_back(-*score, i);
    const auto end = scored.begin() + static_cast<std::ptrdiff_t>(std::min(most, scored.size()));
    std::ranges::partial_sort(scored, end);
    std::vector<PaletteEntry> best;
    for (auto one = scored.begin(); one != end; ++one) best.push_back(entries[one->second]);
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
