// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

namespace plumb::ui {

/// Something that the palette finds.
struct PaletteEntry {
    QString title;
    QString kind;    ///< "Setting": stands beside it, and is found by its name, too
    QString detail;  ///< a sentence, or other words that it is found by
    QString keys;    ///< a shortcut, or a value that is in force
    std::function<void()> run;
    QString words = {};    ///< it is found by them last, and they are not shown: English ones in any language
    bool isPlace = false;  ///< before others while nothing is typed: where somebody may want to go
    bool isToRead = false;  ///< behind what does something and has that in its name, too

    /// By which it is known again.
    [[nodiscard]] QString name() const { return kind + QLatin1Char('\n') + title; }
};

/// Adds what it has.
using PaletteSource = std::function<void(std::vector<PaletteEntry>& entries)>;

/// What a palette finds. What does not fit is sorted out behind them.
struct PaletteSources {
    std::vector<PaletteSource> offered;  ///< before a letter is typed, too
    std::vector<PaletteSource> sought;   ///< thousands: only when somebody looks for one
    /// What was asked for to the letter; called for each text.
    std::function<void(const QString& typed, std::vector<PaletteEntry>& entries)> asked;
};

/// Those that answer `typed`, the best first, `most` at the most; of equal ones, in the order given.
[[nodiscard]] std::vector<PaletteEntry> ranked(const std::vector<PaletteEntry>& entries, const QString& typed,
                                               std::size_t most);

/// What is offered while nothing is typed: those of these names, in their order, then places, then the rest
/// as given, `most` at the most.
[[nodiscard]] std::vector<PaletteEntry> offered(std::vector<PaletteEntry> entries, const QStringList& recent,
                                                std::size_t most);

}  // namespace plumb::ui
