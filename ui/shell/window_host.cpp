// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window_host.h"

#include "ui/settings/settings.h"
#include "ui/shell/document_tab.h"
#include "ui/shell/layout_actions.h"
#include "ui/shell/main_window.h"
#include "ui/shell/preferences_actions.h"
#include "ui/shell/view_actions.h"
#include "ui/shell/window_frame.h"
#include "ui/theme/list_text.h"
#include "ui/theme/translations.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace plumb::ui {
namespace {

constexpr int kPause = 500;  // milliseconds; longer than between two keys that go to one choice

}  // namespace

WindowHost::WindowHost(Settings& settings, Theme& theme, Translations& translations)
    : m_settings(settings), m_theme(theme), m_translations(translations), m_made(settings.preferences()) {
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPause);
    connect(&m_pause, &QTimer::timeout, this, &WindowHost::followPreferences);
    addFrame().addPage();
}

WindowHost::~WindowHost() = default;

MainWindow& WindowHost::window() { return frame().currentPage(); }

WindowFrame& WindowHost::addFrame() {
    m_frames.push_back(std::make_unique<WindowFrame>(m_settings, m_theme));
    WindowFrame* const made = m_frames.back().get();
    connect(made, &WindowFrame::pageMade, this, [this](MainWindow* page) {
        follow(*page);
        emit pageMade(page);
    });
    connect(made, &WindowFrame::pageRebuilt, this, [this](MainWindow* page) { follow(*page); });
    connect(made, &WindowFrame::windowWanted, this, [this](MainWindow* page) { giveWindow(*page); });
    // Queued: it closes just now. The first one is asked for its state when the program ends.
    connect(
        made, &WindowFrame::closed, this,
        [this, made] {
            if (m_frames.size() > 1)
                std::erase_if(m_frames, [made](const auto& each) { return each.get() == made; });
        },
        Qt::QueuedConnection);
    return *made;
}

void WindowHost::follow(MainWindow& page) {
    // Queued: the action belongs to the page that goes.
    for (const QString& id : ViewActions::languages())
        connect(page.actions().action(id), &QAction::triggered, this, &WindowHost::followPreferences,
                Qt::QueuedConnection);
    // The dialog goes with its window: what is pressed until the next one is there would be lost.
    connect(page.findChild<PreferencesActions*>(), &PreferencesActions::changed, &m_pause,
            qOverload<>(&QTimer::start));
    connect(page.actions().action(LayoutActions::resetId()), &QAction::triggered, this, &WindowHost::rebuild,
            Qt::QueuedConnection);
}

void WindowHost::giveWindow(MainWindow& page) {
    WindowFrame& other = addFrame();
    other.adopt(page);
    const QWidget& first = frame();
    constexpr int kBeside = 40;
    other.resize(first.size());
    other.move(first.pos() + QPoint(kBeside, kBeside));
    other.show();
    emit windowMade(&other);
}

void WindowHost::restore() {
    const DocumentSettings documents = m_settings.documents();
    if (!documents.isRestored || documents.open.isEmpty()) return;
    QStringList there, gone;
    for (const QString& path : documents.open) (QFileInfo::exists(path) ? there : gone) << path;
    MainWindow& first = window();
    if (!there.isEmpty()) first.tab().comeBack(there.front());
    for (const QString& path : there.mid(1)) frame().addLater(path);
    if (const auto current = there.indexOf(documents.open.value(documents.current)); current > 0)
        frame().goTo(static_cast<int>(current));
    if (!gone.isEmpty()) tellGone(gone);
}

// A notice lasts for seconds, and reading may take longer: it is told when somebody can look.
void WindowHost::tellGone(const QStringList& gone) {
    MainWindow& shown = window();
    const auto tell = [&shown, gone] {
        emit shown.controller().noticed(tr("Not there any more, and so not opened: %1").arg(listText(gone)));
    };
    if (!shown.document().opening()) return tell();
    auto* const reading = new QObject(&shown);
    connect(&shown.document(), &Document::changed, reading, [&shown, reading, tell] {
        if (shown.document().opening()) return;
        shown.document().disconnect(reading);
        reading->deleteLater();
        tell();
    });
}

void WindowHost::followPreferences() {
    const Preferences wanted = m_settings.preferences();
    if (!wanted.needsNewWindow(m_made)) return;
    if (wanted.language != m_made.language) m_translations.use(wanted.language);
    m_made = wanted;
    rebuild();
}

void WindowHost::rebuild() {
    for (const auto& each : m_frames) {
        const auto preferences = each->currentPage().findChild<PreferencesActions*>()->opened();
        each->rebuild();
        if (preferences) each->currentPage().findChild<PreferencesActions*>()->resume(*preferences);
    }
    emit windowChanged();
}

}  // namespace plumb::ui
