// SPDX-License-Identifier: GPL-3.0-or-later
// The planner as it looks: nothing cut off or painted over, in windows of any size.
#include "tests/ui/pictures.h"
#include "tests/ui/planner/planner_support.h"
#include "ui/charts/tornado_chart.h"
#include "ui/planner/remark_table.h"
#include "ui/theme/scaled.h"
#include "ui/widgets/field_row.h"
#include "ui/widgets/segmented_control.h"

#include <QAbstractItemView>
#include <QPushButton>
#include <QScopeGuard>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableWidget>
#include <QTextLayout>

namespace plumb::ui::test {
namespace {

using planner::Input;

class PlannerLayoutTest : public PlannerViewTest {
protected:
    void makeLlama(QSize size) {
        make({}, size);
        spread();
    }
    void spread() {
        edits().setModel(QStringLiteral("llama-3-70b"));
        edits().enter(Input::Tensor, QStringLiteral("8"));
        edits().enter(Input::Pipeline, QStringLiteral("4"));
        edits().enter(Input::Batch, QStringLiteral("1024"));
    }
};

TEST_F(PlannerLayoutTest, ALabelLeavesNoSingleChineseLetterToItsLastLine) {
    FieldRow row(theme, QStringLiteral("节点之内一条消息的延迟"), QStringLiteral("latency"));
    const auto* label = row.findChild<QLabel*>();
    for (int width = 60; width < 300; width += 5) {
        QTextLayout lines(label->text(), label->font());
        lines.beginLayout();
        QString last;
        int count = 0;
        for (QTextLine line = lines.createLine(); line.isValid(); line = lines.createLine(), ++count) {
            line.setLineWidth(width);
            last = label->text().mid(line.textStart(), line.textLength()).remove(QChar(0x2060));
        }
        lines.endLayout();
        EXPECT_GE(last.size(), 3) << width << " " << count;
    }
    row.setLabel(QStringLiteral("Batch"));
    EXPECT_EQ(label->text(), QStringLiteral("Batch"));
}

TEST_F(PlannerLayoutTest, NothingIsCutOffAtTheSides) {
    for (const QSize size : {QSize(960, 640), QSize(1140, 800)}) {
        makeLlama(size);
        for (const PlannerQuestion& question : plannerQuestions()) {
            ask(question.key.toLatin1().constData());
            ASSERT_TRUE(settled());
            QCoreApplication::processEvents();
            EXPECT_EQ(child<QScrollArea>(*view, "plannerScroll")->horizontalScrollBar()->maximum(), 0)
                << question.key.toStdString() << " at " << size.width();
            const auto* inputs = child<QScrollArea>(*view, "plannerPanelScroll");
            EXPECT_LE(inputs->widget()->width(), inputs->viewport()->width())
                << question.key.toStdString() << " at " << size.width();
            for (const QPushButton* button :
                 child<SegmentedControl>(*view, "plannerMapValue")->findChildren<QPushButton*>()) {
                if (!button->isVisible()) continue;
                EXPECT_GE(button->width(), button->fontMetrics().horizontalAdvance(button->text()))
                    << question.key.toStdString() << " at " << size.width();
            }
            for (const QLabel* figure : view->findChildren<QLabel*>(QStringLiteral("plannerFigureLabel"))) {
                if (!figure->isVisible()) continue;
                EXPECT_GE(figure->width(), figure->sizeHint().width()) << figure->text().toStdString();
                EXPECT_LE(figure->mapTo(view.get(), QPoint(figure->width(), 0)).x(), size.width())
                    << question.key.toStdString() << ": " << figure->text().toStdString();
            }
        }
    }
}

// In two lines where one has no room for them: the narrowest window elides none.
TEST_F(PlannerLayoutTest, NamesOfInputsAreWholeBesideTheirBars) {
    TornadoChart chart(theme);
    TornadoChart::Content content{.bars = {}, .expected = 10, .title = {}, .format = [](double value) {
                                      return QString::number(value);
                                  }};
    for (const char* name : {"Model FLOP utilisation", "Share of the time in which it trains", "Devices"})
        content.bars.push_back({.label = QString::fromLatin1(name),
                                .low = QStringLiteral("1"),
                                .high = QStringLiteral("2"),
                                .atLow = 8,
                                .atHigh = 12,
                                .help = {}});
    chart.setContent(content);
    chart.resize(scaled(320), scaled(260));
    for (qsizetype i = 0; i < content.bars.size(); ++i) {
        EXPECT_EQ(chart.placedName(i).second, content.bars[i].label);
        EXPECT_TRUE(QRectF(chart.rect()).contains(chart.barRect(i)));
        for (qsizetype other = 0; other < i; ++other)
            EXPECT_FALSE(chart.placedName(i).first.intersects(chart.placedName(other).first));
    }
    EXPECT_GT(coloursIn(picture(chart, QStringLiteral("tornado-long-names"))), 5);
}

// Two thirds of a screen of 1024 x 768 would be the inputs'.
TEST_F(PlannerLayoutTest, LargeLettersLeaveTheAnswerItsWidth) {
    const QFont before = QApplication::font();
    QFont large = before;
    large.setPointSizeF(1.75 * before.pointSizeF());
    QApplication::setFont(large);
    const auto restore = qScopeGuard([&] { QApplication::setFont(before); });
    makeFresh({scaled(568), scaled(350)});
    for (const char* key : {"time", "step"}) {
        ask(key);
        ASSERT_TRUE(settled());
        QCoreApplication::processEvents();
        EXPECT_EQ(child<QScrollArea>(*view, "plannerScroll")->horizontalScrollBar()->maximum(), 0) << key;
        const auto* inputs = child<QScrollArea>(*view, "plannerPanelScroll");
        EXPECT_LE(inputs->widget()->width(), inputs->viewport()->width()) << key;
    }
    const int narrow = child<QWidget>(*view, "plannerPanel")->width();
    view->resize(scaled(1000), scaled(350));
    EXPECT_GT(child<QWidget>(*view, "plannerPanel")->width(), narrow) << "it comes back";
    // Beside a lesson they stand below each other.
    view->resize(scaled(430), scaled(350));
    QCoreApplication::processEvents();
    EXPECT_EQ(view->minimumSizeHint().expandedTo(view->size()), view->size());
    const auto* answer = child<QScrollArea>(*view, "plannerScroll");
    EXPECT_GT(answer->mapTo(view.get(), QPoint()).y(),
              child<QWidget>(*view, "plannerInputs")->geometry().bottom());
    EXPECT_EQ(answer->horizontalScrollBar()->maximum(), 0);
    EXPECT_GT(answer->height(), scaled(100));
    view.reset();
}

TEST_F(PlannerLayoutTest, ARefusalBelowTheLastFieldInSightComesIntoSightWithItsRemedy) {
    makeFresh({1000, 640});
    view->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(view.get()));
    ask("step");
    ASSERT_TRUE(settled());
    auto* const panel = child<QScrollArea>(*view, "plannerPanelScroll");
    const auto* const field = child<QLineEdit>(*view, "planner-op-overheadField");
    ASSERT_TRUE(field->isVisible());
    QCoreApplication::processEvents();
    const int bottom = field->mapTo(panel->widget(), QPoint(0, field->height())).y();
    panel->verticalScrollBar()->setValue(bottom - panel->viewport()->height());
    type("op-overhead", "-5");
    const auto* const fix = child<QPushButton>(*view, "planner-op-overheadNoteFix");
    ASSERT_TRUE(fix->isVisible());
    EXPECT_TRUE(waitFor([&] { return fix->visibleRegion().boundingRect().size() == fix->size(); }));
    EXPECT_EQ(field->visibleRegion().boundingRect().size(), field->size());
}

TEST_F(PlannerLayoutTest, WhatWasSolvedStandsInTheWidthOfTheAnswer) {
    makeLlama({960, 640});
    ASSERT_TRUE(settled());
    QTest::keyClicks(child<QLineEdit>(*view, "plannerTarget"), QStringLiteral("0.0001"));
    QTest::mouseClick(child<QPushButton>(*view, "plannerSolve"), Qt::LeftButton);
    QCoreApplication::processEvents();
    const auto* const said = child<QLabel>(*view, "plannerSolved");
    ASSERT_TRUE(said->isVisible());
    const auto* const card = child<QWidget>(*view, "plannerAnswerCard");
    EXPECT_GT(said->width(), card->width() * 4 / 5);
    EXPECT_GE(said->height(), said->heightForWidth(said->width()));
}

TEST_F(PlannerLayoutTest, TheNoteStandsBelowTheTable) {
    for (const QSize size : {QSize(960, 640), QSize(1290, 860)}) {
        makeLlama(size);
        for (const char* key : {"make-it-fit", "devices"}) {
            ask(key);
            ASSERT_TRUE(settled());
            QCoreApplication::processEvents();
            const auto* table = child<QTableWidget>(*view, "plannerTable");
            const auto* note = child<QLabel>(*view, "plannerTableNote");
            EXPECT_GE(note->geometry().top(), table->geometry().bottom()) << key;
            EXPECT_GE(note->height(), note->heightForWidth(note->width())) << key;
            EXPECT_LE(note->geometry().bottom(), note->parentWidget()->height()) << key;
        }
    }
}

TEST_F(PlannerLayoutTest, RemarksOfATableHaveRoomWithoutMovingSideways) {
    for (const QSize size : {QSize(960, 640), QSize(1250, 680)}) {
        makeFresh(size);
        for (const char* key : {"make-it-fit", "devices"}) {
            ask(key);
            ASSERT_TRUE(settled());
            QCoreApplication::processEvents();
            auto* table = child<RemarkTable>(*view, "plannerTable");
            int remarks = 0;
            for (int row = 0; row < table->rowCount(); ++row) {
                const QString text = table->remark(row);
                if (text.isEmpty()) continue;
                ++remarks;
                table->scrollToItem(table->item(row, 0));
                const QRect rect = table->remarkRect(row);
                EXPECT_LE(rect.right(), table->viewport()->width()) << key;
                const QRect needed = table->fontMetrics().boundingRect(
                    QRect(0, 0, rect.width(), 1), Qt::AlignLeft | Qt::TextWordWrap, text);
                EXPECT_LE(needed.width(), rect.width()) << key << ": " << text.toStdString();
                EXPECT_LE(needed.height(), rect.height()) << key << ": " << text.toStdString();
                EXPECT_EQ(table->item(row, 0)->data(Qt::AccessibleDescriptionRole).toString(), text);
            }
            EXPECT_GT(remarks, 3) << key;
            EXPECT_EQ(table->horizontalScrollBar()->maximum(), 0) << key << ' ' << size.width();
        }
    }
}

TEST_F(PlannerLayoutTest, FiguresWithoutRoomForTheirColumnsStandBelowTheOthersWithTheirTitles) {
    makeFresh({960, 640});
    ask("make-it-fit");
    ASSERT_TRUE(settled());
    QCoreApplication::processEvents();
    auto* table = child<RemarkTable>(*view, "plannerTable");
    ASSERT_GT(table->rowCount(), 0);
    const auto gone = [&] {
        int count = 0;
        for (int column = 0; column + 1 < table->columnCount(); ++column) {
            if (!table->isColumnHidden(column)) continue;
            const QString title = table->horizontalHeaderItem(column)->text();
            if (title == QStringLiteral("expert")) continue;  // of a model with experts alone
            ++count;
            const QString said = title + u' ' + table->item(0, column)->text();
            EXPECT_TRUE(table->remark(0).contains(said)) << table->remark(0).toStdString();
        }
        return count;
    };
    EXPECT_GT(gone(), 0);
    for (const int chosenBy : {0, 3, 4, 5}) EXPECT_FALSE(table->isColumnHidden(chosenBy));
    view->resize(1700, 900);
    QCoreApplication::processEvents();
    EXPECT_EQ(gone(), 0);
    EXPECT_FALSE(table->remark(0).contains(QStringLiteral("micro-batch")));
    EXPECT_EQ(table->horizontalScrollBar()->maximum(), 0);
}

TEST_F(PlannerLayoutTest, TheListOfRecipesIsAsWideAsItsLongestName) {
    theme.apply(*qApp);  // whose lists are no wider than their fields
    makeFresh({960, 640});
    const FailOnQtWarnings ofPopups({QStringLiteral("does not support")});
    auto* recipes = child<QComboBox>(*view, "plannerRecipe");
    recipes->showPopup();
    const QAbstractItemView& list = *recipes->view();
    int widest = 0;
    for (int i = 0; i < recipes->count(); ++i)
        widest = std::max(widest, list.fontMetrics().horizontalAdvance(recipes->itemText(i)));
    EXPECT_LT(recipes->width(), widest) << "else nothing is tested";
    EXPECT_GE(list.viewport()->width(), widest + 8);
    recipes->hidePopup();
}

TEST_F(PlannerLayoutTest, SaysNothingOfOptionsOfTheCommandLine) {
    make();
    const auto look = [&](const std::string& when) {
        for (const QLabel* label : view->findChildren<QLabel*>())
            EXPECT_FALSE(label->text().contains(QStringLiteral("--")))
                << when << ": " << label->text().toStdString();
        EXPECT_FALSE(model().explorer().mapProblem().contains(QStringLiteral("--")))
            << model().explorer().mapProblem().toStdString();
        EXPECT_FALSE(model().results().stepProblem.contains(QStringLiteral("--")));
        EXPECT_FALSE(model().results().memoryProblem.contains(QStringLiteral("--")));
        EXPECT_FALSE(model().explorer().explored().tableProblem.contains(QStringLiteral("--")));
    };
    for (const char* preset : {"count", "llama-3-8b", "linear"}) {
        edits().setModel(QString::fromLatin1(preset));
        for (const PlannerQuestion& question : plannerQuestions()) {
            ask(question.key.toLatin1().constData());
            ASSERT_TRUE(settled());
            look(std::string(preset) + ' ' + question.key.toStdString());
        }
    }
    edits().setModel(QStringLiteral("llama-3-8b"));
    ask("memory");
    type("tensor", "3");
    ASSERT_TRUE(settled());
    look("a degree that does not divide");
    type("batch", "nonsense");
    look("what cannot be read");
    EXPECT_TRUE(note("batch").contains(QStringLiteral("is not a number"))) << note("batch").toStdString();
}

TEST_F(PlannerLayoutTest, SaysWhichBatchOfTheDeepLinearModelFits) {
    make();
    edits().setModel(QStringLiteral("linear"));
    ask("make-it-fit");
    ASSERT_TRUE(settled());
    EXPECT_TRUE(text("plannerTableNote").contains(QStringLiteral("checkpoint sqrt: ")))
        << text("plannerTableNote").toStdString();
    EXPECT_FALSE(child<QTableWidget>(*view, "plannerTable")->isVisible());
    ask("devices");
    ASSERT_TRUE(settled());
    EXPECT_TRUE(child<QTableWidget>(*view, "plannerTable")->isVisible());
    EXPECT_GT(child<QTableWidget>(*view, "plannerTable")->rowCount(), 30);
}

TEST_F(PlannerLayoutTest, SaysWhatIsMissingAtItsOwnField) {
    make();
    ask("optimal");
    EXPECT_TRUE(note("budget").contains(QStringLiteral("No budget is known")))
        << note("budget").toStdString();
    EXPECT_FALSE(note("devices").contains(QStringLiteral("budget"))) << note("devices").toStdString();
    ask("utilisation");
    EXPECT_TRUE(note("tokens-per-second").contains(QStringLiteral("is not known")));
}

TEST_F(PlannerLayoutTest, MapsTheMemoryOfAMereCount) {
    make();
    ASSERT_TRUE(settled());
    ASSERT_TRUE(model().explorer().map().has_value());
    for (const planner::MapCell& cell : model().explorer().map()->cells) {
        if (!cell.possible) continue;
        EXPECT_GT(cell.memoryBytes, 0);
        EXPECT_EQ(cell.stepSeconds, 0);
    }
    EXPECT_TRUE(model().explorer().mapProblem().isEmpty()) << model().explorer().mapProblem().toStdString();
}

/// With PLUMB_PICTURES=FOLDER the pictures are kept to look at.
TEST_F(PlannerLayoutTest, LooksRightInBothThemesAndTwoSizes) {
    for (const bool dark : {false, true}) {
        theme.setMode(dark ? Theme::Mode::Dark : Theme::Mode::Light);
        theme.apply(*qApp);
        for (const QSize size : {QSize(1290, 860), QSize(960, 640)}) {
            make({}, size);
            for (const PlannerQuestion& question : plannerQuestions()) {
                ask(question.key.toLatin1().constData());
                if (question.key == QLatin1String("memory")) spread();
                ASSERT_TRUE(settled());
                const QImage shot = picture(*view, QStringLiteral("planner-%1-%2-%3")
                                                       .arg(question.key)
                                                       .arg(size.width())
                                                       .arg(themeName(theme)));
                EXPECT_EQ(shot.size(), view->size() * shot.devicePixelRatio());
            }
        }
    }
}

}  // namespace
}  // namespace plumb::ui::test
