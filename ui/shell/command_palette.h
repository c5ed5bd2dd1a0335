// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/shell/palette_entry.h"

#include <QDialog>

class QLineEdit;
class QListWidget;

namespace plumb::ui {

class Theme;

/// A list of everything that can be gone to, set or done, which narrows while typing, the best first; before
/// that, what was taken last and the views come first. Enter takes the marked one. The arrow keys and those
/// of pages move the mark while the search keeps the keyboard.
class CommandPalette final : public QDialog {
    Q_OBJECT
public:
    CommandPalette(Theme& theme, QWidget* parent);
    /// What it finds from now on.
    void setSources(PaletteSources sources) { m_sources = std::move(sources); }
    void popUp();
    /// Asks the sources again, some of which know more now; what is marked stays so. Nothing while hidden.
    void refresh();

signals:
    void poppedUp();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void fill(const QString& typed);
    /// Those that answer, of what the sources had when a letter was typed first.
    [[nodiscard]] std::vector<PaletteEntry> found(const QString& typed);
    void runCurrent();

    PaletteSources m_sources;
    std::vector<PaletteEntry> m_all;      ///< of the sources; empty: not asked for since it popped up
    std::vector<PaletteEntry> m_entries;  ///< one a row
    QStringList m_recent;                 ///< names of those that were taken, the newest first
    QLineEdit* m_search;
    QListWidget* m_list;
};

}  // namespace plumb::ui
