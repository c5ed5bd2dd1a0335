// SPDX-License-Identifier: Apache-2.0
#include "core/io/safetensors.h"

#include "core/plan/step_plan.h"
#include "core/train/training_checkpoint.h"
#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"

namespace plumb::fuzz {

void safetensors(std::string_view input) {
    const MemoryFile file(input);
    const auto tensors = SafetensorsFile::open(file.path());
    if (!isTaken(tensors)) return;
    std::size_t sum = 0;
    for (const SafetensorsEntry& entry : tensors->tensors()) {
        require(tensors->find(entry.name) == &entry, "a tensor is found by its name", entry.name);
        const auto bytes = tensors->bytes(entry);
        require(bytes.has_value(), "the data of a tensor is read", entry.name);
        for (const std::byte byte : *bytes) sum += static_cast<std::size_t>(byte);
    }
    require(sum <= 255 * input.size(), "no byte is in two tensors");

    const auto checkpoint = TrainingCheckpoint::open(file.path());
    if (!isTaken(checkpoint)) return;
    (void)checkpointMetadata(checkpoint->info());
    const RunConfig& config = checkpoint->info().config;
    if (!isPlannedQuickly(config)) return;
    const auto plan = planStep(config, cpuTraits());
    if (plan.has_value() && checkpoint->check(*plan).has_value()) (void)checkpoint->skippedSteps();
}

}  // namespace plumb::fuzz
