// SPDX-License-Identifier: Apache-2.0
// That TensorBoard reads these files is tested with its reader (tests/cli/check_export_client.py).
#include "core/export/tensorboard.h"

#include "core/io/event_file.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace plumb {
namespace {

StepMetrics metrics(std::int64_t step, double loss, double seconds) {
    StepMetrics made;
    made.step = step;
    made.loss = loss;
    made.seconds = seconds;
    return made;
}

TEST(TensorBoard, HasTheKnownNumbersOfEachStepAndTheHeldOutLossAtItsStep) {
    TrainingSeries series;
    series.steps = {metrics(0, 4, 1), metrics(5, 2, 3)};
    series.steps[1].learningRate = 0.25;
    series.holdOut = {{0, 8}, {6, 7}};
    // 1970-01-02T00:00:10Z is when the newest step was.
    EventFileWriter expected(86410 - 3);
    expected.scalar(0, 86408, "loss/held_out", 8);
    expected.scalar(0, 86408, "loss/train", 4);
    expected.scalar(5, 86410, "loss/train", 2);
    expected.scalar(5, 86410, "learning_rate", 0.25F);
    expected.scalar(6, 86410, "loss/held_out", 7);
    EXPECT_EQ(toTensorBoard(series, "1970-01-02T00:00:10Z"), expected.take());
}

TEST(TensorBoard, KeepsTheStepWhereATrainingDivergedAndAnyTimeOfCreation) {
    TrainingSeries series;
    series.steps = {metrics(3, std::numeric_limits<double>::quiet_NaN(), 2)};
    EventFileWriter expected(0);
    expected.scalar(3, 2, "loss/train", std::nanf(""));
    for (const char* created : {"", "yesterday", "2026-99-99T00:00:00Z", "2026-1"})
        EXPECT_EQ(toTensorBoard(series, created), [&] {
            EventFileWriter same = expected;
            return same.take();
        }()) << created;
}

}  // namespace
}  // namespace plumb
