// SPDX-License-Identifier: Apache-2.0
#include "core/measure/module_spans.h"

#include "core/recorded/recorded_step.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace plumb {

// NOLINTNEXTLINE(readability-identifier-naming): the name that GoogleTest looks for
void PrintTo(const ModuleSpan& span, std::ostream* stream) {
    *stream << span.path << " (" << span.label << ") " << span.begin << ".." << span.end;
}

namespace {

RecordedStep stepOf(const std::vector<std::pair<const char*, Phase>>& ops) {
    RecordedStep step;
    for (const auto& [module, phase] : ops) {
        RecordedOp& op = step.ops.emplace_back();
        op.module = module;
        op.phase = phase;
    }
    return step;
}

TEST(ModuleSpans, AreTheLayersOfAModelAndNotTheModel) {
    constexpr Phase kForth = Phase::Forward, kBack = Phase::Backward;
    const RecordedStep step = stepOf({{"model.embed", kForth},
                                      {"model.h.0.attn", kForth},
                                      {"model.h.0.mlp", kForth},
                                      {"model.h.1.attn", kForth},
                                      {"", kForth},
                                      {"model.h.1.mlp", kForth},
                                      {"model", kForth},
                                      {"head", kForth},
                                      {"head", kBack},
                                      {"model.h.1.mlp", kBack},
                                      {"model.h.0.mlp", kBack},
                                      {"model.embed", kBack},
                                      {"model.h.0.mlp", Phase::Optimizer}});
    const std::vector<ModuleSpan> expected{{"model.embed", "embed", 0, 1}, {"model.h.0", "h.0", 1, 3},
                                           {"model.h.1", "h.1", 3, 6},     {"head", "head", 7, 8},
                                           {"head", "head", 8, 9},         {"model.h.1", "h.1", 9, 10},
                                           {"model.h.0", "h.0", 10, 11},   {"model.embed", "embed", 11, 12}};
    EXPECT_EQ(moduleSpans(step), expected);
}

TEST(ModuleSpans, OfAStepWithoutModulesAreNone) {
    EXPECT_TRUE(moduleSpans(stepOf({{"", Phase::Forward}, {"", Phase::Backward}})).empty());
    EXPECT_TRUE(moduleSpans(RecordedStep()).empty());
}

TEST(ModuleSpans, AreNoneWhereThereWouldBeTooManyToRead) {
    std::vector<std::pair<const char*, Phase>> ops(300, {"a", Phase::Forward});
    for (std::size_t i = 1; i < ops.size(); i += 2) ops[i].first = "b";
    EXPECT_TRUE(moduleSpans(stepOf(ops)).empty());
}

TEST(ModuleSpans, StayWholeWhereOneModuleHasAll) {
    const RecordedStep step = stepOf({{"net", Phase::Forward}, {"net", Phase::Forward}});
    EXPECT_EQ(moduleSpans(step), (std::vector<ModuleSpan>{{"net", "net", 0, 2}}));
}

}  // namespace
}  // namespace plumb
