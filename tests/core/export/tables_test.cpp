// SPDX-License-Identifier: Apache-2.0
#include "core/export/tables.h"

#include "core/snapshot/snapshot.h"
#include "tests/core/snapshot/snapshot_samples.h"
#include "tests/support/number.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace plumb {
namespace {

using Cells = std::vector<std::vector<std::string>>;

/// A reader of RFC 4180 of its own, strict about CRLF and quotes.
Cells parseCsv(const std::string& text) {
    Cells table(1, std::vector<std::string>(1));
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

TEST(OpsTable, HasARowPerOpAndAColumnPerCategoryAndReading) {
    const Snapshot snapshot = sampleSnapshot();
    const Cells table = parseCsv(toCsv(opsTable(exportedStep(snapshot))));
    ASSERT_EQ(table.size(), snapshot.predicted->ops.size() + 1);
    for (const auto& row : table) ASSERT_EQ(row.size(), 13 + 2 * kCategoryCount + kCounterCount);
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

TEST(OpsTable, QuotesWhatNeedsItAndLeavesUnknownValuesEmpty) {
    Snapshot snapshot = sampleSnapshot();
    snapshot.measured.reset();
    snapshot.predicted->memory.reset();
    snapshot.predicted->ops.resize(1);
    snapshot.predicted->ops[0].name = "say \"hi\",\r\nthen go";
    snapshot.predicted->ops[0].flops.reset();
    const Cells table = parseCsv(toCsv(opsTable(exportedStep(snapshot))));
    ASSERT_EQ(table.size(), 2U);
    EXPECT_EQ(table[1][1], "say \"hi\",\r\nthen go");
    EXPECT_EQ(table[1][4], "");
    EXPECT_EQ(table[1][8], "");
    EXPECT_EQ(table[1][10], "") << "no memory was predicted";
}

TEST(OpsTable, ShowsOpsThatOnlyTheMeasuredReadingHas) {
    Snapshot snapshot = sampleSnapshot();
    snapshot.predicted.reset();
    const Cells table = parseCsv(toCsv(opsTable(exportedStep(snapshot))));
    ASSERT_EQ(table.size(), snapshot.measured->ops.size() + 1);
    EXPECT_EQ(table[1][6], "");
    EXPECT_EQ(test::numberIn(table[1][8]), 1e-5);
}

TEST(TrainingTable, HasARowPerKeptStep) {
    const Cells table = parseCsv(toCsv(trainingTable(exportedStep(sampleSnapshot()))));
    ASSERT_EQ(table.size(), 5U);
    EXPECT_THAT(table[0], testing::ElementsAre("step", "loss", "seconds", "step_seconds", "gradient_norm",
                                               "update_ratio", "learning_rate", "loss_scale"));
    EXPECT_EQ(test::numberIn(table[2][1]), 0.1 + 0.2);
    EXPECT_THAT(table[4], testing::ElementsAre("6", "", "0.003", "0.0005", "", "0.03", "0.00025", "32768"));
}

TEST(OpsTable, HoldsNoFormulaAndNoControlCharacterOfAFile) {
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
    const Cells table = parseCsv(toCsv(opsTable(exportedStep(snapshot))));
    for (std::size_t i = 0; i < names.size(); ++i) EXPECT_EQ(table[i + 1][1], names[i].second);
}

template <class Value>
const TableColumn::Values<Value>& valuesOf(const Table& table, std::string_view name) {
    const TableColumn* column = table.find(name);
    EXPECT_NE(column, nullptr) << name;
    return std::get<TableColumn::Values<Value>>(column->values);
}

TEST(TensorsTable, HasEachTensorWithItsBytesAndTheOpsItLivesIn) {
    const ExportedStep exported = exportedStep(sampleSnapshot());
    const Step& step = *exported.step();
    const Table table = tensorsTable(exported);
    ASSERT_EQ(table.rows(), static_cast<std::size_t>(step.tensorCount()));
    std::vector<Bytes> alive(static_cast<std::size_t>(step.opCount()));
    for (std::size_t i = 0; i < table.rows(); ++i) {
        const auto first = valuesOf<std::int64_t>(table, "first_op_index")[i].value_or(0);
        const auto last = valuesOf<std::int64_t>(table, "last_op_index")[i].value_or(step.opCount() - 1);
        for (auto op = first; op <= last; ++op)
            alive[static_cast<std::size_t>(op)] += *valuesOf<std::int64_t>(table, "bytes")[i];
    }
    const std::vector<CategoryBytes> curve = memoryCurve(step);
    for (std::size_t op = 0; op < curve.size(); ++op) EXPECT_EQ(alive[op], total(curve[op])) << "op " << op;
}

TEST(MemoryTable, HasBothCurvesAndTheirSums) {
    const ExportedStep exported = exportedStep(sampleSnapshot());
    const Table table = memoryTable(exported);
    const auto& sums = valuesOf<std::int64_t>(table, "predicted_bytes");
    ASSERT_EQ(sums.size(), exported.predicted->memory->curve.size());
    for (std::size_t i = 0; i < sums.size(); ++i)
        EXPECT_EQ(sums[i], total(exported.predicted->memory->curve[i]));
    EXPECT_EQ(*std::ranges::max_element(sums), exported.predicted->memory->peakBytes);
}

TEST(ModulesTable, HasTheStepInItsRoot) {
    const ExportedStep exported = exportedStep(sampleSnapshot());
    const Table table = modulesTable(exported);
    EXPECT_EQ(valuesOf<std::string>(table, "module")[0], "");
    EXPECT_EQ(valuesOf<std::int64_t>(table, "flops")[0], exported.step()->flops);
    EXPECT_GT(table.rows(), 1U);
}

TEST(TimelineTable, HasEveryRecord) {
    const Snapshot snapshot = sampleSnapshot();
    const Timeline& timeline = *snapshot.measured->timeline;
    const Table table = timelineTable(exportedStep(snapshot));
    ASSERT_EQ(table.rows(), timeline.records.size());
    for (std::size_t i = 0; i < table.rows(); ++i) {
        EXPECT_EQ(valuesOf<double>(table, "begin_seconds")[i], timeline.records[i].begin);
        EXPECT_EQ(valuesOf<std::string>(table, "kind")[i], timelineKindName(timeline.records[i].kind));
    }
}

}  // namespace
}  // namespace plumb
