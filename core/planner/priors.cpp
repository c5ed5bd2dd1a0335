// SPDX-License-Identifier: Apache-2.0
#include "core/planner/priors.h"

#include "core/base/enum_array.h"

#include <fmt/format.h>

#include <algorithm>

namespace plumb::planner {

namespace {

/// Expected values by software and generation are the product of both.
using ByGeneration = EnumArray<Generation, double>;
using BySoftware = EnumArray<Software, double>;

/// The ends of an assumption, as multiples of its expected value.
struct Ends {
    double low;
    double high;
};

// In the order of the enum: Volta, Ampere, Ada, Hopper, Blackwell, Instinct, Tpu, Trainium, Other.
constexpr ByGeneration kAttentionOf{{0.3, 0.53, 0.5, 0.49, 0.54, 0.35, 0.4, 0.35, 0.4}};
constexpr ByGeneration kNetworkOf{{2.4e9, 25e9, 25e9, 50e9, 50e9, 50e9, 6e9, 6e9, 25e9}};
constexpr ByGeneration kSustainedOf{{0.93, 0.975, 1, 1.02, 1.01, 1, 1.04, 1, 1}};
constexpr ByGeneration kProductsOf{{0.72, 0.83, 0.75, 0.76, 0.75, 0.6, 0.87, 0.75, 0.75}};
// Eager, Compiled, Fused, Xla.
constexpr BySoftware kPassesOf{{2.2, 1.25, 1.3, 1.15}};
constexpr BySoftware kOverheadOf{{6e-6, 3e-6, 4e-6, 1e-6}};
constexpr BySoftware kRunBy{{0.88, 0.86, 0.88, 0.9}};
/// Hidden part of what stands between products, of tensor and expert parallelism.
constexpr BySoftware kBetweenOf{{0, 0.2, 0.5, 0.5}};
/// PyTorch's attention is that of Ampere also on newer devices; hand-fused and compiled steps have newer
/// kernels.
constexpr BySoftware kOldAttention{{0.6, 0.6, 1, 1}};

Range around(double expected, Ends ends, double most) {
    return {expected * ends.low, expected, std::min(expected * ends.high, most)};
}

}  // namespace

Generation generationOf(const Machine& machine) {
    if (machine.computeCapability) {
        const int capability = *machine.computeCapability;
        if (capability >= 100) return Generation::Blackwell;
        if (capability >= 90) return Generation::Hopper;
        if (capability == 89) return Generation::Ada;
        if (capability >= 80) return Generation::Ampere;
        return Generation::Volta;
    }
    const std::string& name = machine.name;
    const auto has = [&](std::string_view word) { return name.find(word) != std::string::npos; };
    if (has("TPU")) return Generation::Tpu;
    if (has("Instinct")) return Generation::Instinct;
    if (has("Trainium")) return Generation::Trainium;
    if (has("B200") || has("B300") || has("B100")) return Generation::Blackwell;
    if (has("H100") || has("H200") || has("H800")) return Generation::Hopper;
    return Generation::Other;
}

std::string_view name(LossKernel kernel) {
    constexpr EnumArray<LossKernel, std::string_view> kNames{{"plain", "compiled", "in-place"}};
    return kNames[kernel];
}

LossKernel usualLoss(Software software) {
    constexpr EnumArray<Software, LossKernel> kLosses{
        {LossKernel::Plain, LossKernel::Compiled, LossKernel::InPlace, LossKernel::Compiled}};
    return kLosses[software];
}

Range bytesOfLogits(LossKernel kernel, std::int64_t tensor) {
    switch (kernel) {
    case LossKernel::Plain:
        // fp32 results of log-softmax, their gradient and that of the logits; over tensor-parallel devices
        // (PyTorch's loss_parallel) the sum of two of them as well.
        return tensor > 1 ? Range{12, 16, 20} : Range{8, 12, 16};
    case LossKernel::Compiled:  // 16-bit logits and their gradient; an fp32 copy where one stays
        return {4, 4, 10};
    case LossKernel::InPlace:  // one fp32 copy, 16-bit logits and their gradient
        break;
    }
    return {4, 8, 10};
}

std::optional<Range> priorOf(const Scenario& s, Input input) {
    if (s.model.linear() != nullptr) return std::nullopt;
    // Looked up by the cases that go by it: an evaluation asks for every assumption.
    const auto generation = [&] {
        return s.cluster.device ? generationOf(*s.cluster.device) : Generation::Other;
    };
    switch (input) {
    case Input::AttentionEfficiency: {
        const Generation its = generation();
        const bool isNew = its == Generation::Hopper || its == Generation::Blackwell;
        return around(kAttentionOf[its] * (isNew ? kOldAttention[s.software] : 1), {0.7, 1.3}, 1);
    }
    case Input::NetworkBandwidth:
        return around(kNetworkOf[generation()], {0.5, 1.5}, 1e15);
    case Input::PassFactor:
        return around(kPassesOf[s.software], {0.75, 1.4}, 20);
    case Input::OpOverhead:
        return around(kOverheadOf[s.software], {0.3, 2}, 1);
    case Input::HostBandwidth:
        // Copies reach four fifths of a bus; in some nodes two devices share one.
        if (!s.cluster.device || !s.cluster.device->hostBytesPerSecond) return std::nullopt;
        return around(0.8 * *s.cluster.device->hostBytesPerSecond, {0.5, 1.2}, 1e13);
    case Input::LogitBytes:
        return bytesOfLogits(usualLoss(s.software), s.parallel.tensor);
    case Input::Sustained:
        return around(kRunBy[s.software] * kSustainedOf[generation()], {0.9, 1.1}, 1);
    case Input::TensorOverlap:
    case Input::ExpertOverlap:
        return around(kBetweenOf[s.software], {0, 1.6}, 1);
    case Input::MatmulEfficiency:
        // Of tensor cores; other formats have units of their own.
        if (dtypeBits(s.recipe.compute) > 16) return std::nullopt;
        return around(kProductsOf[generation()], {0.9, 1.1}, 1);
    default:
        return std::nullopt;
    }
}

std::string priorSource(const Scenario& s, Input input) {
    if (input == Input::LogitBytes)
        return fmt::format("tensors that a loss of this kind has at once: {}", name(usualLoss(s.software)));
    if (input == Input::HostBandwidth)
        return fmt::format("four fifths of the bus of {}: {}", s.cluster.device->name,
                           s.cluster.device->source);
    const bool ofDevice = input == Input::AttentionEfficiency || input == Input::NetworkBandwidth ||
                          input == Input::MatmulEfficiency;
    return fmt::format("fitted on published trainings: {}",
                       ofDevice ? std::string("devices of this generation") : std::string(name(s.software)));
}

}  // namespace plumb::planner
