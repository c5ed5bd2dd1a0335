// SPDX-License-Identifier: GPL-3.0-or-later
// Snapshots that come with the program: only those that are there, and never written to.
#include "ui/settings/samples.h"

#include "core/machine/local_cpu.h"
#include "tests/ui/support.h"
#include "ui/shell/main_window.h"

#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QMenu>
#include <QTemporaryDir>
#include <QTest>

namespace plumb::ui {
namespace {

using test::FailOnQtWarnings;
using test::waitFor;

/// A window that finds its samples in a folder of the test.
class Samples : public ::testing::Test {
protected:
    Samples() { qputenv("PLUMBLINE_SAMPLES", folder.path().toUtf8()); }
    ~Samples() override { qunsetenv("PLUMBLINE_SAMPLES"); }

    QString addSample(const char* name) {
        QString path = folder.filePath(QString::fromLatin1(name));
        const auto snapshot = makeSnapshot({}, {localCpu(), cpuTraits()});
        EXPECT_TRUE(snapshot.has_value());
        EXPECT_TRUE(writeSnapshot(path.toStdString(), *snapshot).has_value());
        return path;
    }
    MainWindow& window() {
        if (!m_window) m_window = std::make_unique<MainWindow>(settings, theme);
        m_window->show();
        return *m_window;
    }
    QMenu& menu() { return *window().findChild<QMenu*>(QStringLiteral("samplesMenu")); }

    FailOnQtWarnings guard{{QStringLiteral("This plugin does not support")}};
    QTemporaryDir folder;
    QTemporaryDir own;
    Settings settings{own.filePath(QStringLiteral("window.ini"))};
    Theme theme;

private:
    std::unique_ptr<MainWindow> m_window;
};

TEST_F(Samples, HaveNoMenuWhereThereAreNone) {
    QFile other(folder.filePath(QStringLiteral("README.md")));
    ASSERT_TRUE(other.open(QIODevice::WriteOnly));
    EXPECT_FALSE(menu().menuAction()->isVisible());
}

TEST_F(Samples, AreOpenedFromTheFileMenuAndNotSavedOver) {
    const QString first = addSample("h200-compute.plumb");
    addSample("h200-launch.plumb");
    ASSERT_TRUE(menu().menuAction()->isVisible());
    ASSERT_EQ(menu().actions().size(), 2);
    EXPECT_EQ(menu().actions().first()->text(), QStringLiteral("h200 compute"));
    settings.setLastFolder(own.path());
    menu().actions().first()->trigger();
    ASSERT_TRUE(waitFor([&] { return window().document().path() == first; }));
    EXPECT_TRUE(isSampleFile(first));
    EXPECT_EQ(settings.lastFolder(), own.path());

    QFile file(first);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray before = file.readAll();
    file.close();
    window().actions().action(QStringLiteral("file.save"))->trigger();
    // Save asks where, and proposes no place among the samples.
    QFileDialog* dialog = nullptr;
    ASSERT_TRUE(waitFor([&] {
        dialog = window().findChild<QFileDialog*>();
        return dialog != nullptr && dialog->isVisible();
    }));
    EXPECT_EQ(dialog->directory(), QDir(own.path()));
    dialog->close();
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_EQ(file.readAll(), before);
}

}  // namespace
}  // namespace plumb::ui
