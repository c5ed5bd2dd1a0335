// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/measure/reading.h"
#include "core/planner/scenario.h"

#include <string>
#include <vector>

namespace plumb::planner {

/// One kind of operation in a step of the slowest device, by its roofline:
/// max(flops / (peak * efficiency), bytes / (bandwidth * efficiency)) + overhead.
struct TimedOp {
    std::string label;  ///< "feed-forward up and gate, backward"
    double flops = 0;   ///< FLOPs of one step on this device
    double bytes = 0;
    double seconds = 0;
    Bound bound = Bound::Unknown;
    bool product = false;  ///< a matrix product, which the peak is for
};

/// Traffic along one axis of parallelism.
struct StepTraffic {
    std::string axis;          ///< "data", "tensor", "pipeline", "context", "expert"
    std::string label;         ///< "all-gather of weights, reduce-scatter of gradients"
    std::string formula;       ///< with the numbers put in
    std::int64_t devices = 1;  ///< in the group
    bool leavesNode = false;   ///< the network limits it, else the links within the node
    double bytes = 0;          ///< sent by one device in one step
    double seconds = 0;        ///< if nothing hid it
    double exposed = 0;        ///< part of these that computation does not hide
};

/// Where the time of one optimizer step goes. total() is the sum of the six parts.
struct StepTime {
    std::vector<TimedOp> ops;  ///< products and element-wise passes of the slowest stage, update included
    std::vector<StepTraffic> traffic;
    double compute = 0;        ///< forward and backward of all micro-batches on the slowest stage
    double recomputed = 0;     ///< what the recipe does again
    double update = 0;         ///< optimizer
    double communication = 0;  ///< exposed
    double bubble = 0;         ///< stages that wait for the pipeline to fill and drain
    double waiting = 0;        ///< for the slowest of many nodes
    double tokens = 0;         ///< tokens (or samples) of the step, all devices
    double modelFlops = 0;     ///< FLOPs of the step, all devices: what MFU counts
    double hardwareFlops = 0;  ///< executed
    double mfu = 0;            ///< can exceed 1 where masked pairs are counted and skipped; a note says so
    double executedMfu = 0;    ///< without them
    double hfu = 0;            ///< the same of what is executed, what runs again included
    std::vector<std::string> notes;
    [[nodiscard]] double total() const {
        return compute + recomputed + update + communication + bubble + waiting;
    }
};

/// Time of a step at the expected values of all assumptions. Errors: those of resolve(); BadInput for a
/// device without the peak or bandwidth that is needed, and for a model that is a mere count (it has no
/// operations).
[[nodiscard]] Result<StepTime> stepTime(const Scenario& scenario);

/// Bytes that one of `devices` sends for a collective over `bytes` of the full tensor, ring algorithms.
[[nodiscard]] double allReduceBytes(double bytes, std::int64_t devices);
[[nodiscard]] double allGatherBytes(double bytes, std::int64_t devices);  ///< reduce-scatter: the same

}  // namespace plumb::planner
