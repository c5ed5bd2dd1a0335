// SPDX-License-Identifier: Apache-2.0
#include "core/lab/lesson.h"

#include "core/io/file.h"
#include "core/machine/local_cpu.h"
#include "core/planner/model.h"
#include "core/train/training_checkpoint.h"
#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"

namespace plumb::fuzz {

void lesson(std::string_view input) {
    const auto read = lab::Lesson::parse("fuzz", input);
    if (isTaken(read)) (void)read->controls();
    (void)parseCpuInfo(input);
    if (const auto step = stepOfCheckpointName(input))
        require(checkpointFileName(*step) == input, "a checkpoint's name is made of its step");
    (void)AtomicFile::isTemporaryName(input, "step-000001.safetensors");
    (void)planner::findModel(input.substr(0, 64));
}

}  // namespace plumb::fuzz
