// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window_frame.h"

#include "core/base/entry_at.h"
#include "ui/settings/settings.h"
#include "ui/shell/document_tabs.h"
#include "ui/shell/main_window.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/screen_room.h"

#include <QCloseEvent>
#include <QFileInfo>
#include <QSignalBlocker>
#include <QStackedLayout>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace plumb::ui {

WindowFrame::WindowFrame(Settings& settings, Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_settings(settings),
      m_theme(theme),
      m_strip(new DocumentTabs(theme, this)),
      m_pages(new QStackedLayout) {
    setObjectName(QStringLiteral("windowFrame"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->setSizeConstraint(QLayout::SetNoConstraint);  // event() bounds it
    layout->addWidget(m_strip);
    layout->addLayout(m_pages, 1);
    resize(1600, 1000);
    // Qt refuses what was saved on a screen of quite another size, and takes the size as it is from some.
    if (const QByteArray saved = settings.windowGeometry(); !saved.isEmpty()) {
        restoreGeometry(saved);
        keepOnScreens(*this);
    }
    connect(m_strip, &QTabBar::currentChanged, this, &WindowFrame::goTo);
    connect(m_strip, &QTabBar::tabMoved, this, [this](int from, int to) {
        Tab moved = std::move(m_tabs[static_cast<std::size_t>(from)]);
        m_tabs.erase(m_tabs.begin() + from);
        m_tabs.insert(m_tabs.begin() + to, std::move(moved));
    });
    connect(m_strip, &DocumentTabs::closeWanted, this, &WindowFrame::closeTab);
    connect(m_strip, &DocumentTabs::windowWanted, this, &WindowFrame::moveToWindow);
}

// Whatever the pages ask for, the window is no larger than its screen: what has no room there is squeezed.
bool WindowFrame::event(QEvent* event) {
    const bool isTaken = QWidget::event(event);
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::ScreenChangeInternal)
        setMinimumSize(layout()->totalMinimumSize().boundedTo(screenRoom(*this)));
    return isTaken;
}

// Pages first: what they still say is of no interest to a frame that is half gone.
WindowFrame::~WindowFrame() {
    m_strip->disconnect(this);
    for (const Tab& tab : m_tabs)
        if (tab.page) tab.page->tab().disconnect(this);
}

int WindowFrame::current() const { return std::max(0, m_strip->currentIndex()); }

int WindowFrame::tabOf(const MainWindow& page) const {
    const auto found = std::ranges::find_if(m_tabs, [&](const Tab& tab) { return tab.page == &page; });
    return found == m_tabs.end() ? -1 : static_cast<int>(found - m_tabs.begin());
}

MainWindow& WindowFrame::page(int tab) {
    const QString file = entryAt(m_tabs, tab).later;
    if (!entryAt(m_tabs, tab).page) {
        auto* made = new MainWindow(m_settings, m_theme);
        made->setWindowState(Qt::WindowNoState);  // which is that of the frame
        Tab& of = m_tabs[static_cast<std::size_t>(tab)];
        of.page = made;
        of.later.clear();
        m_pages->addWidget(made);
        follow(*made);
        emit pageMade(made);
        if (!file.isEmpty()) made->tab().comeBack(file);
        tellCount();
        describe(tab);
    }
    return *entryAt(m_tabs, tab).page;
}

void WindowFrame::follow(MainWindow& page) {
    connect(&page.tab(), &DocumentTab::changed, this, [this, of = &page] { describe(tabOf(*of)); });
    connect(&page.tab(), &DocumentTab::closed, this, [this, of = &page] { forget(*of); });
    connect(&page.tab(), &DocumentTab::wanted, this, &WindowFrame::fulfil);
    page.tab().setOthers([this] {
        std::vector<OpenDocument> others;
        for (int tab = 0; tab < count(); ++tab)
            if (tab != current())
                others.push_back(
                    {entryAt(m_tabs, tab).name(), entryAt(m_tabs, tab).path(), [this, tab] { goTo(tab); }});
        return others;
    });
}

MainWindow& WindowFrame::addPage(const QStringList& files) {
    addLater({});
    const int tab = count() - 1;
    MainWindow& made = page(tab);
    goTo(tab);
    if (!files.isEmpty()) made.openFiles(files);
    return made;
}

namespace {

/// Nothing was opened or made in it, and nothing is being read for it.
bool isBlank(MainWindow& page) {
    if (page.document().opening() || page.openedFiles().isReading()) return false;
    const auto& kinds = page.openedFiles().kinds();
    return page.tab().path().isEmpty() && !page.tab().isUnsaved() &&
           std::ranges::none_of(kinds, [](const OpenedFiles::Kind& kind) { return kind.file->isOpen(); });
}

}  // namespace

// Where none of the files can be read there is nothing to have a tab for: who asked is told in the tab where
// it was asked.
void WindowFrame::openBeside(const QStringList& files) {
    const QPointer<MainWindow> asked(&currentPage());
    MainWindow& made = addPage();
    auto* const opening = new QObject(&made);
    const auto giveUp = [this, asked, opening, of = &made](const Error& error) {
        if (!asked || !isBlank(*of)) return;
        opening->deleteLater();
        of->tab().closeAgreed();
        goTo(tabOf(*asked));
        emit asked->tab().failed(error);
    };
    // Queued: whoever says so is a part of the page that goes.
    connect(&made.document(), &Document::failed, opening, giveUp, Qt::QueuedConnection);
    connect(&made.openedFiles(), &OpenedFiles::failed, opening, giveUp, Qt::QueuedConnection);
    const auto none = connect(&made.tab(), &DocumentTab::failed, opening, giveUp, Qt::QueuedConnection);
    connect(&made.document(), &Document::opened, opening, &QObject::deleteLater);
    connect(&made.openedFiles(), &OpenedFiles::opened, opening, &QObject::deleteLater);
    if (made.openFiles(files))
        disconnect(none);  // what fails of the settings later is nothing to give up for
}

void WindowFrame::adopt(MainWindow& page) {
    m_tabs.push_back({&page, {}});
    m_pages->addWidget(&page);
    follow(page);
    m_strip->addTab(QString());
    describe(count() - 1);
    tellCount();
    goTo(count() - 1);
}

void WindowFrame::addLater(const QString& file) {
    m_tabs.push_back({nullptr, file});
    m_strip->addTab(QString());  // the first one becomes the current one, and has its page made
    describe(count() - 1);
    tellCount();
}

void WindowFrame::goTo(int tab) {
    if (tab < 0 || tab >= count()) return;
    MainWindow& shown = page(tab);
    m_strip->setCurrentIndex(tab);
    m_pages->setCurrentWidget(&shown);
    for (const Tab& each : m_tabs)
        if (each.page) each.page->tab().setHearing(each.page == &shown);
    describe(tab);
}

QString WindowFrame::Tab::path() const { return page ? page->tab().path() : later; }

QString WindowFrame::Tab::name() const {
    const QString name = page ? page->tab().name() : QFileInfo(later).fileName();
    return name.isEmpty() ? tr("New document") : name;
}

void WindowFrame::describe(int tab) {
    if (tab < 0 || tab >= count() || tab >= m_strip->count()) return;
    const Tab& of = entryAt(m_tabs, tab);
    m_strip->describe(tab, of.name(), of.path(), of.page && of.page->tab().isUnsaved());
    if (tab != m_strip->currentIndex() || !of.page) return;
    setWindowTitle(of.page->windowTitle());
    setWindowModified(of.page->isWindowModified());
}

void WindowFrame::tellCount() {
    for (const Tab& tab : m_tabs)
        if (tab.page) tab.page->tab().setCount(count());
}

void WindowFrame::fulfil(TabWish wish) {
    switch (wish) {
    case TabWish::New:
        addPage();
        break;
    case TabWish::Open:
        askOpenPaths(*this, tr("Open files in a new tab"), m_settings.lastFolder(), tr("All files (*)"),
                     [this](const QStringList& paths) { openBeside(paths); });
        break;
    case TabWish::Close:
        closeTab(current());
        break;
    case TabWish::Next:
        goTo((current() + 1) % count());
        break;
    case TabWish::Previous:
        goTo((current() + count() - 1) % count());
        break;
    case TabWish::ToWindow:
        moveToWindow(current());
        break;
    }
}

void WindowFrame::moveToWindow(int tab) {
    if (count() < 2 || tab < 0 || tab >= count()) return;
    MainWindow& moved = page(tab);
    moved.tab().disconnect(this);
    m_pages->removeWidget(&moved);
    moved.setParent(nullptr);
    m_tabs.erase(m_tabs.begin() + tab);
    m_strip->removeTab(tab);
    tellCount();
    goTo(current());
    emit windowWanted(&moved);
}

void WindowFrame::closeTab(int tab) {
    if (tab < 0 || tab >= count()) return;
    if (count() == 1) {
        close();
        return;
    }
    const Tab& of = entryAt(m_tabs, tab);
    if (!of.page) {
        m_tabs.erase(m_tabs.begin() + tab);
        m_strip->removeTab(tab);
        return tellCount();
    }
    MainWindow* const page = of.page;
    if (tab != current()) goTo(tab);  // where its question is asked
    page->tab().askToClose([page] { page->tab().closeAgreed(); });
}

// It is asked to close, and the last of it saved.
void WindowFrame::forget(const MainWindow& page) {
    const int tab = tabOf(page);
    if (tab < 0) return;
    MainWindow* const gone = entryAt(m_tabs, tab).page;
    gone->tab().disconnect(this);
    m_tabs.erase(m_tabs.begin() + tab);
    m_pages->removeWidget(gone);
    m_strip->removeTab(tab);
    gone->deleteLater();
    if (m_tabs.empty()) {
        close();
        return;
    }
    if (m_isLeaving) return;
    gone->tab().setHearing(false);
    tellCount();
    goTo(current());
}

QStringList WindowFrame::paths() const {
    QStringList paths;
    for (const Tab& tab : m_tabs)
        if (const QString path = tab.path(); !path.isEmpty()) paths << path;
    return paths;
}

void WindowFrame::closeEvent(QCloseEvent* event) {
    if (!m_tabs.empty() && !m_isLeaving) askNext(0);
    if (!m_tabs.empty()) return event->ignore();
    QWidget::closeEvent(event);
    emit closed();
}

void WindowFrame::askNext(int tab) {
    while (tab < count() && !entryAt(m_tabs, tab).page) ++tab;
    if (tab < count()) {
        MainWindow* const asked = entryAt(m_tabs, tab).page;
        const auto next = [this, tab] { askNext(tab + 1); };
        if (asked->tab().wouldLose()) goTo(tab);
        return asked->tab().askToClose(next);
    }
    m_isLeaving = true;
    DocumentSettings documents = m_settings.documents();
    documents.open = paths();
    const QMap<QString, QByteArray> before = std::exchange(documents.plans, {});
    for (const Tab& each : m_tabs) {
        const QString path = each.path();
        const QByteArray plan = each.page ? each.page->tab().plan() : before.value(path);
        if (!path.isEmpty() && !plan.isEmpty()) documents.plans.insert(path, plan);
    }
    documents.current =
        std::max(0, static_cast<int>(documents.open.indexOf(
                        entryAt(m_tabs, current()).page ? currentPage().tab().path() : QString())));
    m_settings.setDocuments(documents);
    m_settings.setWindowGeometry(saveGeometry());
    // Each that closes leaves the list.
    std::vector<QPointer<MainWindow>> pages;
    for (const Tab& each : m_tabs)
        if (each.page) pages.push_back(each.page);
    {
        const QSignalBlocker quiet(m_strip);
        for (int later = count() - 1; later >= 0; --later) {
            if (entryAt(m_tabs, later).page) continue;
            m_tabs.erase(m_tabs.begin() + later);
            m_strip->removeTab(later);
        }
    }
    for (const QPointer<MainWindow>& page : pages)
        if (page) page->tab().closeAgreed();
}

void WindowFrame::rebuild() {
    for (int tab = 0; tab < count(); ++tab) {
        MainWindow* const old = entryAt(m_tabs, tab).page;
        if (old == nullptr) continue;
        auto* fresh = new MainWindow(m_settings, m_theme, nullptr, old);
        old->tab().disconnect(this);
        m_pages->addWidget(fresh);
        m_tabs[static_cast<std::size_t>(tab)].page = fresh;
        follow(*fresh);
        emit pageRebuilt(fresh);
        if (tab == current()) m_pages->setCurrentWidget(fresh);
        m_pages->removeWidget(old);
        delete old;
    }
    m_strip->setAccessibleName(DocumentTabs::tr("Open documents"));
    tellCount();
    for (int tab = 0; tab < count(); ++tab) describe(tab);
    goTo(current());
}

}  // namespace plumb::ui
