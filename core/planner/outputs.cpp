// SPDX-License-Identifier: Apache-2.0
#include "core/planner/formula.h"

namespace plumb::planner {

namespace {

// Rows in the enum's order. Unit "1" is a share, shown in percent.
constexpr EnumArray<Output, OutputInfo> kOutputs{{
    {"days", "training time", "d", "wall time of the whole training at the assumed MFU"},
    {"flops", "training FLOPs", "FLOP",
     "the model's own FLOPs of the whole training, recomputation left out"},
    {"device_hours", "device hours", "h", "devices times wall time"},
    {"tokens_per_second", "throughput", "/s", "tokens per second of all devices at the assumed MFU"},
    {"parameters", "largest model", "",
     "parameters whose weights, gradients and states fit; activations left out"},
    {"model_parameters", "parameters", "", "of the model"},
    {"trained_parameters", "trained parameters", "",
     "that have gradients and states: adapters, or what is not frozen"},
    {"devices_to_hold", "devices to hold it", "", "devices that hold weights, gradients and states"},
    {"memory_bytes", "memory per device", "B",
     "with activations and overheads, on the fullest pipeline stage"},
    {"step_seconds", "step time", "s", "of one optimizer step by the step model"},
    {"step_days", "training time by the step model", "d", "the whole training at the modelled step time"},
    {"step_mfu", "MFU by the step model", "1", "model FLOPs of a step over its time, devices and peak"},
    {"step_hfu", "HFU by the step model", "1", "the same with recomputed FLOPs"},
    {"mfu", "measured MFU", "1", "model FLOPs utilisation of a measured throughput"},
    {"hfu", "measured HFU", "1", "hardware FLOPs utilisation of a measured throughput"},
    {"energy_joules", "energy", "J", "of devices, hosts and cooling"},
    {"cost_dollars", "price of the devices", "$", "device hours times the price of one"},
    {"electricity_dollars", "price of the electricity", "$", "energy times the tariff"},
    {"co2_kilograms", "CO2", "kg", "energy times the grid's intensity"},
    {"optimal_parameters", "compute-optimal model", "",
     "parameters that give the lowest loss for the budget"},
    {"optimal_tokens", "compute-optimal tokens", "", "tokens that give the lowest loss for the budget"},
    {"loss_hoffmann", "loss by Hoffmann et al.", "nat",
     "nats per token by the law of Chinchilla as it was published"},
    {"loss_besiroglu", "loss by Besiroglu et al.", "nat", "nats per token by the corrected fit of that law"},
    {"loss_kaplan", "loss by Kaplan et al.", "nat", "nats per token by the law of 2020, on other text"},
    {"hoffmann_parameters", "optimal model by Hoffmann et al.", "",
     "parameters of the least loss for the budget, or for the FLOPs of this training"},
    {"hoffmann_tokens", "optimal tokens by Hoffmann et al.", "", "tokens of the least loss for them"},
    {"besiroglu_parameters", "optimal model by Besiroglu et al.", "",
     "parameters of the least loss for the budget, or for the FLOPs of this training"},
    {"besiroglu_tokens", "optimal tokens by Besiroglu et al.", "", "tokens of the least loss for them"},
    {"critical_batch_tokens", "critical batch", "",
     "tokens of a step beyond which more of them save few steps"},
    {"training_steps", "optimizer steps", "", "tokens of the training over those of a step"},
    {"least_steps", "least steps to the same loss", "", "with a batch far above the critical one"},
    {"least_tokens", "least tokens to the same loss", "", "with a batch far below the critical one"},
    {"budget_flops", "budget", "FLOP", "given, or what the devices do in the given days at the assumed MFU"},
    {"checkpoint_bytes", "training checkpoint", "B", "on disk: weights, master copy and states"},
    {"checkpoint_interval_seconds", "checkpoint interval", "s",
     "between training checkpoints, losing the least time"},
    {"checkpoint_seconds", "writing a checkpoint", "s",
     "by all devices at once, as fast as the storage takes it"},
    {"failures_per_day", "failures per day", "", "of any of the devices, each of which ends the run"},
    {"expected_goodput", "goodput by failures", "1",
     "share of wall time that failures, restarts and checkpoints leave"},
    {"cache_bytes_per_token", "cache of a token", "B", "keys and values of one token in all layers"},
    {"cache_bytes_per_request", "cache of a request", "B",
     "keys and values at the context length; a layer with a window keeps no more than that"},
    {"server_memory_bytes", "memory of a server's device", "B",
     "weights, cache of all requests, activations and overheads"},
    {"largest_requests", "most requests at once", "", "whose caches fit at the context length"},
    {"longest_context", "longest context", "",
     "whose cache fits for these requests, at most the model's positions"},
    {"first_token_seconds", "time to the first token", "s",
     "a prompt read by a server that does nothing else"},
    {"output_token_seconds", "time per output token", "s",
     "the next token of every request at its context length"},
    {"request_tokens_per_second", "output of a request", "/s", "tokens per second that one request gets"},
    {"device_output_tokens_per_second", "output of a device", "/s",
     "tokens per second of all requests over the server's devices"},
    {"device_prompt_tokens_per_second", "prompts of a device", "/s",
     "tokens per second that are read, over the server's devices"},
    {"compute_bound_requests", "requests until compute limits", "",
     "from which on products take longer to compute than their weights to read"},
}};

}  // namespace

const OutputInfo& info(Output output) { return kOutputs[output]; }

std::optional<Output> outputFromKey(std::string_view key) {
    for (const Output output : kEnumerators<Output>)
        if (info(output).key == key) return output;
    return std::nullopt;
}

std::string formatOutput(Output output, double value) { return formatValue(value, info(output).unit); }

std::string formatInput(Input input, double value) { return formatValue(value, info(input).unit); }

}  // namespace plumb::planner
