// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/planner_columns.h"

#include "ui/theme/text.h"

namespace plumb::ui {

ColumnTexts shardingColumns() {
    return {{tr("fits"), tr("Whether a device has the memory for its part.")},
            {tr("recompute"), tr("Which activations the backward pass computes again.")},
            {tr("sharding"),
             tr("What ZeRO or FSDP divides over the devices: optimizer states, gradients, weights.")},
            {tr("memory"), tr("What one device needs at the peak of a step.")},
            {tr("step time"), tr("From one optimizer step to the next.")},
            {tr("MFU"), tr("FLOPs of the model in a step / (step time × peak of all devices).")},
            {tr("tensor"), tr("Devices that share each layer's matrix products.")},
            {tr("pipeline"), tr("Stages that the layers are cut into, a device or several each.")},
            {tr("context"), tr("Devices that share the tokens of a sequence.")},
            {tr("expert"), tr("Devices that share the experts of a layer.")},
            {tr("micro-batch"), tr("Sequences that go through the devices at once.")},
            {tr("chunks"), tr("Parts of the model that a device of the pipeline has; more than one: they are "
                              "interleaved.")},
            {kBehindNumber + tr("why not"), tr("What another way has over it; none of the first.")}};
}

ColumnTexts deviceColumns() {
    return {{tr("device"), tr("Name of its data sheet.")},
            {tr("to hold it"), tr("Devices whose memory together has room for weights, gradients and "
                                  "optimizer states.")},
            {tr("time"), tr("Time of the training on as many of them as are planned; ×: it does not fit.")},
            {tr("for the time"),
             tr("Devices that finish within the time that is given; –: none that can share the batch.")},
            {tr("energy"), tr("Of the training, by the power of the data sheet.")},
            {tr("balance"), tr("Peak / memory bandwidth: work of less intensity is limited by memory.")},
            {kBehindNumber + tr("remark"), tr("Why it cannot be used, where it cannot.")}};
}

ColumnTexts candidateColumns() {
    return {{tr("devices"), tr("How many, and which.")},
            {tr("place"), tr("Where it stands against the best of them.")},
            {tr("fits"), tr("Whether there is a way to spread the training over them that fits in memory.")},
            {tr("time"), tr("Time of the training in the fastest way that fits.")},
            {tr("cost"), tr("Price of the devices over that time.")},
            {tr("energy"), tr("Of the training, by the power of the data sheet.")},
            {tr("MFU"), tr("FLOPs of the model in a step / (step time × peak of all devices).")},
            {tr("$/h"), tr("Price of one device for an hour, as it was given or as its data sheet says.")},
            {kBehindNumber + tr("why"), tr("Why it stands where it stands, or why there is no plan for it.")},
            {tr("layout"), tr("How the work is spread over them.")}};
}

}  // namespace plumb::ui
