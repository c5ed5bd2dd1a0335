// SPDX-License-Identifier: Apache-2.0
#include "core/calibrate/cost_survey.h"
#include "core/machine/op_cost_key.h"
#include "core/model/names.h"

#include <set>
#include <utility>
#include <vector>

namespace plumb {

namespace {

constexpr double kLeastLearningRate = 1e-12;  ///< the weights stay what they are, whatever the optimizer

/// From 1 KiB to `last`.
std::vector<Bytes> messageSizes(Bytes factor, Bytes last) {
    std::vector<Bytes> sizes;
    for (Bytes size = 1 << 10; size <= last; size *= factor) sizes.push_back(size);
    return sizes;
}

/// Ends and middle of two or more rising values.
std::set<std::int64_t> endsAndMiddle(const std::vector<std::int64_t>& values) {
    return {values.front(), values[values.size() / 2], values.back()};
}

}  // namespace

RunConfig surveyConfig(std::int64_t width, std::int64_t rows) {
    RunConfig config;
    config.dim = width;
    config.batch = rows;
    config.layers =
        width >= 1024 ? 2 : kShallowLayers;  // one layer's weights leave the caches for the next one's
    config.optimizer = Optimizer::Sgd;
    config.learningRate = kLeastLearningRate;
    return config;
}

SurveyGrid SurveyGrid::full() {
    return SurveyGrid{.widths = {4, 16, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1448, 2048},
                      .rows = {1, 4, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096},
                      .variantWidths = {4, 16, 32, 96, 256, 640, 1536},
                      .variantRows = {4, 16, 64, 256, 1024, 4096},
                      .optimizerWidths = {16, 64, 256, 1024, 2048},
                      .optimizerRows = {4, 64, 512},
                      .outputs = {2, 3, 4, 6, 8, 16, 32, 64, 256},
                      .headWidths = {4, 16, 48, 128, 512, 2048},
                      .headRows = {4, 32, 256, 2048},
                      .loadWidths = {4, 16, 64, 256, 1024, 2048},
                      .loadRows = {4, 16, 64, 256, 1024, 4096},
                      .deepWidths = {4, 32, 128, 256, 512, 1024, 2048},
                      .deepRows = {4, 32, 256, 1024},
                      .trafficWidths = {64, 192, 512, 1024, 2048},
                      .trafficRows = {16, 64, 256, 1024},
                      .messages = messageSizes(2, Bytes{64} << 20),
                      .mostWork = 0x1p31,
                      .perRound = 0.015,
                      .rounds = 2,
                      .enough = 0.2};
}

SurveyGrid SurveyGrid::quick() {
    return SurveyGrid{.widths = {32, 128, 512},
                      .rows = {1, 16, 128, 1024},
                      .variantWidths = {32, 512},
                      .variantRows = {16, 256},
                      .optimizerWidths = {64, 512},
                      .optimizerRows = {16},
                      .outputs = {16, 256},
                      .headWidths = {32, 512},
                      .headRows = {16, 256},
                      .loadWidths = {32, 512},
                      .loadRows = {16, 256},
                      .trafficWidths = {32, 128, 512},
                      .trafficRows = {16, 128, 1024},
                      .messages = messageSizes(8, Bytes{4} << 20),
                      .mostWork = 0x1p28,
                      .perRound = 0.004,
                      .rounds = 1};
}

namespace {

/// Collects the steps of a grid, leaving out those that take too long or cannot be run.
class SurveySteps {
public:
    explicit SurveySteps(const SurveyGrid& grid) : m_grid(grid) {}

    void addLayers() {
        for (const std::int64_t width : m_grid.widths)
            for (const std::int64_t rows : m_grid.rows) add(surveyConfig(width, rows));
    }

    void addHeads() {
        for (const std::int64_t outputs : m_grid.outputs)
            for (const std::int64_t width : m_grid.headWidths)
                for (const std::int64_t rows : m_grid.headRows) {
                    RunConfig config = surveyConfig(width, rows);
                    config.layers = 1;
                    config.outputs = outputs;
                    add(config);
                }
    }

    /// The plain form of a recipe, and the one with a ReLU, a mask and gradients that are added up; both with
    /// chains.
    void addVariants() {
        for (const auto& [precision, unused] : kPrecisionNames)
            for (const std::int64_t width : m_grid.variantWidths)
                for (const std::int64_t rows : m_grid.variantRows) {
                    RunConfig config = surveyConfig(width, rows);
                    config.precision = precision;
                    config.layers = 3;  // the fewest with a chain of two links
                    config.recompute.kind = RecomputePolicy::Kind::None;
                    add(config);
                    config.activation = Activation::Relu;
                    config.microBatch = rows;
                    config.batch = 2 * rows;
                    add(config);
                    config.gradientPrecision = GradientPrecision::Fp32;
                    if (dtypeSize(config.weightDtype()) < 4) add(config);
                }
    }

    /// Rows of a file, in the types that they are rounded to.
    void addLoading() {
        const auto isEnd = [](const auto& all, std::int64_t one) {
            return one == all.front() || one == all.back();
        };
        for (const auto& [precision, unused] : kPrecisionNames)
            for (const std::int64_t width : m_grid.loadWidths)
                for (const std::int64_t rows : m_grid.loadRows) {
                    const bool isCorner = isEnd(m_grid.loadWidths, width) && isEnd(m_grid.loadRows, rows);
                    if (precision != Precision::Fp32 && !isCorner) continue;
                    RunConfig config = surveyConfig(width, rows);
                    config.precision = precision;
                    config.data = "rows.npy";
                    config.targets = "targets.npy";
                    add(config, Surveyed::Loading);
                }
    }

    void addDeep() {
        constexpr std::int64_t kLongerBy = kDeepLayers / kShallowLayers;
        for (const std::int64_t width : m_grid.deepWidths)
            for (const std::int64_t rows : m_grid.deepRows) {
                if (static_cast<double>(rows) * static_cast<double>(width * width * kLongerBy) >
                    m_grid.mostWork)
                    continue;
                RunConfig config = surveyConfig(width, rows);
                config.layers = kDeepLayers;
                add(config, Surveyed::Deep);
                config.microBatch = rows;
                config.batch = 2 * rows;
                add(config, Surveyed::DeepSums);
            }
    }

    /// The heads of a recipe with many outputs.
    void addHeadsOfRecipes() {
        for (const auto& [precision, unused] : kPrecisionNames)
            for (const std::int64_t outputs : endsAndMiddle(m_grid.outputs))
                for (const std::int64_t width : endsAndMiddle(m_grid.headWidths))
                    for (const std::int64_t rows : m_grid.headRows) {
                        RunConfig config = surveyConfig(width, rows);
                        config.precision = precision;
                        config.outputs = outputs;
                        config.layers = 1;
                        if (precision != Precision::Fp32) add(config);
                    }
    }

    /// Beside little batch, so that what they read is near, and beside much.
    void addOptimizers() {
        for (const auto& [optimizer, unused] : kOptimizerNames)
            for (const std::int64_t width : m_grid.optimizerWidths)
                for (const std::int64_t rows : m_grid.optimizerRows) {
                    RunConfig config = surveyConfig(width, rows);
                    config.optimizer = optimizer;
                    addUpdate(config);
                    if (rows == m_grid.optimizerRows.front() &&
                        endsAndMiddle(m_grid.optimizerWidths).contains(width))
                        addMixedUpdates(config);
                }
    }

    void addBesideTraffic() {
        for (const std::int64_t width : m_grid.trafficWidths)
            for (const std::int64_t rows : m_grid.trafficRows)
                add(surveyConfig(width, rows), Surveyed::BesideTraffic);
    }

    [[nodiscard]] std::vector<SurveyStep> take() { return std::move(m_steps); }

private:
    void add(const RunConfig& config, Surveyed keeps = Surveyed::Everything) {
        const auto width = static_cast<double>(config.dim);
        if (static_cast<double>(config.batch) * width * width <= m_grid.mostWork &&
            validate(config).has_value())
            m_steps.push_back({config, keeps});
    }

    /// The optimizer, and once the norm that clipping takes.
    void addUpdate(RunConfig config) {
        add(config, Surveyed::Optimizer);
        if (config.optimizer != Optimizer::Sgd) return;
        config.clipNorm = 1;
        add(config, Surveyed::GradientNorm);
    }

    void addMixedUpdates(RunConfig config) {
        for (const Precision precision : {Precision::Bf16, Precision::Fp16, Precision::Fp8})
            for (const bool master : {true, false})
                for (const auto& [gradient, unused] : kGradientPrecisionNames) {
                    config.precision = precision;
                    config.masterWeights = master;
                    config.gradientPrecision = gradient;
                    addUpdate(config);
                }
    }

    const SurveyGrid& m_grid;
    std::vector<SurveyStep> m_steps{{surveyConfig(8, 8), Surveyed::Overhead}};
};

}  // namespace

std::vector<SurveyStep> surveySteps(const SurveyGrid& grid, bool ofRanks) {
    SurveySteps steps(grid);
    steps.addLayers();
    steps.addHeads();
    steps.addVariants();
    steps.addLoading();
    steps.addDeep();
    steps.addHeadsOfRecipes();
    steps.addOptimizers();
    if (ofRanks) steps.addBesideTraffic();
    return steps.take();
}

}  // namespace plumb
