// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace plumb::ui {

/// Snapshots that come with the program, recorded on real hardware: those in PLUMBLINE_SAMPLES where that is
/// set, else beside an installation or in the source tree that the program was built in. By name.
[[nodiscard]] QStringList sampleFiles();

/// "h200 compute" of ".../h200-compute.plumb"; of those that we made, in the words of the window.
[[nodiscard]] QString sampleTitle(const QString& path);

/// Whether `path` is one of them, and so not a place to save to.
[[nodiscard]] bool isSampleFile(const QString& path);

}  // namespace plumb::ui
