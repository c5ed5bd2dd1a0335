// SPDX-License-Identifier: GPL-3.0-or-later
// What the window offers who begins, and what it says of the work that goes on.
#include "ui/shell/welcome.h"

#include "tests/ui/pictures.h"
#include "tests/ui/shell/shell_fixture.h"
#include "ui/charts/chart_panel.h"
#include "ui/run/presets.h"
#include "ui/settings/samples.h"
#include "ui/shell/status_strip.h"
#include "ui/theme/translations.h"
#include "ui/widgets/screen_room.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPointer>
#include <QProgressBar>
#include <QPushButton>
#include <QTest>

#include <algorithm>
#include <optional>

namespace plumb::ui::test {
namespace {

/// A window with the first page in front of it.
struct Welcomed {
    explicit Welcomed(const char* mode = "normal", Language language = Language::English) {
        translations.use(language);
        shell.emplace(QString::fromLatin1(mode));
        shell->theme.apply(*qApp);
    }
    ~Welcomed() {
        shell.reset();
        QApplication::setFont(font);
        QApplication::setPalette(palette);
    }
    Welcomed(const Welcomed&) = delete;
    Welcomed& operator=(const Welcomed&) = delete;
    [[nodiscard]] WelcomeDialog& page() {
        if (shell->window.findChild<WelcomeDialog*>() == nullptr) shell->trigger("help.welcome");
        return *shell->window.findChild<WelcomeDialog*>();
    }
    template <class T>
    [[nodiscard]] T* part(const char* name) {
        return child<T>(page(), name);
    }
    [[nodiscard]] bool working() { return shell->window.controller().work().busy(); }

    QFont font = QApplication::font();
    QPalette palette = QApplication::palette();
    Translations translations{*qApp};
    std::optional<Shell> shell;
};

TEST(Welcome, IsNotShownUnlessItIsAskedForAndTrapsNobody) {
    Welcomed welcomed;
    QCoreApplication::processEvents();
    EXPECT_EQ(welcomed.shell->window.findChild<WelcomeDialog*>(), nullptr);
    const QPointer<WelcomeDialog> page(&welcomed.page());
    EXPECT_TRUE(page->isVisible());
    EXPECT_FALSE(page->isModal());
    QTest::keyClick(page, Qt::Key_Escape);
    EXPECT_TRUE(waitFor([&] { return page.isNull(); }));
}

TEST(Welcome, RunsTheExampleByOneKeyAsSoonAsTheEngineIsReady) {
    Welcomed welcomed;
    const QPointer<WelcomeDialog> page(&welcomed.page());
    welcomed.shell->window.controller().next().setSteps(12);
    welcomed.shell->window.engine().start();
    EXPECT_EQ(page->focusWidget(), welcomed.part<QPushButton>("welcomeRun"));
    QTest::keyClick(page->focusWidget(), Qt::Key_Space);
    ASSERT_FALSE(page.isNull()) << "the engine is not there yet";
    EXPECT_FALSE(welcomed.part<QPushButton>("welcomeRun")->isEnabled());
    ASSERT_TRUE(welcomed.shell->ready());
    ASSERT_TRUE(waitFor([&] { return page.isNull(); }));
    EXPECT_TRUE(waitFor([&] { return !welcomed.working(); }));
    EXPECT_EQ(welcomed.shell->window.workbench().runs().all().size(), 1U);
    EXPECT_EQ(welcomed.shell->window.workbench().config(), builtInPresets().front().config);
}

TEST(Welcome, ShowsHowFarTheCalibrationIsAndCancelsIt) {
    Welcomed welcomed("calibrating");
    ASSERT_TRUE(welcomed.shell->ready());
    auto* const bar = welcomed.part<QProgressBar>("welcomeProgress");
    auto* const strip = child<QProgressBar>(welcomed.shell->window, "engineProgress");
    EXPECT_FALSE(bar->isVisible());
    EXPECT_FALSE(strip->isVisible());
    QTest::mouseClick(welcomed.part<QPushButton>("welcomeCalibrate"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return strip->isVisible(); }));
    EXPECT_TRUE(bar->isVisible());
    EXPECT_EQ(bar->value() * 2, bar->maximum()) << "1 of 2";
    EXPECT_EQ(strip->value() * 2, strip->maximum());
    EXPECT_TRUE(welcomed.part<QLabel>("welcomeCalibrateSays")->text().contains(QStringLiteral("1 of 2")));
    EXPECT_TRUE(
        child<QLabel>(welcomed.shell->window, "engineState")->text().contains(QStringLiteral("1 of 2")));
    EXPECT_FALSE(welcomed.part<QPushButton>("welcomeRun")->isEnabled());
    QTest::mouseClick(welcomed.part<QPushButton>("welcomeCancel"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return !welcomed.working(); }));
    EXPECT_FALSE(bar->isVisible());
    EXPECT_FALSE(strip->isVisible());
    EXPECT_TRUE(welcomed.part<QPushButton>("welcomeCalibrate")->isEnabled()) << "it can be had later";
}

TEST(Welcome, LeadsToLessonsAndRecentFiles) {
    Welcomed welcomed;
    ASSERT_TRUE(welcomed.shell->save(welcomed.shell->file("kept.plumb")));
    welcomed.shell->settings.addRecentFiles({welcomed.shell->file("kept.plumb")});
    EXPECT_EQ(welcomed.part<QPushButton>("welcomeRecent")->text(), QStringLiteral("kept.plumb"));
    const QPointer<WelcomeDialog> page(&welcomed.page());
    QTest::mouseClick(welcomed.part<QPushButton>("welcomeRecent"), Qt::LeftButton);
    EXPECT_TRUE(waitFor([&] {
        return page.isNull() &&
               welcomed.shell->window.document().path() == welcomed.shell->file("kept.plumb");
    }));
    QTest::mouseClick(welcomed.part<QPushButton>("welcomeLessons"), Qt::LeftButton);
    EXPECT_TRUE(child<QWidget>(welcomed.shell->window, "lessonPanel")->isVisible());
}

TEST(Welcome, CallsItsFilesNoCountOfSamplesInChinese) {
    Welcomed welcomed("normal", Language::SimplifiedChinese);
    QStringList texts;
    for (const auto* label : welcomed.page().findChildren<QLabel*>()) texts << label->text();
    EXPECT_TRUE(texts.contains(QStringLiteral("示例文件"))) << texts.join(u'|').toStdString();
}

TEST(Welcome, LeadsToTheSamplesThatComeWithTheProgram) {
    Welcomed welcomed;
    const auto samples = welcomed.page().findChildren<QPushButton*>(QStringLiteral("welcomeSample"));
    ASSERT_GE(samples.size(), 1);
    EXPECT_EQ(samples.size(), std::min<qsizetype>(sampleFiles().size(), 4));
    const auto shown = [&] {
        const Recording* const recorded = welcomed.shell->window.workbench().recording();
        return recorded != nullptr ? recorded->path : welcomed.shell->window.document().path();
    };
    for (const QString& path : sampleFiles()) {
        ASSERT_TRUE(welcomed.shell->open(path));
        EXPECT_EQ(shown(), path);
    }
    const QPointer<WelcomeDialog> page(&welcomed.page());
    ASSERT_NE(shown(), sampleFiles().front());
    QTest::mouseClick(samples.front(), Qt::LeftButton);
    EXPECT_TRUE(waitFor([&] { return page.isNull() && shown() == sampleFiles().front(); }));
}

TEST(Welcome, CanBeReadInBothLanguages) {
    for (const Language language : {Language::English, Language::SimplifiedChinese}) {
        Welcomed welcomed("calibrating", language);
        ASSERT_TRUE(welcomed.shell->ready());
        welcomed.shell->trigger("run.calibrate");
        ASSERT_TRUE(waitFor([&] { return welcomed.part<QProgressBar>("welcomeProgress")->isVisible(); }));
        EXPECT_GT(coloursIn(picture(welcomed.page(), QStringLiteral("welcome-") + languageId(language))), 10);
        EXPECT_GT(coloursIn(picture(welcomed.shell->window, QStringLiteral("begun-") + languageId(language))),
                  10);
        welcomed.shell->trigger("run.stop");
        // Two lines are held where the page has the height that it asks for: not on a screen of 400 px.
        if (welcomed.page().height() < welcomed.page().sizeHint().height()) continue;
        for (const QLabel* label : welcomed.page().findChildren<QLabel*>())
            EXPECT_GE(label->height(), label->heightForWidth(label->width())) << label->text().toStdString();
    }
}

// With large letters and the files of last time it is higher than many a screen.
TEST(Welcome, IsNoLargerThanTheScreenAndHasItsCloseInSight) {
    Welcomed welcomed;
    QFont large = QApplication::font();
    large.setPointSizeF(large.pointSizeF() * 2);
    QApplication::setFont(large);
    WelcomeDialog& page = welcomed.page();
    QCoreApplication::processEvents();
    EXPECT_LE(page.height(), screenRoom(page).height());
    EXPECT_LE(page.width(), std::max(page.minimumSizeHint().width(), screenRoom(page).width()));
    page.resize(page.width(), 300);
    QCoreApplication::processEvents();
    EXPECT_EQ(page.height(), 300);
    auto* const close = page.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Close);
    EXPECT_EQ(close->visibleRegion().boundingRect().size(), close->size());
    page.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&page));
    auto* const last = welcomed.part<QPushButton>("welcomeOpen");
    for (int i = 0; i < 20 && !last->hasFocus(); ++i) QTest::keyClick(page.focusWidget(), Qt::Key_Tab);
    ASSERT_TRUE(last->hasFocus());
    EXPECT_EQ(last->visibleRegion().boundingRect().size(), last->size()) << "the keyboard leads there";
}

TEST(Notices, ACalibrationEndsWithALinkToItsCeilings) {
    Welcomed welcomed;
    ASSERT_TRUE(welcomed.shell->ready());
    welcomed.shell->trigger("run.calibrate");
    MainWindow& window = welcomed.shell->window;
    ASSERT_TRUE(waitFor([&] { return window.bannerText().contains(QStringLiteral("is calibrated")); }));
    QTest::mouseClick(child<QPushButton>(window, "bannerButton"), Qt::LeftButton);
    EXPECT_EQ(window.views().currentTab(), ViewStack::tabOf(QStringLiteral("roofline")));
}

TEST(Notices, AProfileEndsWithWhatAStepTookAndALink) {
    Welcomed welcomed;
    ASSERT_TRUE(welcomed.shell->ready());
    MainWindow& window = welcomed.shell->window;
    welcomed.shell->trigger("run.profile");
    ASSERT_TRUE(waitFor([&] {
        return window.bannerText().startsWith(QStringLiteral("Profiled: a step takes"));
    })) << window.bannerText().toStdString();
    const int before = window.views().currentTab();
    QTest::mouseClick(child<QPushButton>(window, "bannerButton"), Qt::LeftButton);
    EXPECT_NE(window.views().currentTab(), before);
}

/// Views of a window in which nothing ran, the button that each offers, and the action behind it.
struct Empty {
    const char* view;
    const char* button;
    const char* action;
};

TEST(EmptyViews, OfferWhatWouldFillThem) {
    Welcomed welcomed;
    ASSERT_TRUE(welcomed.shell->ready());
    MainWindow& window = welcomed.shell->window;
    for (const Empty& one : {Empty{"overview", "trainingRun", "run.run"},
                             {"overview", "rooflineCalibrate", ""},
                             {"training", "trainingRun", "run.run"},
                             {"roofline", "rooflineCalibrate", ""},
                             {"timeline", "timelineProfile", ""},
                             {"findings", "findingsProfile", "run.profile"},
                             {"history", "historyRun", "run.run"},
                             {"compare", "compareChoose", ""}}) {
        const int tab = ViewStack::tabOf(QLatin1String(one.view));
        if (!window.views().isThere(tab)) continue;
        window.views().goToTab(tab);
        const auto offered = [&] {
            for (const QPushButton* button : window.findChildren<QPushButton*>(QLatin1String(one.button)))
                if (button->isVisible() && button->isEnabled() &&
                    button->parentWidget()->rect().contains(button->geometry()))
                    return true;
            return false;
        };
        EXPECT_TRUE(waitFor(offered, 5000)) << one.view << " has no " << one.button;
        (void)picture(window, QStringLiteral("empty-") + QLatin1String(one.view));
    }
}

TEST(EmptyViews, SayThatADeviceIsOnlyPlannedAndTheStatusLineNamesIt) {
    Welcomed welcomed;
    ASSERT_TRUE(welcomed.shell->ready());
    MainWindow& window = welcomed.shell->window;
    DeviceChoices& devices = window.controller().devices();
    const int before = devices.currentIndex();
    const auto planned = std::ranges::find_if(devices.all(), [](const DeviceChoice& choice) {
        return choice.target.machine.id == "v100-sxm2-16gb";
    });
    ASSERT_NE(planned, devices.all().end());
    const QString name = planned->name();
    devices.choose(static_cast<int>(planned - devices.all().begin()));
    const auto* status = child<QLabel>(window, "predictionState");
    EXPECT_TRUE(status->text().contains(name)) << status->text().toStdString();
    const auto saysIt = [&](const char* view) {
        window.views().showView(QLatin1String(view));
        return waitFor([&] {
            for (auto* chart : window.findChildren<ChartPanel*>(QStringLiteral("lossChart")))
                if (chart->isVisible() && chart->emptyText().startsWith(name)) return true;
            for (auto* text : window.findChildren<QLabel*>(QStringLiteral("timelineEmpty")))
                if (text->isVisible() && text->text().startsWith(name)) return true;
            return false;
        });
    };
    for (const char* view : {"overview", "training", "timeline"}) {
        EXPECT_TRUE(saysIt(view)) << view;
        for (const char* offer : {"trainingRun", "timelineProfile"})
            for (const auto* button : window.findChildren<QPushButton*>(QLatin1String(offer)))
                EXPECT_FALSE(button->isVisible()) << view << ' ' << offer;
    }
    devices.choose(before);
    EXPECT_TRUE(waitFor([&] { return child<QPushButton>(window, "timelineProfile")->isVisible(); }));
    EXPECT_FALSE(child<QLabel>(window, "timelineEmpty")->text().contains(name));
    EXPECT_FALSE(status->text().contains(name));
}

TEST(EmptyViews, OfferNoCalibrationWhileOneRuns) {
    Welcomed welcomed("calibrating");
    ASSERT_TRUE(welcomed.shell->ready());
    MainWindow& window = welcomed.shell->window;
    window.views().goToTab(ViewStack::tabOf(QStringLiteral("roofline")));
    QPushButton* calibrate = nullptr;
    for (QPushButton* button : window.findChildren<QPushButton*>(QStringLiteral("rooflineCalibrate")))
        if (button->isVisible()) calibrate = button;
    ASSERT_NE(calibrate, nullptr);
    ASSERT_TRUE(calibrate->isEnabled());
    QTest::mouseClick(calibrate, Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return welcomed.working(); }));
    EXPECT_FALSE(calibrate->isEnabled());
    EXPECT_EQ(calibrate->text(), QStringLiteral("Calibrating"));
    window.controller().stop();
    ASSERT_TRUE(waitFor([&] { return !welcomed.working(); }));
    EXPECT_TRUE(calibrate->isEnabled());
    EXPECT_EQ(calibrate->text(), QStringLiteral("Calibrate"));
    EXPECT_TRUE(window.bannerText().contains(QStringLiteral("was stopped")))
        << window.bannerText().toStdString();
}

TEST(EmptyViews, StartWhatTheyOfferAndOfferItNoMore) {
    Welcomed welcomed;
    ASSERT_TRUE(welcomed.shell->ready());
    MainWindow& window = welcomed.shell->window;
    window.controller().next().setSteps(12);
    window.views().goToTab(ViewStack::tabOf(QStringLiteral("training")));
    QPushButton* run = nullptr;
    for (QPushButton* button : window.findChildren<QPushButton*>(QStringLiteral("trainingRun")))
        if (button->isVisible()) run = button;
    ASSERT_NE(run, nullptr);
    QTest::mouseClick(run, Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return !welcomed.working() && !window.workbench().runs().all().empty(); }));
    EXPECT_TRUE(waitFor([&] { return !run->isVisible(); }));
}

}  // namespace
}  // namespace plumb::ui::test
