// SPDX-License-Identifier: Apache-2.0
#include "core/train/learned_weights.h"

#include "core/base/entry_at.h"
#include "core/io/safetensors.h"
#include "core/model/synthetic_task.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <span>

namespace plumb {

namespace {

constexpr std::string_view kProduct = "product";

bool isNpy(const std::string& path) { return path.ends_with(".npy"); }

std::string choices(const RunConfig& config) {
    std::string text = config.layers > 0 ? fmt::format("1..{}", config.layers) : std::string();
    if (config.head) text += text.empty() ? "head" : ", head";
    if (config.activation == Activation::None) text += ", product";
    return text;
}

/// The number of a matrix; 0 for the product of all.
Result<std::int64_t> matrixOf(const std::string& which, const RunConfig& config) {
    if (which.empty()) {
        if (config.matrices() == 1) return 1;
        return badInput(
            fmt::format("a .npy file holds one matrix, and the model has {}", config.matrices()),
            fmt::format("say which with --weights-of ({}), or write .safetensors", choices(config)));
    }
    if (which == kProduct) {
        if (config.activation == Activation::None) return 0;
        return badInput("with an activation function the layers have no product (product)",
                        fmt::format("name one of {:s}", choices(config)));
    }
    if (which == "head" && config.head) return config.matrices();
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(which.data(), which.data() + which.size(), number);
    if (error != std::errc() || end != which.data() + which.size() || number < 1 || number > config.layers)
        return badInput(fmt::format("weights-of cannot be used ({})", which),
                        fmt::format("name one of {:s}", choices(config)));
    return number;
}

}  // namespace

Result<void> writeNpy(const std::string& path, std::int64_t rows, std::int64_t columns,
                      std::span<const float> values) {
    constexpr std::size_t kMagicAndLength = 10;
    constexpr std::size_t kAlignment = 64;
    std::string header =
        fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", rows, columns);
    while ((kMagicAndLength + header.size() + 1) % kAlignment != 0) header += ' ';
    header += '\n';
    std::string start("\x93NUMPY\x01\x00", 8);
    start += static_cast<char>(header.size() & 0xffU);
    start += static_cast<char>(header.size() >> 8U);
    start += header;
    PLUMB_TRY(AtomicFile file, AtomicFile::create(path));
    PLUMB_CHECK(file.write(std::as_bytes(std::span(start))));
    PLUMB_CHECK(file.write(std::as_bytes(values)));
    return file.commit();
}

std::vector<double> linearMap(const RunConfig& config, const LearnedWeights& weights) {
    const auto dim = static_cast<std::size_t>(config.dim);
    std::vector<double> product(weights.back().values.begin(), weights.back().values.end());
    const std::size_t columns = product.size() / dim;
    // From the right, where it is narrow.
    for (std::size_t layer = weights.size() - 1; layer-- > 0;) {
        const std::vector<float>& left = weights[layer].values;
        std::vector<double> next(product.size());
        for (std::size_t row = 0; row < dim; ++row)
            for (std::size_t inner = 0; inner < dim; ++inner) {
                const auto factor = static_cast<double>(left[row * dim + inner]);
                for (std::size_t k = 0; k < columns; ++k)
                    next[row * columns + k] += factor * product[inner * columns + k];
            }
        product = std::move(next);
    }
    return product;
}

bool hasShortLinearMap(const RunConfig& config) {
    constexpr double kMostProducts = 1e9;
    const double products = static_cast<double>(config.layers) * static_cast<double>(config.dim) *
                            static_cast<double>(config.dim) * static_cast<double>(config.outputWidth());
    return config.activation == Activation::None && products <= kMostProducts;
}

std::optional<RecoveredTask> recoveredTask(const RunConfig& config, const LearnedWeights& weights,
                                           std::int64_t shown) {
    if (config.readsFiles() || config.activation != Activation::None || weights.empty()) return std::nullopt;
    const std::int64_t outputs = config.outputWidth();
    const double factor = 1 / syntheticScale(config.dim);
    const std::vector<double> map = linearMap(config, weights);
    RecoveredTask task;
    double squares = 0;
    for (std::int64_t row = 0; row < config.dim; ++row)
        for (std::int64_t k = 0; k < outputs; ++k) {
            const double found = entryAt(map, row * outputs + k) * factor;
            const double expected = syntheticWeight(config.dim, row, k);
            const double error = std::abs(found - expected);
            if (k == 0 && row < shown) {
                task.first.push_back(found);
                task.expected.push_back(expected);
            }
            // Not std::max, which would lose what is not a number.
            if (!(error <= task.largestError)) task.largestError = error;
            squares += error * error;
        }
    task.meanError = std::sqrt(squares / static_cast<double>(map.size()));
    return task;
}

Result<void> checkWeightsPath(const std::string& path, const std::string& which, const RunConfig& config) {
    if (isNpy(path)) {
        const auto matrix = matrixOf(which, config);
        return matrix.has_value() ? Result<void>() : Result<void>(matrix.error());
    }
    if (!path.ends_with(".safetensors"))
        return badInput(fmt::format("the name does not say how weights are to be written ({})", path),
                        "end it with .safetensors or .npy");
    if (which.empty()) return {};
    return badInput(fmt::format("a .safetensors file holds all weights ({})", which),
                    "leave --weights-of out, or write .npy");
}

Result<void> writeWeights(const std::string& path, const std::string& which, const RunConfig& config,
                          const LearnedWeights& weights) {
    PLUMB_CHECK(checkWeightsPath(path, which, config));
    if (isNpy(path)) {
        PLUMB_TRY(const std::int64_t number, matrixOf(which, config));
        if (number > 0) {
            const LearnedMatrix& matrix = entryAt(weights, number - 1);
            return writeNpy(path, matrix.rows, matrix.columns, matrix.values);
        }
        const std::vector<double> map = linearMap(config, weights);
        const std::vector<float> rounded(map.begin(), map.end());
        return writeNpy(path, config.dim, config.outputWidth(), rounded);
    }
    std::vector<SafetensorsTensor> tensors;
    for (const LearnedMatrix& matrix : weights)
        tensors.push_back({matrix.matrix > config.layers ? std::string("head.weight")
                                                         : fmt::format("layers.{}.weight", matrix.matrix - 1),
                           Dtype::Fp32,
                           {matrix.rows, matrix.columns},
                           std::as_bytes(std::span(matrix.values))});
    return writeSafetensors(path, tensors, {{"layout", "in, out"}});
}

}  // namespace plumb
