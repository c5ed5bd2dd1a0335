// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/planner/scenario.h"
#include "core/planner/stage.h"
#include "core/planner/trained.h"

namespace plumb::planner {

/// Parameters that something holds: a model, a stage of it on one device, a layer.
struct Holding {
    double parameters = 0;  ///< adapters included
    double trained = 0;     ///< of these, that have gradients and states
    double quantised = 0;   ///< of these, that are kept in 4 bits
    Holding& operator+=(const Holding& other);
};
[[nodiscard]] Holding operator*(Holding holding, double factor);
/// All of them trained, none in 4 bits.
[[nodiscard]] inline Holding allTrained(double parameters) { return {parameters, parameters, 0}; }
/// Bytes of the weights as they are kept: quantised ones in 4 bits with their constants.
[[nodiscard]] double weightBytes(const Holding& holding, const Recipe& recipe, const Adaptation& adaptation);

/// What one device of a stage holds and trains.
struct StageHolding {
    Holding dense;         ///< shared by all data-parallel devices
    Holding experts;       ///< shared by those with the same experts
    Holding layer;         ///< its largest layer
    TrainedLayers layers;  ///< shares of the stage's layers
};
[[nodiscard]] StageHolding holdingOf(const Scenario& scenario, const Transformer& model, const Stage& stage);

/// The whole model once.
[[nodiscard]] Holding holdingOf(const Scenario& scenario);
/// The recipe in force with the bytes that a parameter of the model has in the mean: all have weights,
/// trained ones alone gradients, master copy and states. Adapters count into the mean, by the model's own
/// parameters.
[[nodiscard]] Recipe meanRecipe(const Scenario& scenario);

}  // namespace plumb::planner
