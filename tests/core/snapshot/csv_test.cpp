// SPDX-License-Identifier: Apache-2.0
#include "core/snapshot/csv.h"

#include "core/snapshot/snapshot.h"
#include "tests/core/snapshot/snapshot_samples.h"
#include "tests/support/number.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plumb {
namespace {

using Table = std::vector<std::vector<std::string>>;

/// A reader of RFC 4180 of its own, strict about CRLF and quotes.
Table parseCsv(const std::string& text) {
    Table table(1, std::vector<std::string>(1));
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::string& cell = table.back().back();
        if (quoted) {
            if (text[i] != '"')
                cell += text[i];
            else if (i + 1 < text.size() && text[i + 1] == '"')
                cell += text[++i];
            else
                quoted = false;
        } else if (text[i] == '"') {
            EXPECT_TRUE(cell.empty()) << "a quote within a plain cell";
            quoted = true;
        } else if (text[i] == ',') {
            table.back().emplace_back();
        } else if (text[i] == '\r') {
            EXPECT_EQ(text.substr(i, 2), "\r\n");
            ++i;
            table.emplace_back(1);
        } else {
            EXPECT_NE(text[i], '\n');
            cell += text[i];
        }
    }
    EXPECT_FALSE(quoted);
    EXPECT_EQ(table.back(), std::vector<std::string>(1)) << "the last row has no line end";
    table.pop_back();
    return table;
}

TEST(Csv, HasARowPerOpAndAColumnPerCategoryAndReading) {
    const Snapshot snapshot = sampleSnapshot();
    const Table table = parseCsv(toCsv(snapshot));
    ASSERT_EQ(table.size(), snapshot.predicted->ops.size() + 1);
    for (const auto& row : table) ASSERT_EQ(row.size(), 10 + 2 * kCategoryCount + kCounterCount);
    EXPECT_THAT(std::vector<std::string>(table[0].begin(), table[0].begin() + 11),
                testing::ElementsAre("id", "name", "phase", "kind", "flops", "bytes", "predicted_seconds",
                                     "predicted_tier", "measured_seconds", "measured_tier",
                                     "predicted_parameters_bytes"));
    for (std::size_t i = 0; i < snapshot.predicted->ops.size(); ++i) {
        const auto& row = table[i + 1];
        const OpReading& op = snapshot.predicted->ops[i];
        EXPECT_EQ(row[0], op.id);
        EXPECT_EQ(row[1], op.name);
        EXPECT_EQ(row[4], std::to_string(*op.flops));
        EXPECT_EQ(test::numberIn(row[6]), *op.seconds) << "the text reads back as the same number";
        EXPECT_EQ(row[7], tierName(*op.tier));
        EXPECT_EQ(row[9], row[8].empty() ? "" : "measured");
        for (std::size_t c = 0; c < kCategoryCount; ++c) {
            const Category category = kAllCategories[c];
            EXPECT_EQ(row[10 + c], std::to_string(snapshot.predicted->memory->curve[i][category]));
            EXPECT_EQ(row[10 + kCategoryCount + c],
                      std::to_string(snapshot.measured->memory->curve[i][category]));
        }
        for (const CounterKind kind : kAllCounters) {
            const auto& count = snapshot.measured->ops[i].counters[kind];
            EXPECT_EQ(row[10 + 2 * kCategoryCount + static_cast<std::size_t>(kind)],
                      count ? std::to_string(count->value) : "");
        }
    }
    EXPECT_EQ(table.back()[8], "") << "the last op was not measured";
    EXPECT_EQ(table.back()[9], "") << "and has no tier";
}

TEST(Csv, QuotesWhatNeedsItAndLeavesUnknownValuesEmpty) {
    Snapshot snapshot = sampleSnapshot();
    snapshot.measured.reset();
    snapshot.predicted->memory.reset();
    snapshot.predicted->ops.resize(1);
    snapshot.predicted->ops[0].name = "say \"hi\",\r\nthen go";
    snapshot.predicted->ops[0].flops.reset();
    const Table table = parseCsv(toCsv(snapshot));
    ASSERT_EQ(table.size(), 2U);
    EXPECT_EQ(table[1][1], "say \"hi\",\r\nthen go");
    EXPECT_EQ(table[1][4], "");
    EXPECT_EQ(table[1][8], "");
    EXPECT_EQ(table[1].back(), "");
}

TEST(Csv, ShowsOpsThatOnlyTheMeasuredReadingHas) {
    Snapshot snapshot = sampleSnapshot();
    snapshot.predicted.reset();
    const Table table = parseCsv(toCsv(snapshot));
    ASSERT_EQ(table.size(), snapshot.measured->ops.size() + 1);
    EXPECT_EQ(table[1][6], "");
    EXPECT_EQ(test::numberIn(table[1][8]), 1e-5);
}

TEST(TrainingCsv, HasARowPerKeptStep) {
    const Table table = parseCsv(trainingToCsv(*sampleSnapshot().training));
    ASSERT_EQ(table.size(), 5U);
    EXPECT_THAT(table[0], testing::ElementsAre("step", "loss", "seconds", "step_seconds", "gradient_norm",
                                               "update_ratio", "learning_rate", "loss_scale"));
    EXPECT_EQ(test::numberIn(table[2][1]), 0.1 + 0.2);
    EXPECT_THAT(table[4], testing::ElementsAre("6", "", "0.003", "0.0005", "", "0.03", "0.00025", "32768"));
}

TEST(Csv, HoldsNoFormulaAndNoControlCharacterOfAFile) {
    Snapshot snapshot = sampleSnapshot();
    const std::vector<std::pair<std::string, std::string>> names{
        {"=HYPERLINK(\"http://x\",\"y\")", "'=HYPERLINK(\"http://x\",\"y\")"},
        {"+1", "'+1"},
        {"-1+cmd|' /C calc'!A0", "'-1+cmd|' /C calc'!A0"},
        {"@SUM(1)", "'@SUM(1)"},
        {"\t=1", "'\t=1"},
        {"\x1b[31mred", "\\u001b[31mred"},
        {"a-b=c", "a-b=c"}};
    for (std::size_t i = 0; i < names.size(); ++i) {
        snapshot.predicted->ops[i].id = "op" + std::to_string(i);
        snapshot.predicted->ops[i].name = names[i].first;
    }
    const Table table = parseCsv(toCsv(snapshot));
    for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(table[i + 1][1], names[i].second);
}

}  // namespace
}  // namespace plumb
