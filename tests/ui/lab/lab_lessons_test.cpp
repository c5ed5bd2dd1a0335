// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/calibration_file.h"
#include "core/machine/local_cpu.h"
#include "core/machine/machine.h"
#include "tests/ui/lab/lab_support.h"
#include "tests/ui/pictures.h"
#include "ui/lab/lesson_panel.h"
#include "ui/shell/main_window.h"
#include "ui/shell/view_stack.h"
#include "ui/theme/scaled.h"
#include "ui/widgets/highlight_ring.h"
#include "ui/widgets/tone_label.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTextBlock>
#include <QTextBrowser>

#include <filesystem>
#include <string>

namespace plumb::ui::test {
namespace {

std::vector<lab::Lesson> threeLessons() {
    std::vector<lab::Lesson> lessons;
    const auto add = [&](std::string_view id, std::string_view text) {
        auto lesson = lab::Lesson::parse(id, text);
        EXPECT_TRUE(lesson.has_value()) << id;
        lessons.push_back(std::move(lesson).value());
    };
    add("a", "---\ntitle: First\n---\nWhy.\n\n- **Do.** Move [D](control:dim).\n- **Look.** At "
             "[it](control:view.memory).\n");
    add("b", "---\ntitle: Second\n---\nMore.\n\n- **Know.** That.\n");
    add("c", "---\ntitle: Third\n---\nEnd.\n\n- **Measure.** [Run](control:run.run) it.\n");
    return lessons;
}

TEST(LessonPanel, LeavesTheViewsTheirWidthInLargeLetters) {
    LabBench bench;
    const auto lessons = threeLessons();
    QWidget window;
    const QFont before = QApplication::font();
    QFont large = before;
    large.setPointSizeF(1.5 * before.pointSizeF());
    QApplication::setFont(large);
    const auto restore = qScopeGuard([&] { QApplication::setFont(before); });
    LessonPanel panel(bench.theme, bench.settings, lessons, &window);
    window.resize(1024, 768);
    window.show();
    EXPECT_EQ(panel.width(), std::clamp(1024 - scaled(430), 350, 440));
    EXPECT_LT(panel.width(), 440);
    window.resize(1600, 1000);
    EXPECT_EQ(panel.width(), 440);
}

TEST(LessonPanel, GoesOnSkipsAndComesBackAndKeepsWhatIsDone) {
    LabBench bench;
    const auto lessons = threeLessons();
    {
        LessonPanel panel(bench.theme, bench.settings, lessons);
        QSignalSpy pointed(&panel, &LessonPanel::pointed);
        panel.resize(340, 700);
        panel.show();
        ASSERT_EQ(pointed.size(), 1);
        EXPECT_EQ(pointed[0][0].toStringList(), QStringList{QStringLiteral("dim")});
        auto* next = child<QPushButton>(panel, "lessonNext");
        QTest::mouseClick(next, Qt::LeftButton);
        EXPECT_EQ(panel.step(), 1);
        EXPECT_EQ(pointed.last()[0].toStringList(), QStringList{QStringLiteral("view.memory")});
        EXPECT_FALSE(panel.isDone(0));
        QTest::mouseClick(next, Qt::LeftButton);
        EXPECT_EQ(panel.lesson(), 1);
        EXPECT_TRUE(panel.isDone(0));
        QTest::mouseClick(child<QPushButton>(panel, "lessonSkip"), Qt::LeftButton);
        EXPECT_EQ(panel.lesson(), 2);
        EXPECT_FALSE(panel.isDone(1));
        EXPECT_FALSE(child<QPushButton>(panel, "lessonSkip")->isEnabled());
        QTest::mouseClick(child<QPushButton>(panel, "lessonBack"), Qt::LeftButton);
        QTest::keyClick(&panel, Qt::Key_Left, Qt::AltModifier);
        EXPECT_EQ(panel.lesson(), 0);
        EXPECT_EQ(panel.step(), 1);
        panel.setLesson(2);
        EXPECT_EQ(child<ToneLabel>(panel, "lessonProgress")->text(), QStringLiteral("step 1 of 1"));
        EXPECT_EQ(child<ToneLabel>(panel, "lessonsDone")->text(), QStringLiteral("1 of 3 lessons done"));
        QSignalSpy closed(&panel, &LessonPanel::closed);
        QTest::keyClick(&panel, Qt::Key_Right, Qt::AltModifier);
        EXPECT_EQ(closed.size(), 1) << "the last one finishes";
        QTest::keyClick(&panel, Qt::Key_Escape);
        EXPECT_EQ(closed.size(), 2);
    }
    const LessonPanel again(bench.theme, bench.settings, lessons);
    EXPECT_EQ(again.lesson(), 2);
    EXPECT_TRUE(again.isDone(0));
    EXPECT_FALSE(again.isDone(1));
    EXPECT_TRUE(again.isDone(2));
}

TEST(LessonPanel, MarksTheStepAtHandAndFollowsLinks) {
    LabBench bench;
    const auto lessons = threeLessons();
    LessonPanel panel(bench.theme, bench.settings, lessons);
    panel.show();
    auto* text = child<QTextBrowser>(panel, "lessonText");
    const auto marked = [&] {
        return text->extraSelections().isEmpty() ? QString()
                                                 : text->extraSelections().first().cursor.block().text();
    };
    EXPECT_EQ(marked(), QStringLiteral("Do. Move D."));
    panel.goOn();
    EXPECT_EQ(marked(), QStringLiteral("Look. At it."));
    QSignalSpy pointed(&panel, &LessonPanel::pointed);
    emit text->anchorClicked(QUrl(QStringLiteral("control:run.run")));
    EXPECT_EQ(pointed.last()[0].toStringList(), QStringList{QStringLiteral("run.run")});
}

TEST(LessonPanel, ShowsTheWholeListWhereTheTextKeepsRoomAndWholeLinesElse) {
    WindowBench bench;
    LessonPanel panel(bench.theme, bench.settings, lab::builtInLessons());
    panel.show();
    const auto* const list = child<QListWidget>(panel, "lessonList");
    const int line = list->sizeHintForRow(0);
    const auto rowsAt = [&](int height) {
        panel.resize(panel.width(), scaled(height));
        for (int round = 0; round < 3; ++round) QCoreApplication::processEvents();
        EXPECT_EQ(list->viewport()->height() % line, 0) << height;
        EXPECT_GE(child<QTextBrowser>(panel, "lessonText")->height(), scaled(100)) << height;
        return list->viewport()->height() / line;
    };
    EXPECT_EQ(rowsAt(660), list->count()) << "a screen of 768 lines";
    EXPECT_LT(rowsAt(490), list->count());
    EXPECT_EQ(rowsAt(400), 4);
    EXPECT_EQ(rowsAt(900), list->count());
}

TEST(LessonPanel, IsReadByItsListAndLivesWithoutLessons) {
    LabBench bench;
    const auto lessons = threeLessons();
    LessonPanel panel(bench.theme, bench.settings, lessons);
    panel.show();
    child<QListWidget>(panel, "lessonList")->setCurrentRow(1);
    EXPECT_EQ(child<ToneLabel>(panel, "lessonTitle")->text(), QStringLiteral("Second"));
    EXPECT_TRUE(child<QTextBrowser>(panel, "lessonText")->toPlainText().contains(QStringLiteral("More.")));
    const std::vector<lab::Lesson> none;
    LessonPanel empty(bench.theme, bench.settings, none);
    empty.show();
    EXPECT_FALSE(child<QPushButton>(empty, "lessonNext")->isEnabled());
}

/// A window with a control in a part of it.
struct HighlightRingTest : testing::Test {
    HighlightRingTest() {
        window.resize(400, 300);
        outer->setGeometry(50, 50, 200, 100);
    }
    LabBench bench;
    QWidget window;
    QWidget* outer = new QWidget(&window);
    QPushButton* control = new QPushButton(QStringLiteral("x"), outer);
};

TEST_F(HighlightRingTest, FollowsItsControlAndGoesWithIt) {
    control->setGeometry(10, 10, 60, 30);
    HighlightRing ring(bench.theme, &window);
    window.show();
    ring.surround(control);
    EXPECT_TRUE(ring.isVisible());
    EXPECT_TRUE(ring.geometry().contains(QRect(60, 60, 60, 30)));
    outer->move(100, 100);
    EXPECT_TRUE(ring.geometry().contains(QRect(110, 110, 60, 30)));
    outer->hide();
    EXPECT_FALSE(ring.isVisible());
    outer->show();
    EXPECT_TRUE(ring.isVisible());
    delete control;
    ring.surround(nullptr);
    EXPECT_FALSE(ring.isVisible());
}

TEST_F(HighlightRingTest, StaysWithinWhatIsInSight) {
    control->setGeometry(-500, 40, 2000, 30);
    HighlightRing ring(bench.theme, &window);
    window.show();
    ring.surround(control);
    EXPECT_TRUE(ring.isVisible());
    EXPECT_TRUE(outer->geometry().adjusted(-10, -10, 10, 10).contains(ring.geometry()));
    control->move(-500, 400);
    EXPECT_FALSE(ring.isVisible()) << "scrolled away";
    control->move(10, 10);
    EXPECT_TRUE(ring.isVisible());
}

TEST(Lessons, MayStandOpenWhenTheWindowGoes) {
    WindowBench bench;
    {
        MainWindow window(bench.settings, bench.theme);
        window.show();
        window.actions().action(QStringLiteral("help.lessons"))->trigger();
        EXPECT_TRUE(child<LessonPanel>(window, "lessonPanel")->isVisible());
    }
    SUCCEED() << "a panel that is hidden by the destructor calls nobody";
}

/// Whether a name leads to one control alone: those that are always in sight come before any of a view.
bool isMeant(QWidget& window, const QWidget& found, const std::string& name) {
    for (const char* place : {"runPanel", "keyFigures"})
        if (child<QWidget>(window, place)->isAncestorOf(&found)) return true;
    return name.find('.') != name.npos ||
           window.findChildren<QWidget*>(QString::fromStdString(name)).size() <= 1;
}

TEST(Lessons, GoOnByTheirKeysWhereverTheFocusIs) {
    WindowBench bench;
    MainWindow window(bench.settings, bench.theme);
    window.resize(1400, 900);
    window.show();
    window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
    window.actions().action(QStringLiteral("help.lessons"))->trigger();
    auto* panel = child<LessonPanel>(window, "lessonPanel");
    auto* field = child<QLineEdit>(window, "batchField");
    field->setFocus();
    ASSERT_TRUE(waitFor([&] { return field->hasFocus(); }));
    const int view = window.views().currentTab();
    QTest::keyClick(field, Qt::Key_Right, Qt::AltModifier);
    EXPECT_EQ(panel->step(), 1);
    QTest::keyClick(&window, Qt::Key_Left, Qt::AltModifier);
    EXPECT_EQ(panel->step(), 0);
    EXPECT_EQ(window.views().currentTab(), view) << "the planner has the same keys";
    window.actions().action(QStringLiteral("help.lessons"))->trigger();
    field->setFocus();
    QTest::keyClick(field, Qt::Key_Right, Qt::AltModifier);
    EXPECT_EQ(panel->step(), 0) << "a closed panel hears nothing";
    EXPECT_EQ(window.views().currentTab(), ViewStack::tabOf(QStringLiteral("planner")));
}

/// Every lesson on a machine that was never calibrated, and on one that was.
class LessonsOnAMachine : public testing::TestWithParam<bool> {
protected:
    void SetUp() override {
        if (!GetParam()) return;
        Machine machine = localCpu();
        machine.peakFlopPerSecond = {{Dtype::Fp32, 1e11}};
        machine.bandwidthBytesPerSecond = 1e10;
        ASSERT_TRUE(saveCalibration(machine).has_value());
        m_calibration = calibrationPath(machine);
    }
    void TearDown() override {
        if (!m_calibration.empty()) std::filesystem::remove(m_calibration);
    }

private:
    std::string m_calibration;
};

INSTANTIATE_TEST_SUITE_P(Lessons, LessonsOnAMachine, testing::Bool(), [](const auto& test) {
    return std::string(test.param ? "Calibrated" : "NotCalibrated");
});

TEST_P(LessonsOnAMachine, PutARingAroundSomethingThatIsInSightAtEveryStep) {
    WindowBench bench;
    MainWindow window(bench.settings, bench.theme);
    window.resize(1600, 1000);
    window.show();
    window.actions().action(QStringLiteral("help.lessons"))->trigger();
    auto* panel = child<LessonPanel>(window, "lessonPanel");
    auto* ring = child<HighlightRing>(window, "highlightRing");
    const QString state = child<QLabel>(window, "calibrationState")->text();
    EXPECT_EQ(state.contains(QStringLiteral("not calibrated")), !GetParam()) << state.toStdString();
    const auto& lessons = lab::builtInLessons();
    ASSERT_EQ(lessons.size(), 11U);
    int rings = 0;
    for (int i = 0; i < static_cast<int>(lessons.size()); ++i) {
        panel->setLesson(i);
        const lab::Lesson& lesson = lessons[static_cast<std::size_t>(i)];
        for (int step = 0; step < static_cast<int>(lesson.steps.size()); ++step) {
            panel->setStep(step);
            for (const std::string& name : lesson.steps[static_cast<std::size_t>(step)].controls) {
                emit panel->pointed({QString::fromStdString(name)});
                EXPECT_NE(ring->target(), nullptr) << lesson.id << " points at " << name;
                if (!ring->target()) continue;
                EXPECT_TRUE(ring->target()->isVisible()) << lesson.id << ": " << name << " is not in sight";
                EXPECT_TRUE(isMeant(window, *ring->target(), name))
                    << lesson.id << ": two are called " << name;
                ++rings;
            }
        }
    }
    EXPECT_GT(rings, 40);
    emit panel->pointed({QStringLiteral("noSuchControl")});
    EXPECT_EQ(ring->target(), nullptr);
    window.actions().action(QStringLiteral("help.lessons"))->trigger();
    EXPECT_FALSE(panel->isVisible());
    EXPECT_FALSE(ring->isVisible());
    if (const QString pictures = qEnvironmentVariable("PLUMB_PICTURES"); !pictures.isEmpty()) {
        auto* application = qobject_cast<QApplication*>(QCoreApplication::instance());
        const QPalette before = QApplication::palette();
        window.actions().action(QStringLiteral("help.lessons"))->trigger();
        for (const Theme::Mode mode : {Theme::Mode::Dark, Theme::Mode::Light}) {
            bench.theme.setMode(mode);
            bench.theme.apply(*application);
            for (const QSize size : {QSize(1440, 900), QSize(960, 640)}) {
                window.resize(size);
                for (const auto& [lesson, step] : {std::pair(3, 0), {4, 2}, {5, 3}, {7, 1}}) {
                    panel->setLesson(lesson);
                    panel->setStep(step);
                    QTest::qWait(100);
                    window.grab().save(QStringLiteral("%1/lesson%2-%3-%4.png")
                                           .arg(pictures)
                                           .arg(lesson + 1)
                                           .arg(themeName(bench.theme))
                                           .arg(size.width()));
                }
            }
        }
        QApplication::setPalette(before);
    }
}

}  // namespace
}  // namespace plumb::ui::test
