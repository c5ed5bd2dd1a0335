// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/view_docks.h"

#include "core/base/entry_at.h"
#include "ui/shell/view_dock.h"
#include "ui/shell/view_page.h"
#include "ui/shell/view_stack.h"
#include "ui/theme/text.h"

#include <QApplication>
#include <QFocusEvent>
#include <QWindow>

#include <algorithm>
#include <utility>

namespace plumb::ui {
namespace {

constexpr int kKeepMs = 500;            // a window that is dragged moves many times
constexpr QSize kWindowSize(900, 640);  // of a view that was never a window

/// A window that comes with its document leaves the keyboard where it is.
void showQuietly(QWidget& dock) {
    dock.setAttribute(Qt::WA_ShowWithoutActivating);
    dock.show();
    dock.setAttribute(Qt::WA_ShowWithoutActivating, false);
}

/// The window that a dock was made in is not the one that it is shown with: a page is made before it is put
/// into its frame, and may go to another one. Qt tells the window manager of the former.
void belongTo(const QWidget& window, const QWidget& dock) {
    if (QWindow* const handle = dock.windowHandle()) handle->setTransientParent(window.windowHandle());
}

}  // namespace

ViewDocks::ViewDocks(ViewStack& views, QWidget& middle, Settings& settings, QWidget* parent)
    : QMainWindow(parent), m_views(views), m_settings(settings) {
    setObjectName(QStringLiteral("viewDocks"));
    setWindowFlags(Qt::Widget);
    setContextMenuPolicy(Qt::NoContextMenu);  // its menu hides docks
    setDockOptions(AllowNestedDocks | AllowTabbedDocks);
    setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
    setCentralWidget(&middle);
    m_keeping.setSingleShot(true);
    m_keeping.setInterval(kKeepMs);
    connect(&m_keeping, &QTimer::timeout, this, [this] { m_settings.setLayout(layoutNow()); });
    connect(&views, &ViewStack::lentViewWanted, this, &ViewDocks::show);
    connect(&views, &ViewStack::tabsChanged, this, &ViewDocks::followTabs);
    connect(&views, &ViewStack::gatherWanted, this, [this](bool on) { on ? gather() : scatter(); });
    qApp->installEventFilter(this);
}

ViewDock* ViewDocks::dockOf(int tab) const {
    const auto found = std::ranges::find_if(m_docks, [&](const auto* dock) { return dock->tab() == tab; });
    return found == m_docks.end() ? nullptr : *found;
}

ViewDock& ViewDocks::dock(int tab) {
    if (ViewDock* const there = dockOf(tab)) return *there;
    const ViewStack::Spec& spec = entryAt(ViewStack::views(), tab);
    auto* made = new ViewDock(tab, QString::fromLatin1(spec.id), withoutMnemonic(ViewStack::tr(spec.title)),
                              m_views.lend(tab), this);
    m_docks.push_back(made);
    // Queued: the button of its title has asked for it.
    connect(
        made, &ViewDock::putBackWanted, this, [this, tab] { putBack(tab); }, Qt::QueuedConnection);
    for (const auto told : {&QDockWidget::topLevelChanged, &QDockWidget::visibilityChanged})
        connect(made, told, this, &ViewDocks::keepSoon);
    connect(made, &QDockWidget::topLevelChanged, this, &ViewDocks::changed);
    connect(made, &QDockWidget::dockLocationChanged, this, &ViewDocks::keepSoon);
    return *made;
}

int ViewDocks::tabInWindow() const {
    const ViewDock* const current = dockOf(m_views.currentTab());
    return current != nullptr && current->isFloating() ? m_views.shownTab() : m_views.currentTab();
}

void ViewDocks::take(int tab, Place where) {
    const bool isNew = dockOf(tab) == nullptr;
    if (m_isQuiet || (isNew && !m_views.canLend(tab))) return;
    ViewDock& taken = dock(tab);
    if (where == Place::Window) {
        if (isNew) addDockWidget(Qt::RightDockWidgetArea, &taken);
        taken.setFloating(true);
        if (isNew) {
            const QRect whole = window()->frameGeometry();
            QRect room(whole.topLeft(), kWindowSize.boundedTo(whole.size()));
            room.moveCenter(whole.center());
            taken.setGeometry(room);
        }
    } else {
        taken.setFloating(false);
        place(taken, where);
    }
    m_views.goToTab(tab);
    keepSoon();
    emit changed();
}

// Two beside each other at a side, which a low screen has room for too, and more in tabs with the last of
// them.
void ViewDocks::place(ViewDock& dock, Place at) {
    constexpr std::size_t kMostBeside = 2;
    const bool isRight = at == Place::Right;
    const auto area = isRight ? Qt::RightDockWidgetArea : Qt::BottomDockWidgetArea;
    std::vector<ViewDock*> there;
    for (ViewDock* each : m_docks)
        if (each != &dock && !each->isFloating() && dockWidgetArea(each) == area) there.push_back(each);
    addDockWidget(area, &dock);
    if (there.size() >= kMostBeside) tabifyDockWidget(there.back(), &dock);
    // Half of the room each, as long as there is nothing else.
    resizeDocks({&dock}, {(isRight ? width() : height()) / 2}, isRight ? Qt::Horizontal : Qt::Vertical);
}

void ViewDocks::bringBack(ViewDock& dock) {
    const int tab = dock.tab();
    std::erase(m_docks, &dock);
    dock.disconnect(this);
    m_views.takeBack(tab);  // which takes the page
    removeDockWidget(&dock);
    dock.deleteLater();
}

void ViewDocks::putBack(int tab) {
    ViewDock* const back = dockOf(tab);
    if (back == nullptr) return;
    bringBack(*back);
    if (m_views.isThere(tab)) m_views.goToTab(tab);
    keepSoon();
    emit changed();
}

void ViewDocks::putAllBack() {
    if (m_docks.empty()) return;
    const int current = m_views.currentTab();
    for (auto* dock : std::vector(m_docks)) bringBack(*dock);
    m_views.setCurrentTab(current);
    keepSoon();
    emit changed();
}

void ViewDocks::show(int tab) {
    ViewDock* const shown = dockOf(tab);
    if (shown == nullptr || !isVisible()) return;
    shown->show();
    shown->raise();
    if (shown->isFloating()) shown->activateWindow();
}

// Of the views that are in sight the one that is worked in is the current one. Where the focus falls when a
// view or a window hides is nobody's wish, so deeds are followed, not the focus.
void ViewDocks::follow(const QWidget& used) {
    int tab = -1;
    if (m_views.isAncestorOf(&used)) tab = m_views.shownTab();
    for (const auto* dock : m_docks)
        if (dock->isAncestorOf(&used)) tab = dock->tab();
    if (tab >= 0 && tab != m_views.currentTab()) m_views.setCurrentTab(tab);
}

// What shows an opened file goes with it.
void ViewDocks::followTabs() {
    for (auto* dock : std::vector(m_docks))
        if (!m_views.isThere(dock->tab())) {
            bringBack(*dock);
            emit changed();
        }
}

LayoutSettings ViewDocks::layoutNow() const {
    LayoutSettings layout = m_settings.layout();
    layout.outside.clear();
    for (const auto* dock : m_docks)
        layout.outside << QString::fromLatin1(entryAt(ViewStack::views(), dock->tab()).id);
    layout.docks = m_docks.empty() ? QByteArray() : saveState();
    return layout;
}

void ViewDocks::restore() { restore(m_settings.layout()); }

void ViewDocks::restore(const LayoutSettings& layout) {
    const bool wasQuiet = std::exchange(m_isQuiet, true);
    for (const QString& id : layout.outside) {
        const int tab = ViewStack::tabOf(id);
        if (tab >= 0 && m_views.canLend(tab)) addDockWidget(Qt::RightDockWidgetArea, &dock(tab));
    }
    if (!m_docks.empty()) restoreState(layout.docks);
    for (auto* dock : m_docks)
        if (!dock->isFloating() || isVisible())
            showQuietly(*dock);
        else
            dock->hide();
    m_isQuiet = wasQuiet;
    emit changed();
}

void ViewDocks::restoreFrom(ViewDocks& old) {
    old.keep();
    if (m_settings.layout() != LayoutSettings()) restore(old.layoutNow());
}

void ViewDocks::gather() {
    keep();
    m_gathered = layoutNow();
    m_isQuiet = true;
    putAllBack();
}

void ViewDocks::scatter() {
    const int current = m_views.currentTab();
    restore(std::exchange(m_gathered, {}));
    m_views.setCurrentTab(current);
    m_isQuiet = false;
}

void ViewDocks::keep() {
    if (!m_keeping.isActive()) return;
    m_keeping.stop();
    m_settings.setLayout(layoutNow());
}

// A moment later, when the window has come to rest.
void ViewDocks::keepSoon() {
    if (!m_isQuiet && isVisible()) m_keeping.start();
}

bool ViewDocks::eventFilter(QObject* watched, QEvent* event) {
    if (m_docks.empty()) return false;
    switch (event->type()) {
    case QEvent::Resize:
    case QEvent::Move:
        if (std::ranges::find(m_docks, watched) != m_docks.end()) keepSoon();
        break;
    case QEvent::FocusIn:
        if (const auto reason = static_cast<QFocusEvent*>(event)->reason();
            reason != Qt::TabFocusReason && reason != Qt::BacktabFocusReason)
            break;
        [[fallthrough]];
    case QEvent::MouseButtonPress:
    case QEvent::ShortcutOverride:
        if (const auto* used = qobject_cast<QWidget*>(watched)) follow(*used);
        break;
    default:
        break;
    }
    return false;
}

// Windows of a document are there while it is shown. One that a window manager gets before the window that it
// belongs to is not kept above that.
void ViewDocks::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    if (event->spontaneous()) return;
    const QWindow* const handle = window()->windowHandle();
    if (handle != nullptr && handle->isVisible())
        showWindows();
    else
        QTimer::singleShot(0, this, &ViewDocks::showWindows);
}

// Where the platform makes a new window the active one all the same, that is taken back.
void ViewDocks::showWindows() {
    if (!isVisible()) return;
    bool isAny = false;
    for (auto* dock : m_docks) {
        if (!dock->isFloating()) continue;
        belongTo(*window(), *dock);
        showQuietly(*dock);
        isAny = true;
    }
    if (isAny) QTimer::singleShot(0, this, [this] { window()->activateWindow(); });
}

void ViewDocks::hideEvent(QHideEvent* event) {
    if (!event->spontaneous()) {
        keep();
        for (auto* dock : m_docks)
            if (dock->isFloating()) dock->hide();
    }
    QMainWindow::hideEvent(event);
}

}  // namespace plumb::ui
