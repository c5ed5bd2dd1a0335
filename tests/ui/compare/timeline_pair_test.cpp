// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/timeline_pair.h"

#include "tests/ui/support.h"
#include "ui/theme/text.h"

#include <QImage>
#include <QTest>

#include <gtest/gtest.h>

namespace plumb::ui::test {
namespace {

/// Operations of these lengths, one after the other from the tenth second on.
ComparedLane laneOf(std::initializer_list<std::pair<const char*, Seconds>> ops) {
    ComparedLane lane;
    auto reading = std::make_shared<Reading>();
    reading->timeline = std::make_shared<Timeline>();
    lane.begin = 10;
    for (const auto& [name, length] : ops) {
        const Seconds begin = lane.begin + lane.length;
        lane.records.push_back(
            {.begin = begin, .end = begin + length, .op = static_cast<std::int32_t>(reading->ops.size())});
        OpReading op;
        op.name = name;
        reading->ops.push_back(op);
        lane.length += length;
    }
    lane.reading = reading;
    return lane;
}

TEST(TimelinePair, IsReadByKeysAndInWords) {
    FailOnQtWarnings guard{{QStringLiteral("propagateSizeHints")}};
    Theme theme;
    TimelinePair pair(theme);
    auto detail = std::make_shared<CompareDetail>();
    detail->lanes = {laneOf({{"load", 1}, {"multiply", 4}, {"add", 1}}), laneOf({{"load", 1}, {"fused", 3}})};
    ASSERT_TRUE(pair.show(detail));
    pair.resize(600, 120);
    static_cast<QWidget&>(pair).show();
    EXPECT_EQ(pair.accessibleDescription(),
              QStringLiteral("baseline: 3 pieces of work in 6.00 s; other: 2 pieces of work in 4.00 s"));
    const auto name = [&](Qt::Key key) {
        QTest::keyClick(&pair, key);
        return pair.cardShown() == nullptr ? QString() : pair.cardShown()->title;
    };
    EXPECT_EQ(name(Qt::Key_Home), QStringLiteral("load"));
    EXPECT_EQ(name(Qt::Key_Right), QStringLiteral("multiply"));
    EXPECT_TRUE(pair.accessibleDescription().startsWith(QStringLiteral("baseline; multiply; ")))
        << pair.accessibleDescription().toStdString();
    EXPECT_EQ(name(Qt::Key_Down), QStringLiteral("fused")) << "what ran then in the other step";
    EXPECT_EQ(name(Qt::Key_Down), QStringLiteral("fused"));
    EXPECT_EQ(name(Qt::Key_Right), QStringLiteral("fused")) << "the last one";
    pair.setFocus();
    const QImage here = pair.grab().toImage();
    EXPECT_EQ(name(Qt::Key_Left), QStringLiteral("load"));
    EXPECT_NE(pair.grab().toImage(), here) << "the current one is marked";
    EXPECT_EQ(name(Qt::Key_Escape), QString());
    EXPECT_TRUE(pair.accessibleDescription().startsWith(QStringLiteral("baseline: 3 ")));

    detail = std::make_shared<CompareDetail>();
    detail->lanes = {laneOf({}), laneOf({{"load", 1}})};
    EXPECT_FALSE(pair.show(detail));
    EXPECT_EQ(name(Qt::Key_Right), QString()) << "there is none in this one";
    EXPECT_EQ(name(Qt::Key_Up), QString());
    EXPECT_EQ(name(Qt::Key_Down), QStringLiteral("load"));
}

}  // namespace
}  // namespace plumb::ui::test
