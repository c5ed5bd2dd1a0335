// SPDX-License-Identifier: Apache-2.0
#include "core/model/synthetic_task.h"
#include "kernels/cuda/bodies/dispatch_parameters.h"
#include "kernels/cuda/bodies/head_pass_body.h"
#include "kernels/cuda/device_kernels.h"

#include <algorithm>

namespace plumb::cuda {

std::int64_t tallyBytes(std::int64_t elements) {
    return std::clamp<std::int64_t>(elements, 1, kMostParts) * static_cast<std::int64_t>(sizeof(Tally));
}
std::int64_t lossBytes(std::int64_t elements) {
    return partsOf(elements).count * static_cast<std::int64_t>(sizeof(LossSums));
}
std::int64_t parameterBytes(const Parameters& parameters) {
    return partsOf(parameters).count * static_cast<std::int64_t>(sizeof(PartSums));
}
PartRange partsOfMatrix(const Parameters& parameters, std::int64_t matrix) {
    const ParameterParts parts = partsOf(parameters);
    return {firstPartOf(parts, matrix), partsOfMatrix(parameters, parts, matrix)};
}
std::int64_t adafactorBytes(const Parameters& parameters) { return adafactorRoom(parameters, nullptr).bytes; }
std::int64_t headPartialBytes(std::int64_t rows, std::int64_t dim, std::int64_t outputs) {
    return HeadWeightGradientBody<Storage::Fp32>::partsOfRows(rows).count * dim * outputs *
           static_cast<std::int64_t>(sizeof(float));
}
std::int64_t headTickets(std::int64_t dim) { return HeadWeightGradientBody<Storage::Fp32>::groups(dim); }
HeadPassBytes headPassBytes(std::int64_t rows, std::int64_t dim, std::int64_t outputs) {
    const std::int64_t parts = headPassParts(rows, outputs).count;
    return {parts * kHeadPassSums, parts * dim * outputs * static_cast<std::int64_t>(sizeof(float))};
}

SynthesiseArguments synthesisOf(const RunConfig& config) {
    SynthesiseArguments make;
    make.seed = config.seed;
    make.scale = syntheticScale(config.dim);
    make.noise = config.noise;
    make.rows = config.microBatchSize();
    make.dim = config.dim;
    make.outputs = config.outputWidth();
    make.whole = config.keepsBatch();
    return make;
}

}  // namespace plumb::cuda
