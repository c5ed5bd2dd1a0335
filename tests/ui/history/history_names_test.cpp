// SPDX-License-Identifier: GPL-3.0-or-later
// What the entries of the history are called.
#include "ui/history/history_names.h"

#include "core/io/json_fields.h"
#include "core/model/config_json.h"
#include "tests/ui/history/history_support.h"
#include "ui/history/history_model.h"
#include "ui/history/history_record.h"
#include "ui/theme/text.h"

#include <gtest/gtest.h>

namespace plumb::ui {
namespace {

TEST(HistoryTitle, TellsRunsApartThatDifferInWhatIsKeptAndInPieces) {
    HistoryEntry entry = test::someEntry(1);
    RunConfig config;
    const auto titled = [&] {
        entry.config = toText(dumpJson(toJson(config)));
        return historyTitle(entry);
    };
    EXPECT_EQ(titled(), entry.title);
    config.recompute.kind = RecomputePolicy::Kind::None;
    EXPECT_EQ(titled(), entry.title + QStringLiteral(" · activations: none"));
    config.recompute = {RecomputePolicy::Kind::Every, 2};
    config.batch = 64;
    config.microBatch = 16;
    EXPECT_EQ(titled(), entry.title + QStringLiteral(" · micro-batch 16 · activations: every 2"));
    entry.config = QStringLiteral("no JSON");
    EXPECT_EQ(historyTitle(entry), entry.title);
}

TEST(HistoryNames, BeginWithWhatTellsEntriesApart) {
    std::vector<HistoryEntry> entries(2);
    for (HistoryEntry& entry : entries) {
        entry.began = 1'764'000'000'000;
        entry.device = QStringLiteral("Processor, 2 cores");
        entry.title = QStringLiteral("D 128 · L 4 · B 256 · fp32 · AdamW");
    }
    entries[1].title = QStringLiteral("D 128 · L 4 · B 64 · fp32 · AdamW");
    entries[1].kind = HistoryKind::Profile;
    QStringList names = historyNames(entries);
    EXPECT_TRUE(names[0].startsWith(QStringLiteral("B 256 · Training, 2025-11-2"))) << names[0].toStdString();
    EXPECT_TRUE(names[1].startsWith(QStringLiteral("B 64 · Profile, 2025-11-2"))) << names[1].toStdString();
    EXPECT_TRUE(names[1].endsWith(QStringLiteral("D 128 · L 4 · fp32 · AdamW"))) << names[1].toStdString();
    entries[1] = entries[0];
    entries[1].began += 60'000;
    names = historyNames(entries);
    EXPECT_EQ(names[0], historyName(entries[0]));
}

TEST(HistoryLabels, SayTheSettingsThatDifferAmongThoseCalledAlike) {
    std::vector<HistoryEntry> entries(3);
    const auto setUp = [&](std::size_t at, double rate, std::uint64_t seed) {
        RunConfig config;
        config.learningRate = rate;
        config.seed = seed;
        entries[at].title = QStringLiteral("D 256 · L 4");
        entries[at].config = toText(dumpJson(toJson(config)));
        entries[at].configKey = configKeyOf(config);
        entries[at].began = 1'764'000'000'000 + static_cast<std::int64_t>(at) * 3'600'000;
    };
    setUp(0, 0.1, 5);
    setUp(1, 0.001, 0);
    setUp(2, 0.001, 0);
    entries[2].title = QStringLiteral("D 256 · L 8");
    HistoryLabels labels;
    labels.setEntries(entries);
    EXPECT_EQ(labels.title(entries[0]), QStringLiteral("D 256 · L 4 · Learning rate 0.1, Seed 5"));
    EXPECT_EQ(labels.title(entries[1]), QStringLiteral("D 256 · L 4 · Learning rate 0.001, Seed 0"));
    EXPECT_EQ(labels.title(entries[2]), QStringLiteral("D 256 · L 8")) << "no other is called so";
    const QStringList names = historyNames({entries[0], entries[1]});
    EXPECT_TRUE(names[0].startsWith(QStringLiteral("Learning rate 0.1, Seed 5, "))) << names[0].toStdString();
    labels.setEntries({entries[0], entries[2]});
    EXPECT_EQ(labels.title(entries[0]), QStringLiteral("D 256 · L 4")) << "the other one has gone";
}

TEST(HistoryLabels, SayTheSecondsOfThoseThatBeganWithinAMinute) {
    std::vector<HistoryEntry> entries(3);
    entries[0].began = 1'764'000'001'000;
    entries[1].began = 1'764'000'009'000;
    entries[2].began = 1'764'000'061'000;
    HistoryLabels labels;
    labels.setEntries(entries);
    EXPECT_TRUE(labels.time(entries[0]).endsWith(QStringLiteral(":01")));
    EXPECT_TRUE(labels.time(entries[1]).endsWith(QStringLiteral(":09")));
    EXPECT_EQ(labels.time(entries[2]), historyTime(entries[2].began));
    const QStringList names = historyNames({entries[0], entries[1]});
    EXPECT_NE(names[0], names[1]);
}

TEST(HistoryFigure, ALossHasNoPrefix) {
    const auto shown = [](const char* name, double value) {
        return historyFigureText(*historyFigure(QString::fromLatin1(name)), value);
    };
    EXPECT_EQ(shown("loss", 2.65e6), localText("2.65e+06"));
    EXPECT_EQ(shown("lowest", 0.013), localText("0.0130"));
    EXPECT_EQ(shown("samples", 2.65e6), quantityText(2.65e6, "/s"));
}

}  // namespace
}  // namespace plumb::ui
