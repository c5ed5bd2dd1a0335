// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/settings.h"

#include "tests/ui/support.h"

#include <QFile>
#include <QSettings>
#include <QTemporaryDir>

#include <gmock/gmock.h>

#include <vector>

namespace plumb::ui {
namespace {

LabSettings typedLab() {
    return LabSettings{.page = 2,
                       .value = QStringLiteral("1e-8"),
                       .neighbours = QStringLiteral(""),
                       .dtypePart = 1,
                       .shape = QStringLiteral("4, 6"),
                       .steps = QStringLiteral("[1:, ::2]"),
                       .device = QStringLiteral("h200-sxm")};
}

/// Nothing of it as it comes.
Preferences ofTaste() {
    return {.look = {.mode = Theme::Mode::Dark, .highContrast = true, .safeColors = true, .fontScale = 1.25},
            .decimal = DecimalMark::Comma,
            .group = GroupMark::Apostrophe,
            .bytes = ByteUnits::Binary,
            .language = Language::SimplifiedChinese};
}

/// The path of settings with this text.
QString written(const QTemporaryDir& folder, const QByteArray& text) {
    QFile file(folder.filePath(QStringLiteral("window.ini")));
    EXPECT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(text);
    return file.fileName();
}

TEST(Settings, RemembersEverythingBetweenStarts) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("window.ini"));
    {
        Settings settings(path);
        settings.setPreferences(ofTaste());
        settings.setEngine(
            {QStringLiteral("  ssh host plumbline-cli engine "), QStringLiteral(" /opt/python ")});
        settings.setLastFolder(folder.path());
        settings.setWindowGeometry(QByteArray("geometry"));
        settings.setCurrentView(QStringLiteral("roofline"));
        EXPECT_TRUE(settings.lab().neighbours.isNull());
        settings.setLab(typedLab());
        settings.addRecentFiles({folder.filePath(QStringLiteral("a.plumb"))});
        settings.addRecentFiles({folder.filePath(QStringLiteral("r0, 1.json")),
                                 folder.filePath(QStringLiteral("r1;\"2\".json"))});
    }
    const Settings settings(path);
    EXPECT_EQ(settings.preferences(), ofTaste());
    EXPECT_EQ(settings.engine().command, QStringLiteral("ssh host plumbline-cli engine"));
    EXPECT_EQ(settings.engine().pyTorchInterpreter, QStringLiteral("/opt/python"));
    EXPECT_EQ(settings.lastFolder(), folder.path());
    EXPECT_EQ(settings.windowGeometry(), QByteArray("geometry"));
    EXPECT_EQ(settings.currentView(), QStringLiteral("roofline"));
    EXPECT_EQ(settings.lab(), typedLab());
    EXPECT_TRUE(settings.lab().bus.isNull()) << "never typed";
    EXPECT_FALSE(settings.lab().neighbours.isNull()) << "an empty text was typed, too";
    const QList<QStringList> recent{
        {folder.filePath(QStringLiteral("r0, 1.json")), folder.filePath(QStringLiteral("r1;\"2\".json"))},
        {folder.filePath(QStringLiteral("a.plumb"))}};
    EXPECT_EQ(settings.recentFiles(), recent) << "files that were opened together are one entry";
}

TEST(Settings, ReadsTheRecentFilesOfBeforeThereWereSets) {
    const QTemporaryDir folder;
    const QString path = written(folder, "[files]\nrecent=/data/a.plumb, /data/b.json\n");
    const QList<QStringList> recent{{QStringLiteral("/data/a.plumb")}, {QStringLiteral("/data/b.json")}};
    EXPECT_EQ(Settings(path).recentFiles(), recent);
}

TEST(Settings, KeepsTheNewestTenFilesEachOnce) {
    const QTemporaryDir folder;
    Settings settings(folder.filePath(QStringLiteral("window.ini")));
    for (int i = 0; i < 15; ++i) settings.addRecentFiles({QStringLiteral("/data/%1.plumb").arg(i)});
    settings.addRecentFiles({QStringLiteral("/data/10.plumb")});
    const QList<QStringList> files = settings.recentFiles();
    ASSERT_EQ(files.size(), Settings::kMostRecentFiles);
    EXPECT_EQ(files[0], QStringList{QStringLiteral("/data/10.plumb")});
    EXPECT_EQ(files.count(QStringList{QStringLiteral("/data/10.plumb")}), 1);
    EXPECT_FALSE(files.contains(QStringList{QStringLiteral("/data/4.plumb")}));
    settings.forgetRecentFiles();
    EXPECT_TRUE(settings.recentFiles().isEmpty());
}

TEST(Settings, TakesAnyFileAsItIs) {
    const QTemporaryDir folder;
    const Settings settings(
        written(folder, "[view]\ntheme=plaid\ntab=banana\nfontScale=nan\ndecimal=;\nlanguage=x\n[files]"
                        "\nfolder=/no/such/folder\n\x01\xff garbage"));
    EXPECT_EQ(settings.preferences(), Preferences{});
    EXPECT_EQ(settings.currentView(),
              QStringLiteral("banana"));  // the window shows the first for what it does not know
    EXPECT_NE(settings.lastFolder(), QStringLiteral("/no/such/folder"));
}

TEST(Settings, KeepsTheScaleOfLettersWithinWhatCanBeRead) {
    const QTemporaryDir folder;
    EXPECT_EQ(Settings(written(folder, "[view]\nfontScale=40\n")).preferences().look.fontScale, 2.0);
    EXPECT_EQ(Settings(written(folder, "[view]\nfontScale=-1\n")).preferences().look.fontScale, 0.8);
}

TEST(Settings, TellTheFirstStartFromAllOthers) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("window.ini"));
    EXPECT_TRUE(Settings(path).isFirstStart());
    EXPECT_FALSE(Settings(path).isFirstStart());
}

TEST(Settings, StampsTheFormatAndLeavesANewerStampAlone) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("window.ini"));
    { const Settings settings(path); }
    EXPECT_EQ(QSettings(path, QSettings::IniFormat).value(QStringLiteral("format")).toInt(),
              Settings::kFormatVersion);
    QSettings(path, QSettings::IniFormat).setValue(QStringLiteral("format"), 99);
    { const Settings settings(path); }
    EXPECT_EQ(QSettings(path, QSettings::IniFormat).value(QStringLiteral("format")).toInt(), 99);
}

TEST(Settings, TheNumberOfAViewInTheFirstFormatBecomesItsName) {
    const QTemporaryDir folder;
    for (const auto& [stored, expected] :
         {std::pair{"4", "training"}, {"0", "overview"}, {"77", "77"}, {"-1", "-1"}, {"memory", "memory"}}) {
        const QString path = folder.filePath(QStringLiteral("old%1.ini").arg(QLatin1String(stored)));
        {
            QSettings old(path, QSettings::IniFormat);
            old.setValue(QStringLiteral("format"), 1);
            old.setValue(QStringLiteral("view/tab"), QLatin1String(stored));
        }
        const Settings settings(path);
        EXPECT_EQ(settings.currentView(), QLatin1String(expected));
    }
}

TEST(Settings, ThatCannotBeKeptAreToldOnce) {
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("file")));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.close();
    Settings settings(folder.filePath(QStringLiteral("file/window.ini")));
    std::vector<Error> told;
    settings.setLessons({.current = QStringLiteral("first"), .done = {}});
    settings.save();
    settings.onFailure([&](const Error& error) { told.push_back(error); });
    settings.setLessons({.current = QStringLiteral("second"), .done = {}});
    settings.save();
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0].code, ErrorCode::Io);
    EXPECT_THAT(told[0].text(), testing::HasSubstr("file/window.ini"));
}

TEST(Settings, KeepTheHostsOfTwoWindows) {
    const QTemporaryDir folder;
    // QSettings shares what it has read by its path.
    ASSERT_TRUE(QFile::link(folder.path(), folder.filePath(QStringLiteral("link"))));
    Settings ours(folder.filePath(QStringLiteral("window.ini")));
    Settings theirs(folder.filePath(QStringLiteral("link/window.ini")));
    const RemoteHost a{QStringLiteral("a"), QStringLiteral("10.0.0.1"), {}, 0, {}};
    const RemoteHost b{QStringLiteral("b"), QStringLiteral("10.0.0.2"), {}, 0, {}};
    const RemoteHost c{QStringLiteral("c"), QStringLiteral("10.0.0.3"), {}, 0, {}};
    ours.setHosts({a, b}, {});
    ours.save();
    theirs.setHosts({c}, {});
    theirs.save();
    EXPECT_EQ(theirs.hosts(), (QList<RemoteHost>{a, b, c}));
    ours.setHosts({b}, {a, b});
    ours.save();
    EXPECT_EQ(ours.hosts(), (QList<RemoteHost>{b, c}));
}

TEST(Settings, AreWrittenBeforeTheWindowEnds) {
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("window.ini"));
    Settings settings(path);
    settings.setLessons({.current = QStringLiteral("first"), .done = {}});
    EXPECT_TRUE(test::waitFor([&] {
        return QSettings(path, QSettings::IniFormat).value(QStringLiteral("lessons/current")) ==
               QStringLiteral("first");
    }));
    settings.onFailure([](const Error& error) { ADD_FAILURE() << error.text(); });
    settings.setLessons({.current = QStringLiteral("second"), .done = {}});
    settings.save();
}

}  // namespace
}  // namespace plumb::ui
