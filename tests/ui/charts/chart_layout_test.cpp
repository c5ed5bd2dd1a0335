// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_layout.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plumb::ui::test {
namespace {

ChartContent content() {
    ChartContent made;
    made.x = {QStringLiteral("step"), {}, false, 0, 1000, true};
    made.y = {{}, QStringLiteral("B"), false, 0, 10e9, true};
    return made;
}

ChartLayout laidOut(const ChartContent& made) { return {made, {420, 260}, QFont()}; }

TEST(ChartLayout, BreaksALineWhereAPointIsNotFinite) {
    ChartContent made = content();
    made.lines.push_back({QStringLiteral("loss"), {}, {{0, 1e9}, {1, 2e9}, {2, std::nan("")}, {3, 1e9}}});
    const ChartLayout layout = laidOut(made);
    ASSERT_EQ(layout.pieces().size(), 1U);
    EXPECT_EQ(layout.pieces()[0].size(), 2);
    EXPECT_TRUE(layout.denseLines().isEmpty());
    const QPointF first = layout.pieces()[0][0].first();
    EXPECT_EQ(QPointF(layout.plot().left() + first.x(), layout.plot().bottom() - first.y()),
              layout.toPixel({0, 1e9}));
}

TEST(ChartLayout, KeepsDenseLinesFromTheChartLibrary) {
    ChartContent made = content();
    ChartContent::Line line{QStringLiteral("loss"), {}, {}};
    for (int i = 0; i < 2000; ++i) line.points.push_back({i / 2.0, i % 2 ? 9e9 : 1e9});
    made.lines.push_back(line);
    const ChartLayout layout = laidOut(made);
    EXPECT_TRUE(layout.pieces()[0].isEmpty());
    ASSERT_EQ(layout.denseLines().size(), 1);
    for (const QPolygonF& polyline : layout.denseLines().first().polylines)
        for (const QPointF& at : polyline)
            EXPECT_TRUE(layout.plot().adjusted(-1, -1, 1, 1).contains(at)) << at.x() << ", " << at.y();
}

TEST(ChartLayout, KeepsOneDotForEachLookAndPixel) {
    ChartContent made = content();
    const QPointF at(500, 5e9);
    made.marks = {{at, ColorRole::Accent, true, 4, 0},
                  {at, ColorRole::Accent, true, 4, 1},
                  {at, ColorRole::Bad, true, 4, 2},
                  {at, ColorRole::Accent, false, 4, 3}};
    const ChartLayout layout = laidOut(made);
    ASSERT_EQ(layout.dots().size(), 3);
    EXPECT_EQ(layout.dots()[0].mark, 0);
    EXPECT_EQ(layout.dots()[1].mark, 2);
    EXPECT_EQ(layout.dots()[2].mark, 3);
    EXPECT_EQ(layout.dots()[0].at, layout.toPixel(at));
}

TEST(ChartLayout, LaysWhatIsToBeClearOnNoAreaOrLeavesItOut) {
    ChartContent made = content();
    made.areas.edges = {0, 400, 1000};
    made.areas.layers = {{QStringLiteral("low"), Category::Parameters, {2e9, 4e9}},
                         {QStringLiteral("high"), Category::Activations, {2e9, 5.5e9}}};
    const auto boxOf = [](const ChartLayout& layout, const QString& text) {
        for (const ChartLayout::Label& label : layout.labels())
            if (label.text.text == text) return std::optional(label.text.box);
        return std::optional<QRectF>();
    };
    const QString low = QStringLiteral("low"),
                  high = QStringLiteral("much too long to stand above the left area");
    const auto mark = [&](const QString& text, double x, bool clear) {
        made.markers[text] = {.x = x, .y = std::nullopt, .text = text, .clear = clear};
    };
    mark(low, 300, true);
    mark(high, 500, true);
    made.y.max = 9.6e9;  // room above the left area, none above the right one
    const ChartLayout layout = laidOut(made);
    const auto box = boxOf(layout, low);
    ASSERT_TRUE(box.has_value());
    EXPECT_LT(box->bottom(), layout.toPixel({300, 4e9}).y());
    EXPECT_FALSE(boxOf(layout, high).has_value());
    // The line of another mark is no reason to leave it out.
    mark(QStringLiteral("-"), 200, false);
    mark(low, 210, true);
    made.markers[low].text = QStringLiteral("lower");
    EXPECT_TRUE(boxOf(laidOut(made), QStringLiteral("lower")).has_value());
    mark(high, 500, false);
    EXPECT_TRUE(boxOf(laidOut(made), high).has_value()) << "else nothing is tested";
}

TEST(ChartLayout, StacksAreasFromTheTopLayerDown) {
    ChartContent made = content();
    made.areas.edges = {0, 500, 1000};
    for (const double bytes : {1e9, 0.0, 3e9}) {
        AreaLayer layer;
        layer.values = {bytes, bytes};
        made.areas.layers.push_back(layer);
    }
    const ChartLayout layout = laidOut(made);
    ASSERT_EQ(layout.areas().size(), 2) << "a layer without bytes is not drawn";
    EXPECT_EQ(layout.areas()[0].layer, 2);
    EXPECT_EQ(layout.areas()[1].layer, 0);
    EXPECT_EQ(layout.areas()[0].polygon.boundingRect().top(), layout.toPixel({0, 4e9}).y());
    EXPECT_EQ(layout.areas()[1].polygon.boundingRect().top(), layout.toPixel({0, 1e9}).y());
}

}  // namespace
}  // namespace plumb::ui::test
