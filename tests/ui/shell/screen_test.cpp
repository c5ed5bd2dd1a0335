// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window on small and large screens: nothing that it says is cut, in any view, in either language.
#include "tests/ui/shell/cut_texts.h"
#include "tests/ui/shell/filled_window.h"
#include "ui/lab/lesson_panel.h"
#include "ui/ranks/what_if_row.h"
#include "ui/theme/scaled.h"
#include "ui/trace/trace_lanes.h"
#include "ui/widgets/card.h"
#include "ui/widgets/screen_room.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace plumb::ui::test {
namespace {

std::string said(const QStringList& cut) { return cut.join(QLatin1Char('\n')).toStdString(); }

/// In the style of the program, by which buttons are as wide as they are there.
struct Screen : FilledWindow {
    Screen() { theme.apply(*qApp); }
    void look(const char* language, std::initializer_list<QSize> sizes) {
        QStringList known;
        for (const QSize size : sizes) {
            host.frame().resize(size);
            settle();
            EXPECT_EQ(window().size(), size);
            forEachPage([&](const std::string& page) {
                for (const QString& cut : cutIn(window())) {
                    if (known.contains(cut)) continue;
                    known << cut;
                    ADD_FAILURE() << language << ' ' << size.width() << " x " << size.height() << ' ' << page
                                  << ": " << cut.toStdString();
                }
            });
        }
    }
};

TEST(ScreenTest, CutsNothingInAnyViewFromSmallToLargeInBothLanguages) {
    Screen screen;
    ASSERT_TRUE(screen.fill());
    screen.look("en", {QSize(900, 600), QSize(1600, 1000)});
    ASSERT_TRUE(screen.record(true));
    screen.look("en, recorded", {QSize(900, 600)});
    ASSERT_TRUE(screen.choose("view.language.zh_CN"));
    screen.look("zh_CN, recorded", {QSize(1024, 768)});
    ASSERT_TRUE(screen.record(false));
    EXPECT_TRUE(screen.window().actions().action(QStringLiteral("view.notes"))->isVisible())
        << "of a window that was made while the step stood in front";
    screen.look("zh_CN", {QSize(900, 600), QSize(1024, 768)});
}

class ScreenTestOfLetters : public testing::TestWithParam<double> {};

/// As much room as the least window has for letters of the usual size, in the views that are sized by
/// numbers; and less, where rows have many parts: what a screen of 1024 x 768 has for letters of 150 %.
TEST_P(ScreenTestOfLetters, CutsNothingOfThemInAnyLanguage) {
    Screen screen;
    Theme::Look large = screen.theme.look();
    large.fontScale = GetParam();
    const QSize room(qRound(900 * large.fontScale), qRound(600 * large.fontScale));
    const QSize small(qRound(1024 * large.fontScale / 1.5), qRound(768 * large.fontScale / 1.5));
    screen.theme.setLook(large);
    ASSERT_TRUE(screen.fill());
    for (const char* language : {"en", "zh_CN"}) {
        if (std::string_view(language) != "en") ASSERT_TRUE(screen.choose("view.language.zh_CN"));
        screen.host.frame().resize(room);
        for (const char* view : {"operations", "modules", "trace", "planner", "lab"}) {
            screen.window().views().goToTab(ViewStack::tabOf(QString::fromLatin1(view)));
            settle();
            EXPECT_EQ(said(cutIn(screen.window())), "") << language << ' ' << view;
        }
        screen.host.frame().resize(small);
        const auto look = [&](const char* view, int page) {
            settle();
            EXPECT_EQ(screen.window().size(), small);
            EXPECT_EQ(said(cutIn(screen.window())), "") << language << ' ' << view << ' ' << page;
        };
        look("lab", 0);
        auto& lab = static_cast<LabView&>(*screen.window().views().currentView());
        for (const int page : {1, 2}) {
            lab.setPage(page);
            look("lab", page);
        }
        screen.window().views().goToTab(ViewStack::tabOf(QStringLiteral("planner")));
        auto& planner = static_cast<PlannerView&>(*screen.window().views().currentView());
        const bool isFirst = std::string_view(language) == "en";
        for (const int page : {0, 8, isFirst ? PlannerView::pageCount() - 1 : 3}) {  // candidates, evidence
            planner.showPage(page);
            settle();
            ASSERT_TRUE(waitFor([&] { return !planner.property(kBusyView).toBool(); }));
            look("planner", page);
        }
        planner.showPage(0);
        screen.window().views().goToTab(ViewStack::tabOf(QStringLiteral("trace")));
        look("trace", 0);
        screen.window().actions().action(QStringLiteral("help.lessons"))->trigger();
        auto& lesson = *child<LessonPanel>(screen.window(), "lessonPanel");
        lesson.setStep(99);  // the last one, whose button has most to say
        settle();
        EXPECT_EQ(said(cutIn(lesson)), "") << language;
        screen.window().actions().action(QStringLiteral("help.lessons"))->trigger();
        EXPECT_GE(TraceLanes::labelHeight(), screen.window().fontMetrics().height()) << language;
        EXPECT_GE(TraceLanes::headingHeight(), screen.window().fontMetrics().height()) << language;
    }
    screen.theme.setLook({});
}

INSTANTIATE_TEST_SUITE_P(Scales, ScreenTestOfLetters, testing::Values(1.5, Theme::kMostFontScale));

/// The visible cards of a view that are in no other, where they are in it.
std::vector<QRect> cardsOf(const QWidget& view) {
    std::vector<QRect> places;
    for (const Card* card : view.findChildren<const Card*>()) {
        bool isInner = !card->isVisible();
        for (const QWidget* above = card->parentWidget(); above != &view && !isInner;
             above = above->parentWidget())
            isInner = qobject_cast<const Card*>(above) != nullptr;
        if (!isInner) places.emplace_back(card->mapTo(&view, QPoint()), card->size());
    }
    return places;
}

TEST(ScreenTest, PutsAsManyCardsBesideEachOtherAsCanBeRead) {
    Screen screen;
    ASSERT_TRUE(screen.fill());
    for (const QSize size : {QSize(900, 600), QSize(1600, 1000)}) {
        screen.host.frame().resize(size);
        int beside = 0;
        for (const char* id : {"overview", "planner", "training", "memory", "devices"}) {
            screen.window().views().goToTab(ViewStack::tabOf(QString::fromLatin1(id)));
            settle();
            QWidget& view = *screen.window().views().currentView();
            ASSERT_TRUE(waitFor([&] { return !view.property(kBusyView).toBool(); }));
            settle();
            const std::vector<QRect> cards = cardsOf(view);
            EXPECT_FALSE(cards.empty()) << id;
            for (std::size_t i = 0; i < cards.size(); ++i) {
                EXPECT_GE(cards[i].left(), 0) << id << ' ' << size.width();
                EXPECT_LE(cards[i].right(), view.width()) << id << ' ' << size.width();
                for (std::size_t j = 0; j < i; ++j) {
                    EXPECT_FALSE(cards[i].intersects(cards[j])) << id << ' ' << size.width();
                    const bool isBeside =
                        cards[i].top() <= cards[j].bottom() && cards[j].top() <= cards[i].bottom();
                    beside += isBeside ? 1 : 0;
                    constexpr int kReadable = 280;
                    if (isBeside)
                        EXPECT_GE(std::min(cards[i].width(), cards[j].width()), scaled(kReadable))
                            << id << ' ' << size.width();
                }
            }
            EXPECT_EQ(cutIn(view), QStringList()) << id << ' ' << size.width();
        }
        if (size.width() > 1200) EXPECT_GT(beside, 2) << "there is room for two columns";
    }
}

TEST(ScreenTest, CutsNothingOfTheDevicesOfSeveralRanks) {
    Screen screen;
    ASSERT_TRUE(screen.fill());
    for (const char* language : {"view.language.zh_CN", "view.language.en"}) {
        ASSERT_TRUE(screen.choose(language));
        for (const std::int64_t ranks : {2, 8}) {
            screen.showRanks(ranks);
            for (const QSize size : {QSize(900, 600), QSize(1024, 768), QSize(1600, 1000)}) {
                screen.host.frame().resize(size);
                settle();
                QWidget& view = *screen.window().views().currentView();
                EXPECT_EQ(said(cutIn(view)), "") << language << ' ' << ranks << ' ' << size.width();
                const std::vector<QRect> cards = cardsOf(view);
                EXPECT_EQ(cards.size(), 4U) << language << ' ' << size.width();
                for (std::size_t i = 0; i < cards.size(); ++i)
                    for (std::size_t j = 0; j < i; ++j)
                        EXPECT_FALSE(cards[i].intersects(cards[j])) << language << ' ' << size.width();
            }
        }
        child<WhatIfRow>(screen.window(), "whatIfRow")->ask(4);
        screen.host.frame().resize(900, 600);
        settle();
        EXPECT_EQ(said(cutIn(*screen.window().views().currentView())), "") << language << " what if";
    }
}

TEST(ScreenTest, CutsNothingOfTheLabBesideALesson) {
    Screen screen;
    ASSERT_TRUE(screen.fill());
    screen.window().actions().action(QStringLiteral("help.lessons"))->trigger();
    for (const char* language : {"view.language.zh_CN", "view.language.en"}) {
        ASSERT_TRUE(screen.choose(language));
        screen.host.frame().resize(1020, 768);
        screen.window().views().goToTab(ViewStack::tabOf(QStringLiteral("lab")));
        auto* lab = qobject_cast<LabView*>(screen.window().views().currentView());
        ASSERT_NE(lab, nullptr);
        lab->setPage(1);
        settle();
        ASSERT_TRUE(child<QWidget>(screen.window(), "lessonPanel")->isVisible());
        EXPECT_EQ(said(cutIn(*lab)), "") << language;
    }
}

/// What a calibration says while the window is small.
TEST(ScreenTest, KeepsItsSizeAndSaysTheWorkWholeWhileItGoesOn) {
    Screen screen;
    ASSERT_TRUE(screen.fill());
    for (const char* language : {"view.language.zh_CN", "view.language.en"}) {
        ASSERT_TRUE(screen.choose(language));
        screen.host.frame().resize(900, 600);
        settle();
        for (const int done : {1, 101, 1571}) {
            protocol::Event event;
            event.body = protocol::Progress{"fp32 adafactor steps of width 2048, batch 512", done, 1572};
            emit screen.window().engine().eventArrived(std::make_shared<const protocol::Event>(event));
            settle();
            EXPECT_EQ(screen.host.frame().size(), QSize(900, 600)) << language;
            EXPECT_LE(screen.host.frame().minimumWidth(), 900) << language;
            EXPECT_TRUE(
                child<QLabel>(screen.window(), "engineState")->text().contains(QStringLiteral("1572")));
            EXPECT_EQ(cutIn(*child<QWidget>(screen.window(), "statusStrip")), QStringList()) << language;
        }
        // Where even the work has no room it is cut, and the tooltip has it; the window stays.
        protocol::Event event;
        event.body = protocol::Progress{std::string(300, 'w'), 1, 2};
        emit screen.window().engine().eventArrived(std::make_shared<const protocol::Event>(event));
        settle();
        EXPECT_EQ(screen.host.frame().size(), QSize(900, 600)) << language;
        const auto* engine = child<QLabel>(screen.window(), "engineState");
        EXPECT_EQ(engine->toolTip(), engine->text());
    }
}

TEST(ScreenTest, AsksForNoMoreThanTheScreenThatItIsOn) {
    Screen screen;
    const QSize room = screenRoom(screen.host.frame());
    screen.host.frame().resize(room);
    screen.window().viewArea().setMinimumSize(2 * room);
    settle();
    EXPECT_EQ(screen.host.frame().size(), room);
    EXPECT_LE(screen.host.frame().minimumWidth(), room.width());
}

TEST(ScreenTest, WritesEveryKeyFigureOfALowWindowWithItsUnitInOneLine) {
    Screen screen;
    ASSERT_TRUE(screen.fill());
    for (const char* language : {"view.language.zh_CN", "view.language.en"}) {
        ASSERT_TRUE(screen.choose(language));
        screen.host.frame().resize(900, 600);
        settle();
        const auto* const figures = child<QWidget>(screen.window(), "keyFigures");
        for (const auto* tile : figures->findChildren<KeyFigureTile*>()) {
            const QFontMetrics metrics(tile->font());
            EXPECT_GE(tile->width(), metrics.horizontalAdvance(tile->figure().predicted) +
                                         metrics.horizontalAdvance(tile->figure().measured))
                << language << ' ' << tile->figure().id.toStdString();
            EXPECT_EQ(tile->y(), 0) << language << ": a second line takes the room of the view";
        }
    }
    // Two numbers of one unit beside each other, of which one without it would be another number.
    KeyFigureTile tile(screen.theme, nullptr);
    tile.setForm(KeyFigureTile::Form::Strip);
    KeyFigure figure;
    figure.predicted = QStringLiteral("161 kB");
    figure.measured = QStringLiteral("172 MB");
    tile.setFigure(figure);
    const int otherUnits = tile.minimumSizeHint().width();
    figure.measured = QStringLiteral("172 kB");
    tile.setFigure(figure);
    const QFontMetrics metrics(tile.font());
    EXPECT_GT(tile.minimumSizeHint().width(), otherUnits - 2 * metrics.horizontalAdvance(QLatin1Char('k')));
}

TEST(ScreenTest, NoticesAFixedWidthAndAWidgetOutOfSight) {
    QWidget window;
    window.resize(400, 200);
    auto* label = new QLabel(QStringLiteral("predicted and measured"), &window);
    auto* button = new QPushButton(QStringLiteral("Measure this curve"), &window);
    button->move(0, 60);
    label->adjustSize();
    button->adjustSize();
    window.show();
    settle();
    EXPECT_EQ(said(cutIn(window)), "");
    label->setFixedWidth(40);
    button->setFixedWidth(40);
    settle();
    EXPECT_EQ(cutIn(window).size(), 2);
    button->setMinimumWidth(0);
    button->setMaximumWidth(QWIDGETSIZE_MAX);
    button->adjustSize();
    button->move(390, 60);
    label->setWordWrap(true);
    label->setFixedHeight(label->fontMetrics().height());
    settle();
    EXPECT_EQ(cutIn(window).size(), 2) << "one is out of the window, the other needs more lines";
}

}  // namespace
}  // namespace plumb::ui::test
