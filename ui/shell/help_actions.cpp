// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/help_actions.h"

#include "core/base/program_version.h"
#include "ui/shell/action_registry.h"
#include "ui/shell/shortcut_map.h"
#include "ui/shell/shortcut_sheet.h"
#include "ui/theme/text.h"
#include "ui/widgets/dialogs.h"

#include <QWidget>

namespace plumb::ui {

HelpActions::HelpActions(ActionRegistry& actions, Settings& settings, Theme& theme, QWidget& window)
    : QObject(&window), m_actions(actions), m_theme(theme), m_window(window) {
    actions.add({QStringLiteral("help.numbers"), tr("&What the numbers mean"),
                 tr("Explain predicted, measured and where each number comes from"),
                 QKeySequence::HelpContents},
                [this] { showNumbers(); });
    actions.add({QStringLiteral("help.shortcuts"), tr("&Keyboard shortcuts"),
                 tr("List every shortcut, and choose others"), keys("Ctrl+/")},
                [this] { showShortcuts(); });
    actions.add({QStringLiteral("help.about"), tr("&About Plumbline"), tr("Version and licence"), {}},
                [this] { showAbout(); });
    m_shortcuts = new ShortcutMap(actions, settings, this);
}

void HelpActions::showShortcuts() {
    auto* sheet = new ShortcutSheet(m_actions, *m_shortcuts, m_theme, &m_window);
    sheet->setAttribute(Qt::WA_DeleteOnClose);
    sheet->open();
}

void HelpActions::showNumbers() {
    showPage(
        m_window, tr("What the numbers mean"),
        tr("<h3>Every number twice</h3>"
           "<p><b>Predicted</b> is computed from the settings alone: the list of operations and tensors of "
           "one step, and "
           "the ceilings of the machine. Nothing runs for it.</p>"
           "<p><b>Measured</b> comes from a run: seconds from the clock (median of repeated steps), bytes "
           "from an allocator "
           "that counts what it really handed out. What was not measured is shown as –, never filled in.</p>"
           "<h3>Memory</h3><p>Bytes that are alive while an operation runs, by category. Predicted and "
           "measured must agree "
           "to the byte.</p>"
           "<h3>FLOP and bytes</h3><p>One multiply, add, compare, divide or square root is one FLOP; a fused "
           "multiply-add is "
           "two. Bytes of an operation are the compulsory traffic: every distinct input read once, every "
           "output written "
           "once.</p>"
           "<h3>Time</h3><p>Of an operation: the larger of FLOP / peak and bytes / bandwidth, plus an "
           "overhead. The ceilings "
           "are of a data sheet, or of this machine after <i>Calibrate</i>.</p>"
           "<h3>MFU</h3><p>Model FLOP utilisation: FLOP of the matrix products without recomputation, per "
           "second, as a share "
           "of the peak.</p>"
           "<h3>Timeline</h3><p>When each operation of the last profiled steps ran, by the clock before and "
           "after it; below it, hollow, its predicted time. The wheel or W and S zoom, A and D or dragging "
           "pan, F fits what is selected, 0 shows all, Shift with dragging selects a range whose sums stand "
           "below, arrows go to the neighbouring bar, Esc clears.</p>"
           "<h3>What-if</h3><p>Settings may be moved while a run goes on. The predictions follow at once; "
           "the measured "
           "numbers stay those of the run, and the difference says <i>what-if</i>. <i>Apply</i> restarts the "
           "run.</p>"
           "<p>Point at any number for its exact value, its formula and its source. Prefixes are decimal: 1 "
           "GB is 10⁹ "
           "bytes.</p>"));
}

void HelpActions::showAbout() {
    showPage(m_window, tr("About Plumbline"),
             tr("<h2>Plumbline</h2><p>%1</p><p>Shows what a training step costs before it runs, runs it, and "
                "shows what it "
                "really cost.</p><p>This window is free software under the GNU General Public License, "
                "version 3 or later; "
                "the parts below it are under the Apache License 2.0.</p><p>Built with Qt %2.</p>")
                 .arg(toText(programVersion()).toHtmlEscaped(), QLatin1String(qVersion())));
}

}  // namespace plumb::ui
