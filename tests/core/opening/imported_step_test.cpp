// SPDX-License-Identifier: Apache-2.0
#include "core/opening/imported_step.h"

#include "core/opening/op_arguments.h"
#include "core/trace/trace_reader.h"
#include "tests/support/temporary_folder.h"

#include "test_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <set>

namespace plumb {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string dataFile(const std::string& name) { return PLUMB_TEST_DATA "/" + name; }

Bytes curvePeak(const StepFile& file) {
    Bytes peak = 0;
    for (const CategoryBytes& bytes : memoryCurve(file.step)) peak = std::max(peak, total(bytes));
    return peak;
}

/// What the file's own reader makes of it: nothing is lost, and nothing is refused.
StepFile rewritten(const StepFile& file) {
    const auto read = parseStepFile(toJson(file).dump(), "made.plumb");
    EXPECT_TRUE(read.has_value()) << read.error().text();
    return *read;
}

TEST(ImportedTrace, HasTheOpsOfItsStepAndAllTheirTimeOnTheGpu) {
    const auto trace = trace::readTrace(dataFile("trace/cuda.json.gz"), {.withTypes = true});
    ASSERT_TRUE(trace.has_value());
    const trace::TraceLinks links = trace::linkTrace(*trace, {.withPlaces = true});
    for (std::size_t step = 0; step < links.steps.size(); ++step) {
        const auto file = stepOfTrace(*trace, links, "cuda.json.gz", std::to_string(step));
        ASSERT_TRUE(file.has_value()) << file.error().text();
        Seconds expected = 0;
        for (const trace::GpuWork& work : links.work) {
            const auto at = trace->slices.begin[work.launch == trace::kNone ? work.slice : work.launch];
            if (at >= links.steps[step].begin && at < links.steps[step].windowEnd)
                expected += static_cast<double>(trace->slices.duration[work.slice]) * 1e-9;
        }
        Seconds found = 0;
        for (const RecordedOp& op : rewritten(*file).step.ops) found += op.seconds.value_or(0);
        // Of two kernels of one op that overlap the union counts; here none of one op does.
        EXPECT_NEAR(found, expected, 1e-12) << step;
        EXPECT_EQ(file->stepSeconds.size(), 3U);
    }
}

TEST(ImportedTrace, HasPhasesAndModules) {
    const auto file = importStep(dataFile("trace/cuda.json.gz"), {.step = "ProfilerStep#5"});
    ASSERT_TRUE(file.has_value()) << file.error().text();
    EXPECT_EQ(file->step.title(), "cuda.json.gz · ProfilerStep#5");
    EXPECT_EQ(file->environment.deviceName, "Invented GPU");
    const auto count = [&](Phase phase, std::string_view module, std::string_view kind) {
        return std::ranges::count_if(file->step.ops, [&](const RecordedOp& op) {
            return op.phase == phase && op.module == module && op.kind == kind;
        });
    };
    EXPECT_EQ(count(Phase::Forward, "Model_0.Block_2.Linear_2", "aten::addmm"), 1);
    EXPECT_EQ(count(Phase::Backward, "Model_0.Block_2.Linear_2", "aten::mm"), 2);
    EXPECT_EQ(count(Phase::Optimizer, "", "aten::_fused_adamw_"), 1);
    EXPECT_NE(readingOf(*file, Machine{})->timeline, nullptr) << "every op has its beginning and its time";
}

TEST(ImportedTrace, GivesProductsTheirFlopsByTheShapesOfTheTrace) {
    const auto file = importStep(dataFile("trace/cpu_stack.json.gz"));
    ASSERT_TRUE(file.has_value()) << file.error().text();
    std::set<std::string> products;
    for (const RecordedOp& op : file->step.ops) {
        EXPECT_EQ(op.isProduct, op.matmulFlops > 0);
        if (op.isProduct) products.insert(op.kind);
        EXPECT_NE(op.kind, "aten::linear") << "a wrapper of addmm";
    }
    EXPECT_THAT(products, ElementsAre("aten::addmm", "aten::mm"));
    EXPECT_GT(file->step.matmulFlops, 0);
}

TEST(ImportedTrace, ItsMemoryIsThatOfTheAllocator) {
    const auto file = importStep(dataFile("trace/cpu.json.gz"));
    ASSERT_TRUE(file.has_value()) << file.error().text();
    ASSERT_TRUE(file->allocator.peakBytes);
    EXPECT_GT(file->step.tensorCount(), 10);
    EXPECT_GE(curvePeak(*file), *file->allocator.peakBytes);
    const auto made = importStep(dataFile("trace/cuda.json.gz"));
    ASSERT_TRUE(made.has_value());
    EXPECT_EQ(curvePeak(*made), *made->allocator.peakBytes);
}

TEST(ImportedTrace, SaysWhatItLacks) {
    const auto file = importStep(dataFile("trace/old_2021.json"));
    ASSERT_TRUE(file.has_value()) << file.error().text();
    std::string said;
    for (const std::string& sentence : file->said) said += sentence + "\n";
    EXPECT_THAT(said, HasSubstr("no modules (with_stack=True)"));
    EXPECT_THAT(said, HasSubstr("FLOPs are of products alone"));
    EXPECT_FALSE(file->step.hasAllFlops);
}

TEST(ImportedTrace, BytesThatNobodyKnowsAreAbsentAndThoseOfAViewAreNone) {
    auto file = importStep(dataFile("trace/cuda.json.gz"));
    ASSERT_TRUE(file.has_value()) << file.error().text();
    std::size_t views = 0;
    for (RecordedOp& op : file->step.ops) {
        views += op.isView() ? 1 : 0;
        if (op.isView()) continue;
        // As a profile without record_shapes has it.
        op.flops = op.matmulFlops = op.bytes = 0;
        op.hasFlops = op.isProduct = false;
    }
    file->step.addUp();
    const auto reading = readingOf(*file, Machine{});
    std::size_t known = 0;
    for (std::int64_t index = 0; index < file->step.opCount(); ++index) {
        const OpReading op = describeOp(file->step, index);
        EXPECT_EQ(op.bytes.has_value(), file->step.op(index).isView()) << op.id;
        EXPECT_EQ(op.bytes.value_or(0), 0) << op.id;
        known += op.bytes.has_value() ? 1 : 0;
    }
    EXPECT_EQ(known, views);
    EXPECT_EQ(reading->totals.bytes, std::nullopt);
}

TEST(ImportedTrace, RefusesWhatHasNoOpsAndStepsThatAreNotThere) {
    const auto noOps = importStep(dataFile("trace/array.json"));
    ASSERT_FALSE(noOps.has_value());
    EXPECT_THAT(noOps.error().text(), HasSubstr("has no op of PyTorch"));
    const auto noStep = importStep(dataFile("trace/cuda.json.gz"), {.step = "9"});
    ASSERT_FALSE(noStep.has_value());
    EXPECT_THAT(noStep.error().text(),
                HasSubstr("has no step 9 (--step): give 0 to 2, or a name such as ProfilerStep#4"));
    const auto step = importStep(dataFile("step/decoder.plumb"));
    ASSERT_FALSE(step.has_value());
    EXPECT_THAT(step.error().text(), HasSubstr("is a file of this program already"));
}

TEST(ImportedMemory, HasTheCurveOfTheAllocatorToTheByte) {
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(dataFile("memory"))) {
        if (entry.path().extension() != ".pickle") continue;
        const auto snapshot = readMemorySnapshot(entry.path().string());
        if (!snapshot.has_value()) continue;
        const AllocationSites sites(*snapshot);
        const auto replays = replayMemory(*snapshot, sites);
        ASSERT_TRUE(replays.has_value());
        for (const MemoryReplay& replay : *replays) {
            const auto file = stepOfMemory(sites, replay, "memory.pickle");
            if (!file.has_value()) continue;
            ++files;
            const StepFile read = rewritten(*file);
            EXPECT_EQ(read.allocator.peakBytes, replay.peakBytes);
            // Before the first allocation there is no op.
            if (replay.peakPosition >= 0) {
                EXPECT_EQ(curvePeak(read), replay.peakBytes) << entry.path();
            }
        }
    }
    EXPECT_GE(files, 3);
}

TEST(ImportedMemory, HasCategoriesByPhasesAndLifetimes) {
    const auto file = importStep(dataFile("memory/step_protocol4.pickle"));
    ASSERT_TRUE(file.has_value()) << file.error().text();
    std::set<Phase> phases;
    for (const RecordedOp& op : file->step.ops) phases.insert(op.phase);
    EXPECT_TRUE(phases.contains(Phase::Forward));
    EXPECT_FALSE(importStep(dataFile("memory/step_protocol4.pickle"), {.step = "0"}).has_value());
}

TEST(GuessedCategory, FollowsPhases) {
    const auto of = [](Phase made, Phase freed, bool isKept = false) {
        return guessedCategory({.isKept = isKept, .made = made, .freed = freed}).category;
    };
    EXPECT_EQ(of(Phase::Forward, Phase::Backward), Category::Activations);
    EXPECT_EQ(of(Phase::Forward, Phase::Forward), Category::Workspace);
    EXPECT_EQ(of(Phase::Backward, Phase::Backward), Category::ActivationGradients);
    EXPECT_EQ(of(Phase::Backward, Phase::Optimizer), Category::Gradients);
    EXPECT_EQ(of(Phase::Optimizer, {}, true), Category::OptimizerState);
    EXPECT_EQ(guessedCategory({.isFromBefore = true}).role, "held from before");
}

TEST(OpArguments, AreTensorsWithTheirTypes) {
    const auto arguments =
        opArguments("[[2, 3], [], [], [[4], [5, 6]]]", R"(["float", "float", "Scalar", "TensorList"])");
    ASSERT_EQ(arguments.size(), 4U);
    EXPECT_THAT(arguments[0].shape, ElementsAre(2, 3));
    EXPECT_TRUE(arguments[1].shape.empty()) << "a tensor of one number";
    EXPECT_THAT(arguments[3].shape, ElementsAre(5, 6));
    EXPECT_EQ(bytesOfArguments(arguments), 4 * 6 + 4);
    for (const char* broken : {"", "[[2, 3]", "{}", "[[-1]]", "[[1.5]]", "3"})
        EXPECT_TRUE(opArguments(broken, "").empty()) << broken;
}

TEST(ProductCost, IsTwiceTheLoopNestAndReadsEachFactorOnce) {
    const auto cost = [](std::string_view kind, const char* shapes, const char* types) {
        return productCost(kind, opArguments(shapes, types));
    };
    const auto mm = cost("aten::mm", "[[2, 3], [3, 5]]", R"(["c10::BFloat16", "c10::BFloat16"])");
    ASSERT_TRUE(mm);
    EXPECT_EQ(mm->flops, 2 * 2 * 3 * 5);
    EXPECT_EQ(mm->bytes, 2 * (6 + 15 + 10));
    EXPECT_EQ(mm->units, Dtype::Bf16);
    EXPECT_EQ(cost("aten::addmm", "[[5], [2, 3], [3, 5]]", R"(["float", "float", "float"])")->flops, 60);
    EXPECT_EQ(cost("aten::bmm", "[[7, 2, 3], [7, 3, 5]]", R"(["float", "float"])")->flops, 420);
    EXPECT_EQ(cost("aten::linear", "[[7, 2, 3], [5, 3], [5]]", R"(["float", "float", "float"])")->flops, 420);
    EXPECT_FALSE(cost("aten::mm", "[[2, 3], [4, 5]]", R"(["float", "float"])"));
    EXPECT_FALSE(cost("aten::mm", "[[2, 3], [3, 5]]", R"(["float", "double"])"));
    EXPECT_FALSE(cost("aten::mm", "[[2, 3]]", R"(["float"])"));
    EXPECT_FALSE(cost("aten::add", "[[2, 3], [3, 5]]", R"(["float", "float"])"));
}

}  // namespace
}  // namespace plumb
