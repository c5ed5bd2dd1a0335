// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/operations/operations_query.h"

#include "core/base/quantity.h"
#include "tests/ui/operations/operations_support.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>

namespace plumb::ui::test {
namespace {

/// The operations of a step and which of them a query lets pass.
struct Queried {
    explicit Queried(bool measured = true) : workbench(testWorkbench(testConfig(12), measured)) {
        tree.update(workbench->scene());
    }
    [[nodiscard]] std::set<std::int32_t> passing(const QString& text) const {
        const OperationsQuery query(text);
        std::set<std::int32_t> ops;
        for (const OperationsTree::Node& node : tree.nodes())
            if (node.op >= 0 && query.matches(tree, node)) ops.insert(node.op);
        return ops;
    }
    [[nodiscard]] std::set<std::int32_t> where(auto holds) const {
        std::set<std::int32_t> ops;
        for (const OperationsTree::Node& node : tree.nodes())
            if (node.op >= 0 && holds(node)) ops.insert(node.op);
        return ops;
    }
    std::unique_ptr<Workbench> workbench;
    OperationsTree tree;
};

TEST(OperationsQuery, ComparesEveryFigureWithItsLimitToTheLastDigit) {
    const Queried of;
    struct Named {
        const char* name;
        OperationColumn column;
        const char* unit;
    };
    for (const Named& named :
         {Named{"time", OperationColumn::Measured, "s"}, Named{"predicted", OperationColumn::Predicted, "s"},
          Named{"flop", OperationColumn::Flops, "FLOP"}, Named{"bytes", OperationColumn::Bytes, "B"},
          Named{"intensity", OperationColumn::Intensity, ""},
          Named{"difference", OperationColumn::Difference, "%"},
          Named{"rate", OperationColumn::Rate, "FLOP/s"},
          Named{"bandwidth", OperationColumn::Bandwidth, "B/s"}, Named{"roof", OperationColumn::OfRoof, "%"}})
        for (const OperationsTree::Node& limited : of.tree.nodes()) {
            const auto limit = cellValue(limited, named.column);
            if (limited.op < 0 || !limit) continue;
            const QString number = QString::fromStdString(formatEditable(*limit, named.unit));
            for (const auto* sign : {">", ">=", "<", "<="}) {
                const QString text = QLatin1String(named.name) + QLatin1String(sign) + number;
                EXPECT_TRUE(OperationsQuery(text).mistake().isEmpty())
                    << text.toStdString() << ": " << OperationsQuery(text).mistake().toStdString();
                const bool above = sign[0] == '>';
                const bool equal = sign[1] == '=';
                EXPECT_EQ(of.passing(text), of.where([&](const OperationsTree::Node& node) {
                    const auto value = cellValue(node, named.column);
                    if (!value) return false;
                    if (*value == *limit) return equal;
                    return above == (*value > *limit);
                })) << text.toStdString();
            }
        }
}

TEST(OperationsQuery, AUnitSaysWhichFigureIsMeant) {
    const Queried of;
    for (const auto& [bare, named] :
         {std::pair(">10us", "time>10us"), std::pair("<1MB", "bytes<1MB"), std::pair("> 1 MiB", "bytes>1MiB"),
          std::pair(">1MFLOP", "flop>1M"), std::pair("<50%", "roof<50%"),
          std::pair(">10GB/s", "bandwidth>10GB/s"), std::pair("<1 TFLOP/s", "rate<1T"),
          std::pair("time > 10 us", "time>10us"), std::pair("TIME≥10µs", "time>=10us"),
          std::pair("bytes>1 048 576", "bytes>1Mi"), std::pair("time>0,01ms", "time>10us"),
          std::pair("bytes>1,048,576", "bytes>1Mi")}) {
        EXPECT_TRUE(OperationsQuery(QString::fromUtf8(bare)).mistake().isEmpty()) << bare;
        EXPECT_EQ(of.passing(QString::fromUtf8(bare)), of.passing(QString::fromUtf8(named))) << bare;
    }
}

TEST(OperationsQuery, TimeIsThePredictedOneWhereNothingWasMeasuredAndTheUnknownMatchesNothing) {
    const Queried of(false);
    EXPECT_EQ(of.passing(QStringLiteral("time>10us")), of.passing(QStringLiteral("predicted>10us")));
    EXPECT_FALSE(of.passing(QStringLiteral("time>0s")).empty());
    EXPECT_TRUE(of.passing(QStringLiteral("measured>0s")).empty());
    EXPECT_TRUE(of.passing(QStringLiteral("measured<1s")).empty());
}

TEST(OperationsQuery, ChoosesBoundsPhasesAndLayers) {
    const Queried of;
    EXPECT_EQ(of.passing(QStringLiteral("bound:memory")),
              of.where([](const auto& node) { return node.figures.bound == Bound::Memory; }));
    EXPECT_EQ(of.passing(QStringLiteral("Phase:back")),
              of.where([](const auto& node) { return node.phase == Phase::Backward; }));
    EXPECT_EQ(of.passing(QStringLiteral("layer:3-5")), of.passing(QStringLiteral("layers 3-5")));
    EXPECT_EQ(of.passing(QStringLiteral("layer:7")), of.where([&](const auto& node) {
        const auto layers = of.tree.step().opLayers(node.op);
        return layers && layers->first <= 7 && layers->second >= 7;
    }));
    EXPECT_EQ(of.passing(QStringLiteral("\"layer 3 \"")), of.where([&](const auto& node) {
        return operationFullName(of.tree, node).contains(QStringLiteral("layer 3 "));
    }));
    EXPECT_TRUE(OperationsQuery(QStringLiteral("aten::mm")).mistake().isEmpty()) << "two colons are a name's";
    EXPECT_TRUE(OperationsQuery(QStringLiteral("\"std::plus<float>\"")).mistake().isEmpty());
}

TEST(OperationsQuery, TermsAreCombinedByAndInAnyOrder) {
    const Queried of;
    const QStringList terms{QStringLiteral("time>20us"),      QStringLiteral("bytes<8MB"),
                            QStringLiteral("flop>1M"),        QStringLiteral("bound:compute"),
                            QStringLiteral("phase:backward"), QStringLiteral("layer:3-9"),
                            QStringLiteral("weight"),         QStringLiteral("\"gradient\""),
                            QStringLiteral("roof<99%"),       QStringLiteral(">1ns")};
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
        QStringList chosen = terms;
        std::ranges::shuffle(chosen, random);
        chosen = chosen.mid(0, 1 + static_cast<qsizetype>(random() % 4));
        std::set<std::int32_t> expected = of.passing(QString());
        for (const QString& term : chosen) {
            const std::set<std::int32_t> one = of.passing(term);
            std::erase_if(expected, [&](std::int32_t op) { return !one.contains(op); });
        }
        const QString text = chosen.join(QStringLiteral("  "));
        EXPECT_TRUE(OperationsQuery(text).mistake().isEmpty()) << text.toStdString();
        EXPECT_EQ(of.passing(text), expected) << text.toStdString();
        std::ranges::reverse(chosen);
        EXPECT_EQ(of.passing(chosen.join(u' ')), expected) << text.toStdString();
    }
}

TEST(OperationsQuery, AMistakeNamesTheTermAndWhatToWriteAndLeavesTheOthersInForce) {
    const Queried of;
    struct Wrong {
        const char* text;
        const char* says;
    };
    for (const Wrong& wrong :
         {Wrong{"tiem>1ms", "tiem"}, Wrong{"time>", "number is missing"}, Wrong{"time>fast", "fast"},
          Wrong{"time>1kg", "1kg"}, Wrong{">1G", ">1G"}, Wrong{"time=1ms", ">="}, Wrong{"roof<50", "50%"},
          Wrong{"bound:", "memory"}, Wrong{"bound:cpu", "overhead"}, Wrong{"phase:sideways", "forward"},
          Wrong{"layer:x", "layer:3-5"}, Wrong{"kind:mm", "kind"}, Wrong{"module:", "module"},
          Wrong{"bytes>1ms", "1ms"}}) {
        const OperationsQuery query(QString::fromLatin1(wrong.text));
        EXPECT_TRUE(query.mistake().contains(QLatin1String(wrong.says)))
            << wrong.text << ": " << query.mistake().toStdString();
        EXPECT_TRUE(query.mistake().endsWith(u'.')) << "a sentence";
        EXPECT_TRUE(query.empty()) << "what is not understood lets everything pass";
        for (const QString& text : {QStringLiteral("weight ") + QLatin1String(wrong.text),
                                    QLatin1String(wrong.text) + QStringLiteral(" phase:forward")}) {
            EXPECT_EQ(OperationsQuery(text).mistake().isEmpty(), false) << text.toStdString();
            EXPECT_LT(of.passing(text).size(), of.passing(QString()).size()) << text.toStdString();
        }
    }
}

TEST(OperationsQuery, ProposesTheWholeTextWithoutTheSlip) {
    for (const auto& [typed, meant] : std::initializer_list<std::pair<const char*, const char*>>{
             {"layer 3 tiem>1ms", "layer 3 time>1ms"},
             {"intensty<50 bound:memory", "intensity<50 bound:memory"},
             {"bound:memry time>1ms", "bound:memory time>1ms"},
             {"phase:bakward", "phase:backward"},
             {"modul:layer", "module:layer"},
             {"time>1ms", ""},
             {"xyzzyxyzzy>1ms", ""},
             {"time>many", ""},
             {"\"tiem\"", ""}}) {
        const OperationsQuery query(QString::fromUtf8(typed));
        EXPECT_EQ(query.correction().toStdString(), meant) << typed;
        EXPECT_EQ(OperationsQuery(query.correction()).mistake(), QString()) << typed;
    }
}

TEST(OperationsQuery, WhateverIsTypedIsATermOrAMistakeAndNeverNothing) {
    const Queried of;
    std::mt19937 random(11);
    const std::string letters = "abt<>=:.-%\" 0159msBkGµ/\\()";
    for (int round = 0; round < 4000; ++round) {
        std::string text;
        for (std::size_t i = 0, count = 1 + random() % 12; i < count; ++i)
            text += letters[random() % letters.size()];
        const QString typed = QString::fromUtf8(text.c_str());
        QString bare = typed.simplified();
        bare.remove(u'"');
        const OperationsQuery query(typed);
        EXPECT_TRUE(bare.trimmed().isEmpty() || !query.empty() || !query.mistake().isEmpty()) << text;
        if (round % 40 == 0) (void)of.passing(typed);
    }
}

}  // namespace
}  // namespace plumb::ui::test
