// SPDX-License-Identifier: GPL-3.0-or-later
// Files of other profilers in the window: opened, refused, cancelled and closed.
#include "core/base/words.h"
#include "tests/ui/shell/shell_fixture.h"
#include "ui/shell/document_tab.h"
#include "ui/trace/trace_facts.h"

#include "test_paths.h"

#include <QAction>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <algorithm>

namespace plumb::ui {
namespace {
using test::child;
using test::Shell;
using test::waitFor;

QString data(const char* name) {
    return QStringLiteral(PLUMB_TEST_DATA "/trace/") + QString::fromLatin1(name);
}

bool openTrace(Shell& shell, const QString& path) {
    QSignalSpy opened(&shell.window.openedFiles(), &OpenedFiles::opened);
    shell.window.openFile(path);
    return waitFor([&] { return !opened.isEmpty(); });
}

TEST(OpenedFiles, ATabIsThereWhileAFileIsOpen) {
    Shell shell;
    auto* tab = child<QPushButton>(shell.window, "traceTab");
    EXPECT_TRUE(tab->isHidden());
    EXPECT_FALSE(shell.enabled("view.trace"));
    EXPECT_FALSE(shell.enabled("file.close"));
    EXPECT_EQ(shell.window.views().showView(QStringLiteral("trace")), nullptr);

    ASSERT_TRUE(openTrace(shell, data("cuda.json.gz")));
    EXPECT_FALSE(tab->isHidden());
    EXPECT_TRUE(tab->isChecked());
    EXPECT_EQ(shell.window.views().currentTab(), ViewStack::tabOf(QStringLiteral("trace")));
    EXPECT_EQ(shell.settings.recentFiles().value(0), QStringList{data("cuda.json.gz")});
    EXPECT_EQ(shell.window.bannerText(), QString());
    EXPECT_TRUE(shell.window.windowTitle().startsWith(QStringLiteral("cuda.json.gz")))
        << shell.window.windowTitle().toStdString();
    EXPECT_EQ(shell.window.tab().name(), QStringLiteral("cuda.json.gz"));
    EXPECT_EQ(shell.window.tab().path(), QString()) << "it is not the document";

    shell.trigger("file.close");
    EXPECT_EQ(shell.window.tab().name(), QString());
    EXPECT_TRUE(tab->isHidden());
    EXPECT_EQ(shell.window.views().currentTab(), 0);
    EXPECT_FALSE(shell.enabled("view.trace"));
    EXPECT_FALSE(shell.enabled("file.close"));
}

TEST(OpenedFiles, KindsOfAChosenSliceAreSaidInTheLanguageOfTheWindow) {
    Shell shell;
    ASSERT_TRUE(openTrace(shell, data("cuda.json.gz")));
    const std::shared_ptr<const OpenedTrace> opened = shell.window.openedFiles().trace.content();
    const auto& categories = opened->trace->slices.category;
    const auto kernel = std::ranges::find(categories, trace::Category::Kernel);
    ASSERT_NE(kernel, categories.end());
    setWordsLanguage("zh_CN");
    const QString facts = factsOf(*opened, static_cast<std::uint32_t>(kernel - categories.begin()));
    setWordsLanguage({});
    EXPECT_TRUE(facts.contains(QStringLiteral("内核"))) << facts.toStdString();
}

TEST(OpenedFiles, ADamagedFileIsOneSentenceAndLeavesAllAsItWas) {
    Shell shell;
    ASSERT_TRUE(openTrace(shell, data("array.json")));
    QFile file(shell.file("damaged.json.gz"));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("\x1F\x8B no gzip");
    file.close();
    QSignalSpy failed(&shell.window.openedFiles(), &OpenedFiles::failed);
    shell.window.openFile(file.fileName());
    ASSERT_TRUE(waitFor([&] { return !failed.isEmpty(); }));
    EXPECT_TRUE(shell.window.bannerText().contains(QStringLiteral("damaged.json.gz")))
        << shell.window.bannerText().toStdString();
    EXPECT_EQ(shell.window.openedFiles().trace.path(), data("array.json"));
    EXPECT_FALSE(child<QPushButton>(shell.window, "traceTab")->isHidden());
}

TEST(OpenedFiles, ReadingIsCancelledByTheBanner) {
    Shell shell;
    shell.window.openFile(data("cuda.json.gz"));
    EXPECT_TRUE(shell.window.bannerText().contains(QStringLiteral("cuda.json.gz")));
    QTest::mouseClick(child<QPushButton>(shell.window, "bannerButton"), Qt::LeftButton);
    EXPECT_FALSE(shell.window.openedFiles().trace.isReading());
    EXPECT_EQ(shell.window.bannerText(), QString());
    QTest::qWait(20);
    EXPECT_FALSE(shell.window.openedFiles().trace.isOpen());
    ASSERT_TRUE(openTrace(shell, data("cuda.json.gz")));
}

TEST(OpenedFiles, AJsonCalledPlumbIsNoTrace) {
    Shell shell;
    EXPECT_FALSE(shell.window.openedFiles().knows(shell.write("odd.plumb", "{}")));
    EXPECT_TRUE(shell.window.openedFiles().knows(data("rocm.json")));
}

TEST(OpenedFiles, ATraceCanBeDropped) {
    Shell shell;
    QMimeData mime;
    mime.setUrls({QUrl::fromLocalFile(data("rocm.json"))});
    QSignalSpy opened(&shell.window.openedFiles(), &OpenedFiles::opened);
    QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&shell.window, &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&shell.window, &drop);
    ASSERT_TRUE(waitFor([&] { return !opened.isEmpty(); }));
    EXPECT_EQ(shell.window.openedFiles().trace.path(), data("rocm.json"));
}

TEST(OpenedFiles, SeveralTracesThatAreDroppedAreTheRanksOfOneJob) {
    Shell shell;
    QMimeData mime;
    mime.setUrls(
        {QUrl::fromLocalFile(data("ranks/rank1.json.gz")), QUrl::fromLocalFile(data("ranks/rank0.json.gz"))});
    QSignalSpy opened(&shell.window.openedFiles(), &OpenedFiles::opened);
    QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&shell.window, &enter);
    QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&shell.window, &drop);
    ASSERT_TRUE(waitFor([&] { return !opened.isEmpty(); }));
    const auto content = shell.window.openedFiles().trace.content();
    ASSERT_NE(content->ranks, nullptr);
    EXPECT_EQ(content->ranks->ranks.size(), 2U);
    EXPECT_EQ(shell.window.openedFiles().trace.paths().size(), 2);
    ASSERT_EQ(shell.settings.recentFiles().size(), 1) << "one document, one entry";
    EXPECT_EQ(shell.settings.recentFiles().front(), shell.window.openedFiles().trace.paths());
    const auto menu = shell.window.findChildren<QAction*>();
    const auto entry = std::ranges::find_if(menu, [](const QAction* action) {
        return action->text() == QStringLiteral("rank1.json.gz and 1 more");
    });
    ASSERT_NE(entry, menu.end());
    shell.window.openedFiles().trace.close();
    (*entry)->trigger();
    ASSERT_TRUE(waitFor([&] { return shell.window.openedFiles().trace.isOpen(); }));
    EXPECT_EQ(shell.window.openedFiles().trace.paths().size(), 2) << "all of the set open again";
}

TEST(OpenedFiles, AFolderThatIsDroppedStandsForTheTracesInIt) {
    Shell shell;
    const QTemporaryDir folder;
    for (int rank = 0; rank < 3; ++rank) {
        const QString name = QStringLiteral("rank%1.json.gz").arg(rank);
        ASSERT_TRUE(QFile::copy(data(qPrintable(QStringLiteral("ranks/") + name)), folder.filePath(name)));
    }
    const auto drop = [&](const QString& path) {
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&shell.window, &enter);
        EXPECT_TRUE(enter.isAccepted());
        QDropEvent event(QPointF(50, 50), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&shell.window, &event);
    };
    drop(folder.path());
    ASSERT_TRUE(waitFor([&] { return shell.window.openedFiles().trace.isOpen(); }));
    EXPECT_EQ(shell.window.openedFiles().trace.content()->ranks->ranks.size(), 3U);
    const QTemporaryDir empty;
    drop(empty.path());
    EXPECT_TRUE(shell.window.bannerText().contains(QStringLiteral("holds no trace")))
        << shell.window.bannerText().toStdString();
    EXPECT_TRUE(shell.window.openedFiles().trace.isOpen()) << "what was open stays";
}

}  // namespace
}  // namespace plumb::ui
