// SPDX-License-Identifier: Apache-2.0
#include "core/planner/priors.h"

#include "core/base/enum_array.h"
#include "core/planner/attention_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

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

// In the order of the enum: Volta, Ampere, Ada, Hopper, Blackwell, Instinct, Tpu, TpuWide, Trainium, Other.
// A head of 128 fills half of the depth, or of the width, of a matrix unit of 256: no training of such a
// device was fitted on.
constexpr ByGeneration kAttentionOf{{0.3, 0.62, 0.5, 0.49, 0.54, 0.35, 0.4, 0.2, 0.35, 0.4}};
constexpr ByGeneration kNetworkOf{{2.4e9, 25e9, 25e9, 50e9, 50e9, 50e9, 6e9, 6e9, 6e9, 25e9}};
constexpr ByGeneration kSustainedOf{{0.93, 0.975, 1, 1.02, 1.01, 1, 1.04, 1.04, 1, 1}};
constexpr ByGeneration kProductsOf{{0.72, 0.83, 0.75, 0.76, 0.75, 0.6, 0.87, 0.87, 0.75, 0.75}};
// Eager, Compiled, Fused, Xla.
constexpr BySoftware kPassesOf{{2.2, 1.25, 1.3, 1.15}};
constexpr BySoftware kOverheadOf{{6e-6, 3e-6, 4e-6, 1e-6}};
constexpr BySoftware kRunBy{{0.88, 0.86, 0.88, 0.9}};
/// Hidden part of what stands between products, of tensor and expert parallelism.
constexpr BySoftware kBetweenOf{{0, 0.2, 0.5, 0.5}};
/// Speed of the kernel as part of that of the newest for the device.
double kernelShare(const Scenario& s, Generation generation) {
    const bool hasNewer = generation == Generation::Hopper || generation == Generation::Blackwell;
    const AttentionKernel kernel = attentionKernelOf(s.recipe, s.software);
    return speedBesideFlash2(kernel, hasNewer) / speedBesideFlash2(AttentionKernel::Flash3, hasNewer);
}

/// Watts per 16-bit TFLOP/s of the devices that the efficiencies of a generation were fitted on: of a V100,
/// A100, H100 SXM and B200. 0: power is not looked at.
constexpr ByGeneration kWattsOf{{300.0 / 125, 400.0 / 312, 0, 700.0 / 989.5, 1000.0 / 2250, 0, 0, 0, 0, 0}};
/// How the clock follows a power limit below that. Dynamic power goes with the clock and the square of the
/// voltage, which falls with it only so far: the exponent lies between 1/3 and 1. Published sweeps of a limit
/// have 0.35 (V100 at 175 and 250 W) and 0.9 (GB300 at 500 and 1400 W).
constexpr double kClockExponent = 0.6;

/// Speed that its power leaves to a device whose silicon could do more: 500 W instead of 700.
double clockShare(const Scenario& s, Generation generation) {
    const double usual = kWattsOf[generation];
    if (usual <= 0 || !s.cluster.device) return 1;
    const Machine& device = *s.cluster.device;
    const auto peak = device.peak(Dtype::Bf16) ? device.peak(Dtype::Bf16) : device.peak(Dtype::Fp16);
    const std::optional<Range>& limit = s.given[Input::DevicePower];
    const std::optional<double> watts = limit ? limit->expected : device.powerWatts;
    if (!peak || !watts) return 1;
    return std::min(1.0, std::pow(*watts / (*peak / 1e12) / usual, kClockExponent));
}

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
    if (has("TPU v6") || has("TPU v7")) return Generation::TpuWide;
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
        return around(kAttentionOf[its] * kernelShare(s, its) * clockShare(s, its), {0.7, 1.3}, 1);
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
        return around(kProductsOf[generation()] * clockShare(s, generation()), {0.9, 1.1}, 1);
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
    std::string source =
        fmt::format("fitted on published trainings: {}",
                    ofDevice ? std::string("devices of this generation") : std::string(name(s.software)));
    const Generation generation = s.cluster.device ? generationOf(*s.cluster.device) : Generation::Other;
    const double clock = input == Input::NetworkBandwidth || !ofDevice ? 1 : clockShare(s, generation);
    if (clock < 1)
        source += fmt::format("; {:.0f} % of that, by the clock that its power leaves", 100 * clock);
    if (input == Input::AttentionEfficiency && s.recipe.attentionKernel != AttentionKernel::Usual)
        source += fmt::format("; {}, by what was published of it beside FlashAttention-2",
                              name(s.recipe.attentionKernel));
    if (input == Input::AttentionEfficiency && generation == Generation::TpuWide)
        source += "; half of that, since heads fill half of a matrix unit of 256";
    return source;
}

}  // namespace plumb::planner
