// SPDX-License-Identifier: GPL-3.0-or-later
// What the search field of the history finds, and what it says of what it does not understand.
#include "ui/history/history_query.h"

#include "core/base/number_style.h"

#include <QDateTime>

#include <gtest/gtest.h>

namespace plumb::ui {
namespace {

const QDate kToday(2026, 11, 26);

HistoryEntry sought() {
    HistoryEntry entry;
    entry.kind = HistoryKind::Training;
    entry.began = QDateTime(QDate(2026, 11, 20), QTime(23, 30)).toMSecsSinceEpoch();
    entry.ended = entry.began + 1000;
    entry.program = QStringLiteral("plumbline 0.3.0 (abc1234)");
    entry.title = QStringLiteral("D 256 · L 4 · B 256 · fp32 · AdamW");
    entry.configKey = QStringLiteral("0123456789ab");
    entry.deviceId = QStringLiteral("h200-sxm");
    entry.device = QStringLiteral("NVIDIA H200 SXM");
    entry.outcome = QStringLiteral("finished");
    entry.note = QStringLiteral("the quick one");
    entry.path = QStringLiteral("/home/me/run.plumb");
    entry.tags = {QStringLiteral("baseline"), QStringLiteral("two words")};
    entry.figures = {{.name = QStringLiteral("loss"), .isMeasured = true, .value = 0.05},
                     {.name = QStringLiteral("step_time"), .isMeasured = false, .value = 0.004},
                     {.name = QStringLiteral("step_time"), .isMeasured = true, .value = 0.006},
                     {.name = QStringLiteral("peak_memory"), .isMeasured = false, .value = 2'000'000'000},
                     {.name = QStringLiteral("mfu"), .isMeasured = true, .value = 0.4}};
    return entry;
}

bool finds(const char* text) {
    const HistoryQuery query(QString::fromUtf8(text), kToday);
    EXPECT_EQ(query.problem(), QString()) << text;
    return query.matches(sought());
}

TEST(HistoryQuery, FindsWhatHoldsAllOfItsTerms) {
    for (const char* text : {"",
                             "  ",
                             "adamw",
                             "h200",
                             "ADAMW h200",
                             "\"quick one\"",
                             "tag:baseline",
                             "tag:\"two words\"",
                             "\"tag:two words\"",
                             "device:h200",
                             "device:\"nvidia h200\"",
                             "kind:training",
                             "program:0.3",
                             "config:0123",
                             "note:quick",
                             "file:run.plumb",
                             "outcome:finished",
                             "is:tagged",
                             "is:saved",
                             "on:2026-11-20",
                             "on:2026-11",
                             "on:2026",
                             "on:7d",
                             "after:2026-11-20",
                             "before:2026-11-21",
                             "after:2026-10",
                             "loss<0.1",
                             "loss<=0.05",
                             "loss=0.05",
                             "loss>0,01",
                             "time<8ms",
                             "step_time>=6ms",
                             "time>5ms",
                             "peak<2GiB",
                             "peak>=2GB",
                             "mfu>30%",
                             "mfu<0.5",
                             "-tag:other",
                             "-kind:profile",
                             "-loss>1",
                             "-is:favourite",
                             "-is:running",
                             "training loss<0.1 -h100",
                             "peak≤2GB peak≥1GB -mfu<1%"})
        EXPECT_TRUE(finds(text)) << text;
}

TEST(HistoryQuery, ReadsAComparisonWithBlanksInIt) {
    for (const char* text : {"loss < 0.1", "loss <0.1", "loss< 0.1", "loss < = 0.05", "-loss > 1",
                             "peak<2 GiB", "peak < 2 GiB h200", "peak < 2\u2009048 MB", "mfu > 30 %",
                             "time < 8 ms adamw", "samples_per_second < 1 000 kind:profile -x"})
        EXPECT_EQ(finds(text), !QString::fromUtf8(text).startsWith(QStringLiteral("samples"))) << text;
    for (const char* text : {"loss > 0.1", "peak<1 GiB", "time < 5 ms", "loss < 0.1 sgd", "mfu < 30 %"})
        EXPECT_FALSE(finds(text)) << text;
}

TEST(HistoryQuery, AWordInQuotesIsAText) {
    HistoryEntry entry = sought();
    entry.note = QStringLiteral("cuda:0, lr=0.1 and a < b");
    for (const char* text : {"\"cuda:0\"", "\"lr=0.1\"", "\"a < b\"", "\"<\""}) {
        const HistoryQuery query(QString::fromUtf8(text), kToday);
        EXPECT_EQ(query.problem(), QString()) << text;
        EXPECT_TRUE(query.matches(entry)) << text;
        EXPECT_FALSE(query.matches(sought())) << text;
    }
}

TEST(HistoryQuery, ReadsGroupsOfDigitsAsTheFieldsOfThePanelDo) {
    const NumberStyle before = numberStyle();
    setNumberStyle({.decimal = "."});
    EXPECT_TRUE(finds("peak<2,048MB"));
    // With a decimal comma a point may be either mark.
    setNumberStyle({.decimal = ","});
    EXPECT_FALSE(finds("peak<2,048MB"));
    const QString problem = HistoryQuery(QStringLiteral("peak<2.048MB"), kToday).problem();
    EXPECT_TRUE(problem.endsWith(QStringLiteral("write 2,048MB or 2\u2009048MB."))) << problem.toStdString();
    setNumberStyle(before);
}

TEST(HistoryQuery, LeavesOutWhatMissesOne) {
    for (const char* text : {"sgd",
                             "adamw sgd",
                             "\"one quick\"",
                             "tag:base",
                             "tag:two",
                             "device:h100",
                             "kind:profile",
                             "kind:curve",
                             "program:0.4",
                             "config:123",
                             "note:slow",
                             "is:favourite",
                             "is:running",
                             "on:2026-11-21",
                             "on:2026-10",
                             "on:today",
                             "on:3d",
                             "after:2026-11-21",
                             "after:2026-12",
                             "before:2026-11-20",
                             "before:2026-11",
                             "loss<0.05",
                             "loss>0.1",
                             "time<5ms",
                             "samples>0",
                             "holdout<9",
                             "peak>2GiB",
                             "-adamw",
                             "-tag:baseline",
                             "-loss<1"})
        EXPECT_FALSE(finds(text)) << text;
}

TEST(HistoryQuery, TheMeasuredFigureCountsWhereThereIsOne) {
    EXPECT_FALSE(finds("time<5ms")) << "4 ms are predicted and 6 ms measured";
    EXPECT_TRUE(finds("peak>1GB")) << "it was predicted alone";
    EXPECT_FALSE(finds("samples<1e9")) << "what is not known is neither small nor large";
    EXPECT_TRUE(finds("-samples<1e9"));
}

TEST(HistoryQuery, SaysWhatItDoesNotUnderstandAndAsksForTheRest) {
    const auto problem = [](const char* text) {
        const HistoryQuery query(QString::fromUtf8(text), kToday);
        EXPECT_TRUE(query.matches(sought())) << text;
        return query.problem();
    };
    EXPECT_TRUE(problem("lss<0.1 adamw")
                    .contains(QStringLiteral("No figure is called lss; there are time, peak, loss")));
    EXPECT_TRUE(problem("loss<").contains(QStringLiteral("needs a number")));
    EXPECT_TRUE(problem("time<5GB").contains(QStringLiteral("needs a number behind <")));
    EXPECT_TRUE(problem("kind:train").contains(QStringLiteral("training, profile or curve")));
    EXPECT_TRUE(problem("is:good").contains(QStringLiteral("favourite, tagged, saved or running")));
    EXPECT_TRUE(problem("on:someday").contains(QStringLiteral("2026-11-26")));
    EXPECT_TRUE(problem("tag:").contains(QStringLiteral("needs a value")));
    EXPECT_TRUE(problem("time < 5 GB adamw").contains(QStringLiteral("needs a number behind <")));
    EXPECT_TRUE(problem("lss < 0.1").contains(QStringLiteral("No figure is called lss")));
    EXPECT_TRUE(problem("step:5").contains(QStringLiteral("No field is called step: there are tag, device")));
    EXPECT_TRUE(problem("loss:5").contains(QStringLiteral("such as loss<5")));
    EXPECT_TRUE(problem("0.1>loss").contains(QStringLiteral("No figure is compared in \"0.1>loss\"")));
    EXPECT_TRUE(problem("adamw <").contains(QStringLiteral("No figure is called adamw")));
    EXPECT_EQ(problem("\"h200"), QString()) << "a quote that is being typed";
}

TEST(HistoryQuery, ProposesTheWholeTextWithoutTheSlip) {
    for (const auto& [typed, meant] :
         std::initializer_list<std::pair<const char*, const char*>>{{"adamw devce:h200", "adamw device:h200"},
                                                                    {"los < 0.1 tag:a", "loss < 0.1 tag:a"},
                                                                    {"kind:trainng", "kind:training"},
                                                                    {"is:favorit", "is:favourite"},
                                                                    {"loss<0.1", ""},
                                                                    {"xyzzyxyzzy:1", ""}}) {
        const HistoryQuery query(QString::fromUtf8(typed), kToday);
        EXPECT_EQ(query.correction().toStdString(), meant) << typed;
        EXPECT_EQ(HistoryQuery(query.correction(), kToday).problem(), QString()) << typed;
    }
}

TEST(HistoryQuery, NoTextIsTooOddForIt) {
    const QString signs = QStringLiteral("tag:loss<>=-\" 0.1eGiB·é%d");
    for (int i = 0; i < 3000; ++i) {
        QString text;
        for (int at = 0; at < 12; ++at) text += signs[(i * 31 + at * at * 17 + i / (at + 1)) % signs.size()];
        (void)HistoryQuery(text, kToday).matches(sought());
    }
    EXPECT_FALSE(HistoryQuery(QString(200'000, u'x'), kToday).matches(sought()));
}

TEST(HistoryQuery, DaysAreThoseOfTheCalendar) {
    using Days = std::pair<QDate, QDate>;
    EXPECT_EQ(daysOf(QStringLiteral("2026-2"), kToday), Days(QDate(2026, 2, 1), QDate(2026, 2, 28)));
    EXPECT_EQ(daysOf(QStringLiteral("2024"), kToday), Days(QDate(2024, 1, 1), QDate(2024, 12, 31)));
    EXPECT_EQ(daysOf(QStringLiteral("7d"), kToday), Days(QDate(2026, 11, 20), kToday));
    EXPECT_EQ(daysOf(QStringLiteral("yesterday"), kToday), Days(QDate(2026, 11, 25), QDate(2026, 11, 25)));
    for (const char* text : {"", "2026-13", "2026-02-30", "d", "x7d", "11/26/2026"})
        EXPECT_FALSE(daysOf(QString::fromLatin1(text), kToday)) << text;
}

}  // namespace
}  // namespace plumb::ui
