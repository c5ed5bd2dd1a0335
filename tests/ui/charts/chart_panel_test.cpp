// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_panel.h"

#include "tests/ui/support.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QApplication>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QWheelEvent>

namespace plumb::ui::test {
namespace {

class ChartPanelTest : public ::testing::Test {
protected:
    ChartPanelTest() {
        panel.resize(420, 260);
        panel.setAxis(ChartAxis::X, {QStringLiteral("step"), {}, false, 0, 1000, true});
        panel.setAxis(ChartAxis::Y, {{}, QStringLiteral("B"), false, 0, 10e9, true});
        panel.show();
    }
    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    Theme theme;
    ChartPanel panel{theme};
};

TEST_F(ChartPanelTest, MapsPixelsBackToTheSameData) {
    for (const QPointF data : {QPointF(0, 0), QPointF(500, 5e9), QPointF(1000, 10e9)}) {
        const QPointF again = panel.toData(panel.toPixel(data));
        EXPECT_NEAR(again.x(), data.x(), 1e-6);
        EXPECT_NEAR(again.y(), data.y(), 1);
    }
    EXPECT_EQ(panel.toPixel({0, 0}), panel.plotRect().bottomLeft());
    EXPECT_EQ(panel.toPixel({1000, 10e9}), panel.plotRect().topRight());
}

TEST_F(ChartPanelTest, KeepsTickLabelsInsideAndApartAtEverySize) {
    for (int width = 180; width < 1200; width += 85) {
        for (int height = 120; height < 700; height += 95) {
            panel.resize(width, height);
            for (const ChartAxis axis : {ChartAxis::X, ChartAxis::Y}) {
                const auto texts = panel.tickLabels(axis);
                for (qsizetype i = 0; i < texts.size(); ++i) {
                    EXPECT_TRUE(QRectF(panel.rect()).contains(texts[i].box)) << width << "x" << height;
                    for (qsizetype j = 0; j < i; ++j)
                        EXPECT_FALSE(texts[i].box.intersects(texts[j].box)) << width << "x" << height;
                }
            }
        }
    }
}

TEST_F(ChartPanelTest, InALowCardTheLegendGivesWayToThePlot) {
    QVector<LegendEntry> entries;
    for (int i = 0; i < 8; ++i) {
        LegendEntry entry;
        entry.id = QString::number(i);
        entry.label = QStringLiteral("a category %1").arg(i);
        entries.append(entry);
    }
    panel.setLegend(entries);
    auto* legend = child<QWidget>(panel, "legend");
    for (int height = 120; height < 400; height += 20) {
        panel.resize(260, height);
        QCoreApplication::processEvents();
        panel.grab();
        if (!legend->isVisible()) continue;
        EXPECT_GE(legend->height(), legend->heightForWidth(legend->width())) << height << ": cut";
        for (const ChartAxis axis : {ChartAxis::X, ChartAxis::Y})
            for (const auto& text : panel.tickLabels(axis))
                EXPECT_LE(text.box.bottom(), legend->y()) << height;
    }
    EXPECT_TRUE(legend->isVisible());
    panel.resize(260, 130);
    QCoreApplication::processEvents();
    EXPECT_FALSE(legend->isVisible());
}

TEST_F(ChartPanelTest, DrawsALineAndReplacesIt) {
    panel.addLine(QStringLiteral("a"), {QStringLiteral("loss"), ColorRole::Accent, 3});
    const auto accentPixels = [&] {
        const QImage image = panel.grab().toImage();
        const QColor accent = theme.color(ColorRole::Accent);
        int count = 0;
        const qreal scale = image.devicePixelRatio();
        const QRect plot(panel.plotRect().topLeft().toPoint() * scale,
                         panel.plotRect().size().toSize() * scale);
        for (int y = plot.top(); y < plot.bottom(); ++y) {
            for (int x = plot.left(); x < plot.right(); ++x)
                count += image.pixelColor(x, y) == accent ? 1 : 0;
        }
        return count;
    };
    EXPECT_EQ(accentPixels(), 0);
    panel.setLine(QStringLiteral("a"), {{0, 5e9}, {1000, 5e9}});
    EXPECT_GT(accentPixels(), panel.plotRect().width());
    panel.setEmptyText(QStringLiteral("nothing"));
    EXPECT_EQ(accentPixels(), 0) << "what is said in its place is not said over a line";
    panel.setEmptyText({});
    EXPECT_GT(accentPixels(), panel.plotRect().width());
    panel.setLine(QStringLiteral("a"), {});
    EXPECT_EQ(accentPixels(), 0);
    panel.removeLine(QStringLiteral("a"));
    EXPECT_TRUE(panel.lineIds().isEmpty());
}

TEST_F(ChartPanelTest, BreaksALineWhereAValueIsMissing) {
    panel.addLine(QStringLiteral("a"), {{}, ColorRole::Accent, 3});
    panel.setLine(QStringLiteral("a"), {{0, 5e9}, {300, 5e9}, {400, qQNaN()}, {700, 5e9}, {1000, 5e9}});
    const QImage image = panel.grab().toImage();
    const QColor accent = theme.color(ColorRole::Accent);
    // The line is three pixels thick, wherever the font of the labels puts its middle.
    const auto isDrawnAt = [&](double x) {
        const QPoint middle = (panel.toPixel({x, 5e9}) * image.devicePixelRatio()).toPoint();
        bool drawn = false;
        for (int dy = -3; dy <= 3; ++dy) drawn |= image.pixelColor(middle + QPoint(0, dy)) == accent;
        return drawn;
    };
    EXPECT_TRUE(isDrawnAt(150));
    EXPECT_FALSE(isDrawnAt(500));
    EXPECT_TRUE(isDrawnAt(850));
}

TEST_F(ChartPanelTest, ReportsHoverClickAndKeys) {
    QSignalSpy hovered(&panel, &ChartPanel::hovered);
    QSignalSpy clicked(&panel, &ChartPanel::clicked);
    QSignalSpy keys(&panel, &ChartPanel::keyPressed);
    QWidget* viewport = child<QAbstractScrollArea>(panel, "chartCanvas")->viewport();
    const QPoint at = panel.toPixel({250, 2.5e9}).toPoint();
    QTest::mouseMove(viewport, at);
    QTest::mouseClick(viewport, Qt::LeftButton, {}, at);
    QTest::keyClick(&panel, Qt::Key_Right);
    QTest::keyClick(&panel, Qt::Key_A);
    ASSERT_EQ(clicked.count(), 1);
    EXPECT_NEAR(clicked[0][0].toPointF().x(), 250, 3);
    EXPECT_NEAR(clicked[0][0].toPointF().y(), 2.5e9, 1e8);
    ASSERT_FALSE(hovered.isEmpty());
    ASSERT_EQ(keys.count(), 1);
    EXPECT_EQ(keys[0][0].toInt(), Qt::Key_Right);
}

TEST_F(ChartPanelTest, FindsTheNearestMarkWithinReach) {
    panel.setMarks({{{100, 1e9}, Phase::Forward, true, 5, 7}, {{900, 9e9}, Phase::Loss, false, 5, 8}});
    EXPECT_EQ(panel.markAt(panel.toPixel({100, 1e9}) + QPointF(4, 4)), 7);
    EXPECT_EQ(panel.markAt(panel.toPixel({900, 9e9})), 8);
    EXPECT_FALSE(panel.markAt(panel.toPixel({500, 5e9})));
}

TEST_F(ChartPanelTest, TellsWhenALegendEntryIsToggled) {
    panel.setLegend({{QStringLiteral("x"),
                      QStringLiteral("weights"),
                      {},
                      Category::Parameters,
                      LegendEntry::Swatch::Square,
                      true,
                      true}});
    QSignalSpy toggled(&panel, &ChartPanel::legendToggled);
    child<QAbstractButton>(panel, "legend.x")->click();
    ASSERT_EQ(toggled.count(), 1);
    EXPECT_EQ(toggled[0][0].toString().toStdString(), "x");
    EXPECT_FALSE(toggled[0][1].toBool());
}

TEST_F(ChartPanelTest, ShowsTheCardInsideTheWindow) {
    HoverCardContent content;
    content.title = QStringLiteral("layer 3 · forward");
    for (int i = 0; i < 6; ++i)
        content.rows.push_back({QStringLiteral("row"), {QStringLiteral("1 GB")}, std::nullopt, false});
    for (const QPointF at : {QPointF(0, 0), QPointF(419, 259), QPointF(200, 100)}) {
        panel.showCard(content, at);
        auto* card = child<QWidget>(panel, "hoverCard");
        EXPECT_TRUE(card->isVisible());
        EXPECT_TRUE(panel.rect().contains(card->geometry()));
    }
    panel.hideCard();
    EXPECT_FALSE(child<QWidget>(panel, "hoverCard")->isVisible());
    panel.showCard(content, QPointF(200, 100));
    QWheelEvent wheel(QPointF(5, 5), panel.mapToGlobal(QPointF(5, 5)), {}, QPoint(0, -120), Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&panel, &wheel);
    EXPECT_FALSE(child<QWidget>(panel, "hoverCard")->isVisible()) << "what lay below it may have moved";
}

TEST(SteppedTo, StaysAmongTheEntries) {
    EXPECT_EQ(steppedTo(Qt::Key_Left, -1, 40), 39) << "from nowhere back to the last";
    EXPECT_EQ(steppedTo(Qt::Key_Right, -1, 40), 0);
    EXPECT_EQ(steppedTo(Qt::Key_Left, 0, 40), 0);
    EXPECT_EQ(steppedTo(Qt::Key_Right, 39, 40), 39);
    EXPECT_EQ(steppedTo(Qt::Key_PageUp, 20, 40), 16) << "a tenth of them";
    EXPECT_EQ(steppedTo(Qt::Key_PageDown, 20, 40), 24);
    EXPECT_EQ(steppedTo(Qt::Key_PageDown, 1, 3), 2) << "one at least";
    EXPECT_EQ(steppedTo(Qt::Key_Home, 20, 40), 0);
    EXPECT_EQ(steppedTo(Qt::Key_End, 20, 40), 39);
    for (const int key : {Qt::Key_Up, Qt::Key_Down, Qt::Key_Escape})
        EXPECT_EQ(steppedTo(key, 20, 40), std::nullopt);
}

}  // namespace
}  // namespace plumb::ui::test
