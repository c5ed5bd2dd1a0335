// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/cost_survey.h"
#include "core/machine/op_cost_key.h"
#include "core/model/names.h"

#include <set>

namespace plumb {

namespace {

constexpr double kLeastLearningRate = 1e-12;  ///< the weights stay what they are, whatever the optimizer

RunConfig stepOf(std::int64_t width, std::int64_t rows) {
    RunConfig config;
    config.dim = width;
    config.batch = rows;
    config.layers =
        width >= 1024 ? 2 : kShallowLayers;  // one layer's weights leave the caches for the next one's
    config.optimizer = Optimizer::Sgd;
    config.learningRate = kLeastLearningRate;
    return config;
}

/// Of two or more rising values.
std::set<std::int64_t> endsAndMiddle(const std::vector<std::int64_t>& values) {
    return {values.front(), values[values.size() / 2], values.back()};
}

}  // namespace

SurveyGrid SurveyGrid::full() {
    SurveyGrid grid;
    grid.widths = {4, 16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1448, 2048};
    grid.rows = {1, 4, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096};
    grid.variantWidths = {4, 16, 32, 96, 256, 640, 1536};
    grid.variantRows = {4, 16, 64, 256, 1024, 4096};
    grid.outputs = {2, 3, 4, 6, 8, 16, 32, 64, 256};
    grid.optimizerWidths = {16, 64, 256, 1024, 2048};
    grid.optimizerRows = {4, 64, 512};
    grid.loadWidths = {4, 16, 64, 256, 1024, 2048};
    grid.loadRows = {4, 16, 64, 256, 1024, 4096};
    grid.headWidths = {4, 16, 48, 128, 512, 2048};
    grid.headRows = {4, 32, 256, 2048};
    grid.deepWidths = {4, 32, 128, 256, 512, 1024, 2048};
    grid.deepRows = {4, 32, 256, 1024};
    grid.mostWork = 0x1p31;
    grid.perRound = 0.015;
    grid.rounds = 2;
    grid.enough = 0.2;
    return grid;
}

SurveyGrid SurveyGrid::quick() {
    SurveyGrid grid;
    grid.widths = {32, 128, 512};
    grid.rows = {1, 16, 128, 1024};
    grid.variantWidths = {32, 512};
    grid.variantRows = {16, 256};
    grid.optimizerWidths = {64, 512};
    grid.optimizerRows = {16};
    grid.loadWidths = {32, 512};
    grid.loadRows = {16, 256};
    grid.outputs = {16, 256};
    grid.headWidths = {32, 512};
    grid.headRows = {16, 256};
    grid.mostWork = 0x1p28;
    grid.perRound = 0.004;
    grid.rounds = 1;
    return grid;
}

std::vector<SurveyStep> surveySteps(const SurveyGrid& grid) {
    std::vector<SurveyStep> steps{{stepOf(8, 8), Surveyed::Overhead}};
    const auto add = [&](const RunConfig& config, Surveyed keeps = Surveyed::Everything) {
        const auto width = static_cast<double>(config.dim);
        if (static_cast<double>(config.batch) * width * width <= grid.mostWork &&
            validate(config).has_value())
            steps.push_back({config, keeps});
    };
    for (const std::int64_t width : grid.widths)
        for (const std::int64_t rows : grid.rows) add(stepOf(width, rows));

    for (const std::int64_t outputs : grid.outputs)
        for (const std::int64_t width : grid.headWidths)
            for (const std::int64_t rows : grid.headRows) {
                RunConfig config = stepOf(width, rows);
                config.layers = 1;
                config.outputs = outputs;
                add(config);
            }
    // The plain form of a recipe, and the one with a ReLU, a mask and gradients that are added up; both with
    // chains.
    for (const auto& [precision, unused] : kPrecisionNames)
        for (const std::int64_t width : grid.variantWidths)
            for (const std::int64_t rows : grid.variantRows) {
                RunConfig config = stepOf(width, rows);
                config.precision = precision;
                config.layers = 3;  // the fewest with a chain of two links
                config.checkpoint.kind = CheckpointPolicy::Kind::None;
                add(config);
                config.activation = Activation::Relu;
                config.microBatch = rows;
                config.batch = 2 * rows;
                add(config);
                config.gradientPrecision = GradientPrecision::Fp32;
                if (dtypeSize(config.weightDtype()) < 4) add(config);
            }
    // Rows of a file, in the types that they are rounded to.
    for (const auto& [precision, unused] : kPrecisionNames)
        for (const std::int64_t width : grid.loadWidths)
            for (const std::int64_t rows : grid.loadRows) {
                const bool isEnd = (width == grid.loadWidths.front() || width == grid.loadWidths.back()) &&
                                   (rows == grid.loadRows.front() || rows == grid.loadRows.back());
                if (precision != Precision::Fp32 && !isEnd) continue;
                RunConfig config = stepOf(width, rows);
                config.precision = precision;
                config.data = "rows.npy";
                config.targets = "targets.npy";
                add(config, Surveyed::Loading);
            }
    for (const std::int64_t width : grid.deepWidths)
        for (const std::int64_t rows : grid.deepRows) {
            RunConfig config = stepOf(width, rows);
            constexpr std::int64_t kLongerBy = kDeepLayers / kShallowLayers;
            config.layers = kDeepLayers;
            if (static_cast<double>(rows) * static_cast<double>(width * width * kLongerBy) > grid.mostWork)
                continue;
            add(config, Surveyed::Deep);
            config.microBatch = rows;
            config.batch = 2 * rows;
            add(config, Surveyed::DeepSums);
        }
    // The heads of a recipe with many outputs.
    for (const auto& [precision, unused] : kPrecisionNames)
        for (const std::int64_t outputs : endsAndMiddle(grid.outputs))
            for (const std::int64_t width : endsAndMiddle(grid.headWidths))
                for (const std::int64_t rows : grid.headRows) {
                    RunConfig config = stepOf(width, rows);
                    config.precision = precision;
                    config.outputs = outputs;
                    config.layers = 1;
                    if (precision != Precision::Fp32) add(config);
                }
    // Optimizers: beside little batch, so that what they read is near, and beside much.
    for (const auto& [optimizer, unused] : kOptimizerNames)
        for (const std::int64_t width : grid.optimizerWidths)
            for (const std::int64_t rows : grid.optimizerRows) {
                RunConfig config = stepOf(width, rows);
                config.optimizer = optimizer;
                add(config, Surveyed::Optimizer);
                if (optimizer == Optimizer::Sgd) {
                    config.clipNorm = 1;
                    add(config, Surveyed::GradientNorm);
                }
                if (rows != grid.optimizerRows.front() ||
                    !endsAndMiddle(grid.optimizerWidths).contains(width))
                    continue;
                for (const Precision precision : {Precision::Bf16, Precision::Fp16, Precision::Fp8})
                    for (const bool master : {true, false})
                        for (const auto& [gradient, unusedToo] : kGradientPrecisionNames) {
                            config.precision = precision;
                            config.masterWeights = master;
                            config.gradientPrecision = gradient;
                            config.clipNorm = 0;
                            add(config, Surveyed::Optimizer);
                            if (optimizer != Optimizer::Sgd) continue;
                            config.clipNorm = 1;
                            add(config, Surveyed::GradientNorm);
                        }
            }
    return steps;
}

}  // namespace plumb
