// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/help_actions.h"

#include "core/base/program_version.h"
#include "ui/manual/help_finder.h"
#include "ui/manual/manual_window.h"
#include "ui/shell/action_registry.h"
#include "ui/shell/shortcut_map.h"
#include "ui/shell/shortcut_sheet.h"
#include "ui/shell/view_stack.h"
#include "ui/theme/text.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/help_anchor.h"

#include <QApplication>
#include <QCursor>
#include <QDialog>
#include <QShortcut>

#include <utility>

namespace plumb::ui {
namespace {

constexpr const char* kHelpKey = "helpKey";

}  // namespace

HelpActions::HelpActions(ActionRegistry& actions, ViewStack& views, Settings& settings, Theme& theme,
                         QWidget& window)
    : QObject(&window),
      m_actions(actions),
      m_views(views),
      m_theme(theme),
      m_window(window),
      m_pointerThen(QCursor::pos()) {
    actions.add({QStringLiteral("help.manual"), tr("&Manual"),
                 tr("Read in the manual about what is pointed at or has the focus"),
                 QKeySequence::HelpContents},
                [this] { openManual(placeAtHand()); });
    actions.add({QStringLiteral("help.numbers"),
                 tr("&What the numbers mean"),
                 tr("Definition, formula, unit and source of every figure"),
                 {}},
                [this] {
                    openManual({QStringLiteral("figures"), {}});
                });
    actions.add({QStringLiteral("help.shortcuts"), tr("&Keyboard shortcuts"),
                 tr("List every shortcut, and choose others"), keys("Ctrl+/")},
                [this] { showShortcuts(); });
    actions.add({QStringLiteral("help.about"), tr("&About Plumbline"), tr("Version and licence"), {}},
                [this] { showAbout(); });
    m_shortcuts = new ShortcutMap(actions, settings, this);
    connect(qApp, &QApplication::focusChanged, this,
            [this](const QWidget*, QWidget* now) { followFocus(now); });
}

HelpActions::~HelpActions() = default;

void HelpActions::takeManualOf(HelpActions& old) { m_manual = std::move(old.m_manual); }

ManualWindow& HelpActions::manual() {
    if (!m_manual) m_manual = std::make_unique<ManualWindow>(m_theme);
    return *m_manual;
}

ManualWindow& HelpActions::openManual(const ManualPlace& place) {
    if (QWidget* const popup = QApplication::activePopupWidget()) popup->close();  // it would keep the keys
    manual().open(place);
    return manual();
}

PaletteSource HelpActions::source() {
    return [this](std::vector<PaletteEntry>& entries) {
        QString page, title;
        // Another language makes the window anew.
        if (m_headings.empty()) m_headings = ManualBook::headings(ManualBook::languageOfWindow(), m_theme);
        for (const ManualHit& hit : m_headings) {
            const bool isPage = page != hit.place.page;
            if (isPage) title = hit.title;
            page = hit.place.page;
            entries.push_back({.title = hit.title,
                               .kind = tr("Manual"),
                               .detail = isPage ? QString() : title,
                               .run = [this, place = hit.place] { openManual(place); },
                               .isToRead = true});
        }
    };
}

// A dialog that pops up has the keyboard while Qt calls the window below it the active one.
const QWidget* HelpActions::windowAtHand() const {
    if (const auto* popup = qobject_cast<const QDialog*>(QApplication::activePopupWidget())) return popup;
    return QApplication::activeWindow() ? QApplication::activeWindow() : &m_window;
}

ManualPlace HelpActions::placeAtHand() {
    const QPoint pointer = QCursor::pos();
    const QWidget* const active = windowAtHand();
    const QWidget* const pointed =
        pointer == std::exchange(m_pointerThen, pointer) ? nullptr : QApplication::widgetAt(pointer);
    const ManualBook& book = manual().book();
    const ManualPlace nothing = helpPlaceOf(m_window, book);
    if (pointed != nullptr && pointed->window() == active)
        if (ManualPlace place = helpPlaceOf(*pointed, book, pointer); place != nothing) return place;
    if (const QWidget* const focused = active->focusWidget())
        if (ManualPlace place = helpPlaceOf(*focused, book); place != nothing) return place;
    if (active != &m_window)
        if (ManualPlace place = helpPlaceOf(*active, book); place != nothing) return place;
    return helpPlaceOf(*m_views.currentView(), book);
}

void HelpActions::followFocus(QWidget* now) {
    m_pointerThen = QCursor::pos();
    auto* dialog = now == nullptr ? nullptr : qobject_cast<QDialog*>(now->window());
    if (dialog == nullptr || dialog->property(kHelpKey).toBool()) return;
    // One of another window is that window's.
    bool isOurs = false;
    for (const QObject* above = dialog; above != nullptr; above = above->parent())
        isOurs = isOurs || above == &m_window;
    if (!isOurs) return;
    dialog->setProperty(kHelpKey, true);
    connect(new QShortcut(QKeySequence::HelpContents, dialog), &QShortcut::activated, this,
            [this] { openManual(placeAtHand()); });
}

void HelpActions::showShortcuts() {
    auto* sheet = new ShortcutSheet(m_actions, *m_shortcuts, m_theme, &m_window);
    sheet->setAttribute(Qt::WA_DeleteOnClose);
    sheet->open();
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
