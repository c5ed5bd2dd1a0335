// SPDX-License-Identifier: Apache-2.0
#include "core/planner/holding.h"

#include <algorithm>

namespace plumb::planner {

namespace {

/// Share of a part's parameters that are entries of matrices, which alone are quantised.
double quantisedShare(const Transformer& m, const Adaptation& a, ModelPart part) {
    if (a.method != FineTuning::QLora) return 0;
    const ParameterCounts all = countParameters(m);
    const MatrixCounts matrices = countMatrices(m);
    const auto share = [](std::int64_t some, std::int64_t of) {
        return of > 0 ? static_cast<double>(some) / static_cast<double>(of) : 0;
    };
    switch (part) {
    case ModelPart::Attention:
        return share(matrices.attention, all.attention);
    case ModelPart::FeedForward:
        return share(matrices.feedForward + matrices.shared, all.feedForward + all.shared);
    case ModelPart::Experts:
        return share(matrices.experts, all.experts);
    case ModelPart::Embeddings:
    case ModelPart::Router:
    case ModelPart::Norms:
    case ModelPart::Head:
        break;
    }
    return 0;
}

/// What is held of some parts of the layers, of which `trainable` are not frozen.
Holding ofLayers(const Transformer& m, const Adaptation& a, const PartSizes& sizes, ModelPart part,
                 double trainable) {
    const double parameters = sizes[part];
    return {parameters, trains(a, part) ? trainable * parameters : 0,
            quantisedShare(m, a, part) * parameters};
}

Holding adaptersIn(const std::vector<Adapter>& adapters, const Scenario& s, bool experts, double layers,
                   double trainable) {
    const ParallelLayout& p = s.parallel;
    double entries = 0;
    for (const Adapter& adapter : adapters)
        if ((adapter.part == ModelPart::Experts) == experts)
            entries += adapter.layers * layers *
                       adapter.entries(static_cast<double>(s.adaptation.rank), static_cast<double>(p.tensor));
    if (experts) entries /= static_cast<double>(p.expert);
    return allTrained(trainable * entries);
}

/// Shares of the layers of a stage; each of its chunks is a piece of the model.
TrainedLayers layersOfStage(const Scenario& s, const Transformer& m, const Stage& stage) {
    const ParallelLayout& p = s.parallel;
    const double piece = static_cast<double>(m.layers) / static_cast<double>(p.pipeline * p.chunks);
    TrainedLayers mean{0, 0};
    for (std::int64_t chunk = 0; chunk < p.chunks; ++chunk) {
        const double begin = piece * static_cast<double>(chunk * p.pipeline + stage.index);
        const TrainedLayers shares = trainedLayers(m, s.adaptation, begin, begin + piece);
        mean.backward += shares.backward / static_cast<double>(p.chunks);
        mean.trainable += shares.trainable / static_cast<double>(p.chunks);
    }
    return mean;
}

}  // namespace

Holding& Holding::operator+=(const Holding& other) {
    parameters += other.parameters;
    trained += other.trained;
    quantised += other.quantised;
    return *this;
}

Holding operator*(Holding holding, double factor) {
    return {holding.parameters * factor, holding.trained * factor, holding.quantised * factor};
}

double weightBytes(const Holding& holding, const Recipe& recipe, const Adaptation& adaptation) {
    return recipe.weightBytes * (holding.parameters - holding.quantised) +
           quantisedBytes(adaptation) * holding.quantised;
}

StageHolding holdingOf(const Scenario& s, const Transformer& m, const Stage& stage) {
    if (s.adaptation.trainsAll())
        return {allTrained(stage.denseParameters),
                allTrained(stage.expertParameters),
                allTrained(stage.largestLayer),
                {}};
    const Adaptation& a = s.adaptation;
    StageHolding held;
    held.layers = layersOfStage(s, m, stage);
    const double trainable = held.layers.trainable;
    for (const ModelPart part : kEnumerators<ModelPart>) {
        const bool outer = part == ModelPart::Embeddings || part == ModelPart::Head;
        Holding& place = part == ModelPart::Experts ? held.experts : held.dense;
        place += ofLayers(m, a, stage.sizes, part, outer ? 1 : trainable);
        // A layer that is trained has the largest needs.
        held.layer += ofLayers(m, a, stage.layerSizes, part, trainable > 0 ? 1 : 0);
    }
    held.dense += {stage.outerNorms, trains(a, ModelPart::Norms) ? stage.outerNorms : 0, 0};
    const std::vector<Adapter> adapters = adaptersOf(m, a);
    const double share = stage.layers() / static_cast<double>(m.layers);
    held.dense += adaptersIn(adapters, s, false, share, trainable);
    held.experts += adaptersIn(adapters, s, true, share, trainable);
    for (const bool experts : {false, true})
        held.layer += adaptersIn(adapters, s, experts, 1 / static_cast<double>(m.layers), 1);
    return held;
}

Holding holdingOf(const Scenario& s) {
    const Transformer* m = s.model.transformer();
    if (m == nullptr || s.adaptation.trainsAll()) return allTrained(s.model.parameters());
    Holding all;
    const ParameterCounts counts = countParameters(*m);
    const TrainedCounts trained = countTrained(*m, s.adaptation);
    all.parameters = static_cast<double>(counts.total + trained.adapters);
    all.trained = static_cast<double>(trained.total());
    const MatrixCounts matrices = countMatrices(*m);
    if (s.adaptation.method == FineTuning::QLora)
        all.quantised = static_cast<double>(matrices.attention + matrices.feedForward + matrices.shared +
                                            matrices.experts);
    return all;
}

Recipe meanRecipe(const Scenario& s) {
    Recipe recipe = effectiveRecipe(s);
    const double parameters = s.model.parameters();
    if (s.adaptation.trainsAll() || !(parameters > 0)) return recipe;
    const Holding all = holdingOf(s);
    recipe.weightBytes = weightBytes(all, recipe, s.adaptation) / parameters;
    for (double Recipe::*bytes : {&Recipe::gradientBytes, &Recipe::masterBytes, &Recipe::stateBytes})
        recipe.*bytes *= all.trained / parameters;
    return recipe;
}

}  // namespace plumb::planner
