// SPDX-License-Identifier: GPL-3.0-or-later
// Sections of the tables beside the lanes: a name, a time and a share in each row.
#pragma once

#include "ui/opened/opened_trace.h"
#include "ui/trace/trace_scope.h"

#include <QString>

class QTreeWidget;
class QTreeWidgetItem;

namespace plumb::ui {

class Theme;

inline constexpr std::size_t kMostTopKernels = 20;
/// Where a row keeps the slice that a click on it selects.
inline constexpr int kSliceRole = Qt::UserRole + 1;

[[nodiscard]] QString idleText(trace::IdleCause cause);
[[nodiscard]] QString pathClassText(trace::PathClass kind);
[[nodiscard]] QString traceShare(trace::Nanoseconds part, trace::Nanoseconds whole);

QTreeWidgetItem* addTraceRow(QTreeWidgetItem* parent, const QString& name, trace::Nanoseconds time,
                             const QString& share);
QTreeWidgetItem* addTraceSection(QTreeWidget* tree, const QString& name, const QString& time,
                                 const QString& share, const QString& definition);
/// A row that says why there are no figures.
void addTraceSentence(QTreeWidgetItem* section, const QString& sentence);
/// A section of one sentence.
void addTraceNote(QTreeWidget* tree, const QString& name, const QString& sentence);

void addTraceLaunches(QTreeWidget* tree, Theme& theme, const trace::DeviceFigures& device);
void addTracePath(QTreeWidget* tree, const OpenedTrace& opened, const ScopeFigures& figures);
void addTraceOps(QTreeWidget* tree, const OpenedTrace& opened);
void addTraceModules(QTreeWidget* tree, const OpenedTrace& opened);
/// All sections, of a scope; launches, ops and modules are those of the whole trace.
void fillTraceTables(QTreeWidget* tree, Theme& theme, const OpenedTrace& opened, const ScopeFigures& figures);

}  // namespace plumb::ui
