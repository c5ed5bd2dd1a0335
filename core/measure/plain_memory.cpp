// SPDX-License-Identifier: Apache-2.0
#include "core/measure/plain_memory.h"

#include <fmt/format.h>

#include <cstdlib>

namespace plumb {

namespace {

/// The plan's own tensors of the parts that stay; of activations every layer's result.
CategoryBytes plainBytes(const StepPlan& plan) {
    CategoryBytes bytes{};
    const auto passes = [](TensorRole role) {
        return role == TensorRole::GatheredWeight || role == TensorRole::WholeGradient;
    };
    for (const Tensor& tensor : plan.tensors)
        if (!passes(tensor.role) &&
            (tensor.category == Category::Parameters || tensor.category == Category::Gradients ||
             tensor.category == Category::OptimizerState))
            bytes[tensor.category] += tensor.bytes();
    const RunConfig& config = plan.config;
    // Layers go in pairs where ranks divide them; else all are as wide.
    const std::int64_t widths =
        config.layers / 2 * widthOf(config, 2) + (config.layers + 1) / 2 * widthOf(config, 1);
    bytes[Category::Activations] =
        config.microBatchSize() * widths * static_cast<Bytes>(dtypeSize(config.activationDtype()));
    return bytes;
}

std::string whyOf(const StepPlan& plan, Category category, Bytes plain, Bytes atPeak) {
    if (plain == atPeak) return {};
    switch (category) {
    case Category::MasterParameters:
        return "the fp32 copy that the optimizer updates";
    case Category::ActivationGradients:
        return "the way back needs one beside the activations";
    case Category::Data:
        return "features and targets of the micro-batch";
    case Category::Workspace:
        return "the head's output and its gradient, casts, scratch and control";
    case Category::Communication:
        return "slices of other ranks that wait to be added";
    case Category::Gradients:
        return atPeak < plain ? "the others are not made yet"
                              : "those of whole layers until they are divided";
    case Category::Activations:
        if (atPeak > plain) return "masks and buffers beside them";
        return plan.recomputedFlops > 0 ? "the others are worked out again" : "the others are freed already";
    case Category::Parameters:
        return "the layers that are gathered just then";
    case Category::OptimizerState:
        break;
    }
    return {};
}

}  // namespace

PlainMemory plainMemory(const StepPlan& plan, const MemoryReading& predicted) {
    const CategoryBytes plain = plainBytes(plan);
    PlainMemory memory;
    memory.sum = total(plain);
    memory.peak = predicted.peakBytes;
    for (const Category category : kAllCategories) {
        const Bytes atPeak = predicted.atPeak[category];
        if (plain[category] == 0 && atPeak == 0) continue;
        memory.parts.push_back(
            {category, plain[category], atPeak, whyOf(plan, category, plain[category], atPeak)});
    }
    return memory;
}

std::string PlainMemory::sumText() const {
    std::string text;
    for (const PlainPart& part : parts)
        if (part.plain > 0)
            text += fmt::format("{}{} {}", text.empty() ? "" : " + ", categoryLabel(part.category),
                                bytesText(part.plain));
    return fmt::format("{} = {}", text, bytesText(sum));
}

std::string PlainMemory::differenceText() const {
    const Bytes difference = peak - sum;
    const std::string apart = bytesText(std::abs(difference));
    std::string text = difference == 0  ? std::string("the peak is just that")
                       : difference > 0 ? fmt::format("the peak is {} above it", apart)
                                        : fmt::format("the peak is {} below it", apart);
    std::string names;
    for (const PlainPart& part : parts)
        if (const Bytes more = part.atPeak - part.plain; more != 0)
            names += fmt::format("{}{}{} {}{}", names.empty() ? ": " : "; ", more > 0 ? "+" : "−",
                                 bytesText(std::abs(more)), categoryLabel(part.category),
                                 part.why.empty() ? "" : fmt::format(" ({})", part.why));
    return text + names;
}

}  // namespace plumb
