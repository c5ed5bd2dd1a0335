// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/expression_run.h"

#include "core/lab/contraction_order.h"
#include "kernels/cpu/contraction.h"
#include "kernels/cpu/element_function.h"
#include "kernels/cpu/loop_nest.h"
#include "kernels/cpu/parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace plumb::cpu {

namespace {

using lab::EinsumExpression;
using lab::ExpressionKind;
using Names = std::vector<std::string>;

struct FunctionOverRows {
    std::string name;
    std::int64_t elements = 0, row = 1;
    int threads = 1;
    Dtype dtype = Dtype::Fp32;
    [[nodiscard]] std::string implementation() const {
        const int used = functionThreads(name, elements, row, threads);
        return fmt::format("plain loops{}{}", used == 1 ? "" : fmt::format(", {} threads", used),
                           limit(used));
    }
    /// What keeps it from the bound, which counts each element once.
    [[nodiscard]] std::string_view limit(int used) const {
        const bool rows = name == "softmax" || name == "layer_norm" || name == "rms_norm";
        if (rows && used < threads && elements > used * kElementsPerThread)
            return ", limited by the thread that takes a row";
        if (rows) return ", limited by the passes over each row";
        const bool isNarrow = dtype == Dtype::Bf16;
        if (isNarrow && (name == "gelu" || name == "silu"))
            return ", limited by the arithmetic of e^x and of rounding to bf16";
        return "";
    }
};

/// One thing after the other; tensors are counted on from the operands.
struct Step {
    std::variant<Contraction, LoopNest, FunctionOverRows> work;
    std::size_t first = 0, second = 0;
    std::int64_t results = 0;

    [[nodiscard]] std::string implementation() const {
        return std::visit([](const auto& it) { return std::string(it.implementation()); }, work);
    }
};

Error tooLong(std::int64_t points, std::int64_t most, std::string_view how) {
    return {ErrorCode::BadInput, fmt::format("{} points would take too long to time{}", points, how),
            fmt::format("make a dimension smaller: up to {} are timed", most)};
}

Combine combineOf(const EinsumExpression& expression) {
    if (expression.function == "mean") return Combine::Mean;
    if (expression.function == "max") return Combine::Max;
    if (expression.function == "min") return Combine::Min;
    if (expression.function == "prod") return Combine::Product;
    return Combine::Sum;
}

bool repeats(const Names& names) {
    for (std::size_t i = 1; i < names.size(); ++i)
        if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) !=
            names.begin() + static_cast<std::ptrdiff_t>(i))
            return true;
    return false;
}

}  // namespace

struct ExpressionRun::Impl {
    std::vector<std::int64_t> elements;  ///< of the operands
    std::vector<Step> steps;             ///< the last one makes the result
    Dtype dtype = Dtype::Fp32;
    int threads = 1;
    std::string implementation;
    std::vector<std::vector<std::byte>> between;  ///< results of all steps but the last

    [[nodiscard]] Bytes elementSize() const { return dtypeSize(dtype); }

    /// A product of the tensors `operands`, or the loops of one.
    Result<void> addLoops(const std::vector<Names>& operands, const Names& result,
                          const DimensionSizes& sizes, Combine combine, std::size_t first,
                          std::size_t second) {
        const bool diagonal = std::any_of(operands.begin(), operands.end(), repeats);
        if (operands.size() == 2 && !diagonal) {
            PLUMB_TRY(Einsum product, Einsum::of(operands, result));
            PLUMB_TRY(const std::int64_t points, einsumPoints(product, sizes));
            PLUMB_TRY(Contraction contraction, Contraction::create(product, sizes, dtype, threads));
            if (points > (contraction.isLoops() ? kMostTimedLoopPoints : kMostTimedPoints))
                return contraction.isLoops() ? tooLong(points, kMostTimedLoopPoints, " in plain loops")
                                             : tooLong(points, kMostTimedPoints, "");
            const std::int64_t results = contraction.resultElements();
            steps.push_back({std::move(contraction), first, second, results});
            return {};
        }
        PLUMB_TRY(LoopNest nest, LoopNest::create(operands, result, sizes, combine, dtype, threads));
        if (nest.points() > kMostTimedLoopPoints)
            return tooLong(nest.points(), kMostTimedLoopPoints, " in plain loops");
        const std::int64_t results = nest.resultElements();
        steps.push_back({std::move(nest), first, second, results});
        return {};
    }

    /// Three and more tensors, pair by pair.
    Result<void> addProducts(const EinsumExpression& expression, const DimensionSizes& sizes) {
        PLUMB_TRY(const lab::ContractionOrder order, lab::bestOrder(expression, sizes));
        std::vector<std::size_t> left;
        for (std::size_t i = 0; i < expression.inputs.size(); ++i) left.push_back(i);
        for (const lab::ContractionStep& step : order.steps) {
            const std::size_t first = left[step.first], second = left[step.second];
            // An operand as it lies in memory, with its repeated dimensions; later tensors have none.
            std::vector<Names> operands = step.product.inputs();
            if (first < expression.operandLoops.size()) operands[0] = expression.operandLoops[first];
            if (second < expression.operandLoops.size()) operands[1] = expression.operandLoops[second];
            PLUMB_CHECK(addLoops(operands, step.product.output(), sizes, Combine::Sum, first, second));
            left.erase(left.begin() + static_cast<std::ptrdiff_t>(step.second));
            left.erase(left.begin() + static_cast<std::ptrdiff_t>(step.first));
            left.push_back(expression.inputs.size() + steps.size() - 1);
        }
        return {};
    }

    void describe() {
        std::vector<std::string> kinds;
        for (const Step& step : steps)
            if (std::find(kinds.begin(), kinds.end(), step.implementation()) == kinds.end())
                kinds.push_back(step.implementation());
        implementation = fmt::format("{}", fmt::join(kinds, ", "));
        if (steps.size() > 1) implementation = fmt::format("{} products: {}", steps.size(), implementation);
    }
};

ExpressionRun::ExpressionRun(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
ExpressionRun::ExpressionRun(ExpressionRun&&) noexcept = default;
ExpressionRun& ExpressionRun::operator=(ExpressionRun&&) noexcept = default;
ExpressionRun::~ExpressionRun() = default;

Result<ExpressionRun> ExpressionRun::create(const EinsumExpression& expression, const DimensionSizes& given,
                                            Dtype dtype, int threads) {
    if (dtype != Dtype::Fp32 && dtype != Dtype::Bf16)
        return Error{
            ErrorCode::BadInput,
            fmt::format("this machine does not run it in {}: the CPU's kernels reckon in fp32 and bf16",
                        dtypeName(dtype)),
            "time it in fp32"};
    const DimensionSizes sizes = expression.complete(given);
    auto impl = std::make_unique<Impl>();
    impl->dtype = dtype;
    impl->threads = threads;
    for (const Names& operand : expression.operandLoops) {
        std::int64_t elements = 1;
        for (const std::string& name : operand) {
            PLUMB_TRY(const std::int64_t size, einsumElements(expression.loops, {name}, sizes));
            elements = mulOrOverflow(elements, size);
        }
        if (elements < 0)
            return Error{ErrorCode::BadInput,
                         fmt::format("einsum \"{:s}\" needs more than 63 bits to count", expression.text()),
                         "make a dimension smaller"};
        impl->elements.push_back(elements);
    }
    if (expression.kind == ExpressionKind::Elementwise) {
        const std::int64_t row =
            expression.resultLoops.empty() ? 1 : sizes.find(expression.resultLoops.back())->second;
        const std::int64_t elements = impl->elements.front();
        if (elements > kMostTimedLoopPoints) return tooLong(elements, kMostTimedLoopPoints, "");
        if (!hasFunction(expression.function))
            return Error{ErrorCode::BadInput,
                         fmt::format("this machine has no kernel for {}", expression.function),
                         "its bound is the roofline's"};
        impl->steps.push_back({FunctionOverRows{expression.function, elements, row, threads, dtype}, 0,
                               expression.inputs.size() - 1, elements});
    } else if (expression.inputs.size() > 2) {
        PLUMB_CHECK(impl->addProducts(expression, sizes));
    } else {
        PLUMB_CHECK(impl->addLoops(expression.operandLoops, expression.resultLoops, sizes,
                                   combineOf(expression), 0, expression.inputs.size() - 1));
    }
    impl->describe();
    return ExpressionRun(std::move(impl));
}

const std::vector<std::int64_t>& ExpressionRun::operandElements() const { return m_impl->elements; }
std::int64_t ExpressionRun::resultElements() const { return m_impl->steps.back().results; }
const std::string& ExpressionRun::implementation() const { return m_impl->implementation; }

Bytes ExpressionRun::bytes() const {
    Bytes elements = 0, scratch = 0;
    for (const std::int64_t operand : m_impl->elements) elements = addOrOverflow(elements, operand);
    for (const Step& step : m_impl->steps) {
        elements = addOrOverflow(elements, step.results);
        if (const auto* contraction = std::get_if<Contraction>(&step.work))
            scratch = addOrOverflow(scratch, contraction->scratchBytes());
    }
    return addOrOverflow(mulOrOverflow(elements, m_impl->elementSize()), scratch);
}

Result<void> ExpressionRun::run(std::span<const void* const> operands, void* result,
                                const std::stop_token& stop) {
    Impl& impl = *m_impl;
    if (impl.between.empty())
        for (std::size_t i = 0; i + 1 < impl.steps.size(); ++i)
            impl.between.emplace_back(static_cast<std::size_t>(impl.steps[i].results * impl.elementSize()));
    const auto tensor = [&](std::size_t index) -> const void* {
        return index < operands.size() ? operands[index] : impl.between[index - operands.size()].data();
    };
    for (std::size_t i = 0; i < impl.steps.size(); ++i) {
        if (stop.stop_requested())
            return Error{ErrorCode::RunFailed, "the timing was stopped", "start it again"};
        Step& step = impl.steps[i];
        const void* a = tensor(step.first);
        const void* b = step.second == step.first ? nullptr : tensor(step.second);
        void* to = i + 1 < impl.steps.size() ? impl.between[i].data() : result;
        if (auto* contraction = std::get_if<Contraction>(&step.work)) {
            PLUMB_CHECK(contraction->run(a, b, to));
        } else if (const auto* nest = std::get_if<LoopNest>(&step.work)) {
            nest->run(a, b, to);
        } else {
            const auto& function = std::get<FunctionOverRows>(step.work);
            applyFunction(function.name, impl.dtype, a, b, to, function.elements, function.row,
                          function.threads);
        }
    }
    return {};
}

}  // namespace plumb::cpu
