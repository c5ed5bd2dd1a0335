// SPDX-License-Identifier: Apache-2.0
#include "core/model/run_config.h"

#include "core/model/names.h"

namespace plumb {

std::string_view name(Activation value) { return nameIn(kActivationNames, value); }
std::string_view name(Precision value) { return nameIn(kPrecisionNames, value); }
std::string_view name(Optimizer value) { return nameIn(kOptimizerNames, value); }
std::string_view name(Initialisation value) { return nameIn(kInitialisationNames, value); }
std::string_view name(BackendChoice value) { return nameIn(kBackendNames, value); }

double RunConfig::effectiveLearningRate() const {
    return learningRate.value_or(optimizer == Optimizer::Adagrad ? 1e-2 : 1e-3);
}

double RunConfig::effectiveWeightDecay() const {
    return weightDecay.value_or(optimizer == Optimizer::AdamW ? 1e-2 : 0.0);
}

bool RunConfig::operator==(const RunConfig& other) const {
    return dim == other.dim && layers == other.layers && outputs == other.outputs &&
           activation == other.activation && batch == other.batch &&
           microBatchSize() == other.microBatchSize() && precision == other.precision &&
           masterWeights == other.masterWeights && optimizer == other.optimizer &&
           effectiveLearningRate() == other.effectiveLearningRate() &&
           effectiveWeightDecay() == other.effectiveWeightDecay() && checkpoint == other.checkpoint &&
           initialisation == other.initialisation && seed == other.seed && noise == other.noise &&
           data == other.data && targets == other.targets && backend == other.backend;
}

}  // namespace plumb
