// SPDX-License-Identifier: Apache-2.0
#include "core/base/entry_at.h"
#include "core/machine/attainable.h"
#include "core/planner/inputs.h"

namespace plumb::planner {

namespace {

constexpr double kMany = 1e18;
constexpr Range kNone{};
constexpr std::string_view kJudgement = "assumption: own judgement";

InputInfo choice(Input input, std::string_view key, std::string_view symbol, std::string_view label,
                 std::string_view unit, double least, double most, bool whole, std::string_view help) {
    return {input, key, symbol, label, unit, InputKind::Choice, kNone, least, most, whole, help, ""};
}
InputInfo fact(Input input, std::string_view key, std::string_view symbol, std::string_view label,
               std::string_view unit, std::string_view help) {
    return {input, key, symbol, label, unit, InputKind::Fact, kNone, 1e-3, 1e24, false, help, ""};
}
/// An assumption's accepted values run from `least` to `most`.
InputInfo assumed(Input input, std::string_view key, std::string_view symbol, std::string_view label,
                  std::string_view unit, Range standard, double least, double most, std::string_view help,
                  std::string_view source = kJudgement) {
    return {input,    key,   symbol, label, unit, InputKind::Assumption,
            standard, least, most,   false, help, source};
}

std::vector<InputInfo> choices() {
    using enum Input;
    return {
        choice(Parameters, "parameters", "N", "parameters", "", 1, kMany, false,
               "of a model given as a mere count"),
        choice(Tokens, "tokens", "D", "training tokens", "", 1, kMany, false,
               "of the whole training, each pass counted (deep linear model: samples)"),
        choice(Devices, "devices", "G", "devices", "", 1, 1e7, true, "all of them"),
        choice(DevicesPerNode, "devices-per-node", "r", "devices per node", "", 1, 1e7, true,
               "joined by the fast links; what leaves a node goes over the network"),
        choice(Sequence, "sequence", "s", "sequence length", "", 1, 1e9, true, "tokens of one sequence"),
        choice(Batch, "batch", "B", "batch", "", 1, 1e12, true,
               "sequences (deep linear model: samples) of one optimizer step, all devices together"),
        choice(MicroBatch, "micro-batch", "b", "micro-batch", "", 1, 1e9, true,
               "sequences that one device works on at a time"),
        choice(Tensor, "tensor", "t", "tensor parallelism", "", 1, 1e6, true,
               "devices that share each layer"),
        choice(Pipeline, "pipeline", "p", "pipeline stages", "", 1, 1e6, true,
               "devices that share the layers"),
        choice(Context, "context", "c", "context parallelism", "", 1, 1e6, true,
               "devices that share a sequence"),
        choice(Expert, "expert", "x", "expert parallelism", "", 1, 1e6, true,
               "devices that share the experts; some of the data-parallel ones"),
        choice(Chunks, "chunks", "v", "model chunks per device", "", 1, 1e4, true,
               "above 1 the pipeline is interleaved: a smaller bubble, more traffic"),
        choice(
            ShardGroup, "shard-group", "g", "shard group", "", 1, 1e7, true,
            "data-parallel devices that share what ZeRO shares, the groups being replicas (HSDP: those of a "
            "node; default: all)"),
        choice(Zero, "zero", "Z", "ZeRO stage", "", 0, 3, true,
               "what data-parallel devices share: 1 states, 2 gradients too, 3 weights too (FSDP)"),
        choice(RecomputeInterval, "recompute-interval", "k", "layers between kept inputs", "", 1, 1e4, true,
               "full recomputation keeps the input of every k-th layer"),
        choice(Rank, "rank", "r_a", "rank of adapters", "", 1, 1e6, true,
               "inner width of what LoRA puts beside a matrix"),
        choice(LossChunks, "loss-chunks", "κ_ℓ", "chunks of the loss", "", 1, 65536, true,
               "parts of the tokens whose logits exist at a time: chunked cross-entropy; a fused linear one "
               "takes about words / hidden width"),
        choice(Budget, "budget", "C", "budget", "FLOP", 1, 1e33, false, "model FLOPs to spend"),
        choice(Days, "days", "T", "time to spend", "d", 1e-6, 1e6, false, "wall time"),
        choice(TokensPerSecond, "tokens-per-second", "R", "measured throughput", "/s", 1e-6, kMany, false,
               "tokens per second of all devices together"),
        choice(BytesPerParameter, "bytes-per-parameter", "w", "bytes per parameter", "B", 0.1, 1000, false,
               "weights, gradients, master copy and optimizer state together; overrides the recipe"),
        choice(ContextLength, "context-length", "s_kv", "context length", "", 1, 1e9, true,
               "served: tokens of a request in the cache, prompt and answer (default: the sequence)"),
        choice(Requests, "requests", "b_kv", "requests at once", "", 1, 1e9, true,
               "served: sequences that one server answers at the same time (default 1)"),
        choice(Prompt, "prompt", "s_in", "prompt", "", 1, 1e9, true,
               "served: tokens that a request begins with (default: the context length)"),
        choice(WeightBits, "weight-bits", "w_bit", "bits of a served weight", "", 4, 16, true,
               "16 (default), 8 (fp8) or 4 (int4 in groups of 128)"),
        choice(CacheBits, "cache-bits", "kv_bit", "bits of a cached number", "", 8, 16, true,
               "16 (default) or 8"),
        choice(
            FlopsPerDevice, "flops-per-device", "R_dev", "measured rate of a device", "FLOP/s", 1, 1e24,
            false,
            "instead of a throughput: the model's own FLOPs by all query-key pairs, without recomputation"),
        choice(CheckpointEvery, "checkpoint-every", "τ_c", "time between checkpoints", "s", 1e-3, 1e9, false,
               "of the training (default: the interval that loses the least time)"),
        fact(Memory, "memory", "M", "memory of a device", "B", "as labelled; GB is 1e9"),
        fact(Peak, "peak", "P", "peak of a device", "FLOP/s", "dense, in the dtype of the matrix products"),
        fact(Bandwidth, "bandwidth", "W", "memory bandwidth", "B/s", "of one device"),
        fact(LinkBandwidth, "link-bandwidth", "β", "link bandwidth", "B/s",
             "within the node, one direction (half of the advertised figure), all links of a device"),
        fact(DevicePower, "device-power", "TDP", "power of a device", "W", "as labelled"),
    };
}

std::vector<InputInfo> rates() {
    using enum Input;
    return {
        assumed(
            Mfu, "mfu", "MFU", "model FLOPs utilisation", "", {0.3, 0.4, 0.5}, 1e-4, 1,
            "share of the peak that goes into the model's own FLOPs: by default what the step model has for "
            "this layout, or what published trainings like it reached"),
        assumed(Goodput, "goodput", "goodput", "useful share of wall time", "", {0.9, 1, 1}, 0.01, 1,
                "what restarts, evaluation and stragglers leave; 0.90 to 0.95 is common in large runs"),
        assumed(UsableMemory, "usable-memory", "usable", "memory left for weights and states", "",
                {0.7, 1, 1}, 0.01, 1,
                "what activations, context and fragmentation leave; 1 counts weights and states alone"),
        assumed(MatmulEfficiency, "matmul-efficiency", "η", "matrix products at share of peak", "",
                kProductShare, 0.01, 1, "what large products reach of the peak",
                "assumption: public shape searches reached 87 % on A100, 80 % on H100, 78 % on B200, 51 to "
                "60 % on "
                "MI300"),
        assumed(AttentionEfficiency, "attention-efficiency", "η_att", "attention at share of the 16-bit peak",
                "", {0.25, 0.4, 0.6}, 0.01, 1,
                "what fused kernels reach with heads of 128, forward and backward together"),
        assumed(MemoryEfficiency, "memory-efficiency", "η_mem", "memory passes at share of bandwidth", "",
                kMemoryShare, 0.01, 1, "what passes over memory reach of the bandwidth"),
        assumed(PassFactor, "pass-factor", "φ_pass", "traffic of passes against the least", "", {1, 1.3, 2},
                0.5, 20, "what is not fused reads and writes its operands once more"),
        assumed(
            Sustained, "sustained", "η_s", "a training against its kernels", "", {0.8, 0.88, 0.96}, 0.05, 1,
            "what power limits, gaps between kernels and the framework leave of the speed of kernels that "
            "are timed alone"),
        assumed(Contention, "contention", "κ", "cost of hidden traffic", "", {0, 0.1, 0.3}, 0, 1,
                "collectives take multiprocessors and bandwidth from what they hide behind"),
        assumed(Straggling, "straggling", "σ_n", "waiting for the slowest", "", {0, 0.01, 0.02}, 0, 1,
                "share of a step's time that is lost more for each doubling of the nodes"),
        assumed(LinkEfficiency, "link-efficiency", "η_link", "collectives at share of link bandwidth", "",
                {0.5, 0.7, 0.9}, 0.01, 1, "what collectives reach of links and network"),
        assumed(NetworkBandwidth, "network-bandwidth", "β_net", "network bandwidth per device", "B/s",
                {25e9, 50e9, 50e9}, 1e3, 1e15, "between nodes, one direction; 400 Gb/s are 50 GB/s"),
        assumed(Latency, "latency", "λ", "latency of a message within a node", "s", {1.9e-6, 3.4e-6, 10e-6},
                0, 1, "per step of a collective",
                "assumption: 3.4 µs are what NCCL's own model has for a step of a ring over NVLink, 1.9 for "
                "small messages"),
        assumed(NetworkLatency, "network-latency", "λ_net", "latency of a message between nodes", "s",
                {4e-6, 14e-6, 30e-6}, 0, 1, "per step of a collective",
                "assumption: 14 µs are what NCCL's own model has for a step of a ring over a network, 4 for "
                "small messages"),
        assumed(OpOverhead, "op-overhead", "τ", "overhead of one operation", "s", kLaunchSeconds, 0, 1,
                "launching a kernel: 2 to 10 µs; with CUDA graphs near 0"),
        assumed(DataOverlap, "data-overlap", "o_d", "hidden data-parallel traffic", "", {0.5, 0.8, 1}, 0, 1,
                "share that can hide behind the backward pass"),
        assumed(TensorOverlap, "tensor-overlap", "o_t", "hidden tensor-parallel traffic", "", {0, 0, 0.5}, 0,
                1, "it stands between products, so little hides"),
        assumed(PipelineOverlap, "pipeline-overlap", "o_p", "hidden pipeline traffic", "", {0, 0.5, 1}, 0, 1,
                "share that hides behind other micro-batches"),
        assumed(ContextOverlap, "context-overlap", "o_c", "hidden context-parallel traffic", "",
                {0.5, 0.8, 1}, 0, 1, "share that hides behind attention on blocks that are there"),
        assumed(ExpertOverlap, "expert-overlap", "o_x", "hidden expert-parallel traffic", "", {0, 0, 0.7}, 0,
                1, "all-to-all stands between router and experts"),
        assumed(ExpertImbalance, "expert-imbalance", "imbalance", "busiest expert against the mean", "",
                {1, 1.1, 1.5}, 1, 1000, "tokens of the busiest device's experts over the mean"),
        assumed(StepFactor, "step-factor", "f", "measured against predicted step time", "", {1, 1, 1}, 0.01,
                100, "what times of the step model are multiplied by; it follows from --measured or --from",
                "assumption: nothing was measured"),
    };
}

std::vector<InputInfo> sizesAndPrices() {
    using enum Input;
    return {
        assumed(ActivationFactor, "activation-factor", "φ", "activations kept against counted", "",
                {0.85, 1, 1.3}, 0.1, 20,
                "eager frameworks keep copies (rotary outputs, repeated keys, fp32 norms), fused kernels "
                "keep less",
                "assumption: what trainings of fit sources differ by (evidence.md)"),
        assumed(LogitBytes, "logit-bytes", "ℓ", "bytes per logit", "B", {4, 8, 10}, 0, 32,
                "fp32 logits 4, a 16-bit copy 2, the gradient 2 to 4; 0 for a fused loss"),
        assumed(DeviceOverhead, "device-overhead", "context", "context and kernels", "B", kContextBytes, 0,
                1e12, "what the driver takes of each device", "assumption: 0.5 to 2 GiB in public reports"),
        assumed(BufferBytes, "buffer-bytes", "buffers", "communication buffers", "B", {0.1e9, 0.4e9, 1e9}, 0,
                1e12, "of the collectives, with more than one device"),
        assumed(Fragmentation, "fragmentation", "frag", "allocator fragmentation", "", {0.02, 0.05, 0.2}, 0,
                1, "reserved against allocated: what an allocator keeps beyond its tensors",
                "assumption: 2 to 10 % in public reports, 20 % in the pipelines of BLOOM's (evidence.md)"),
        assumed(PowerShare, "power-share", "draw", "drawn share of labelled power", "", {0.7, 0.85, 1}, 0.01,
                2, "reports often take 1", "assumption: 70 to 100 % under training"),
        assumed(HostPower, "host-power", "host", "hosts, network and storage", "", {0.2, 0.3, 0.4}, 0, 10,
                "on top of the devices' power", "assumption: 20 to 40 %"),
        assumed(Pue, "pue", "PUE", "power usage effectiveness", "", {1.05, 1.1, 1.4}, 1, 10,
                "cooling and conversion: all power over that of the machines",
                "assumption: 1.1 in public reports"),
        assumed(GridIntensity, "grid-intensity", "grid", "CO2 of electricity", "kg/kWh", {0.05, 0.4, 0.7}, 0,
                10, "per kWh; differs tenfold between grids", "assumption: 0.385 to 0.43 in public reports"),
        assumed(DevicePrice, "device-price", "price", "price of a device hour", "$/h", {1.5, 2.5, 5}, 0, 1e6,
                "prices differ by provider, device and year: give yours"),
        assumed(EnergyPrice, "energy-price", "tariff", "price of electricity", "$/kWh", {0.05, 0.1, 0.25}, 0,
                1e3, "per kWh; give yours"),
        assumed(
            TokensPerParameter, "tokens-per-parameter", "r", "tokens per parameter", "", {10, 20, 40}, 1e-3,
            1e7,
            "compute-optimal is about 20; released models train at 100 to 2000, since inference costs too",
            "assumption: Hoffmann et al., arXiv 2203.15556"),
        assumed(DeviceMtbf, "device-mtbf", "MTBF", "time between failures of one device", "s",
                {3.6e7, 1.8e8, 3.6e8}, 1, 1e12, "a run fails as often as any of its devices",
                "assumption: 10 000 to 100 000 hours"),
        assumed(CheckpointBandwidth, "checkpoint-bandwidth", "β_disk", "checkpoint writing per device", "B/s",
                {0.2e9, 1e9, 5e9}, 1, 1e15, "what a device's host writes at most"),
        assumed(StorageBandwidth, "storage-bandwidth", "β_store", "storage writing of all devices", "B/s",
                {0.1e12, 0.5e12, 2e12}, 1, 1e18,
                "what the storage takes at most, however many devices write: give yours",
                "assumption: own judgement; the storage of Llama 3's cluster sustained 2 TB/s, arXiv "
                "2407.21783"),
        assumed(RestartTime, "restart-time", "t_restart", "time to restart", "s", {180, 600, 1800}, 0, 1e7,
                "from a failure to the first step after it: finding it, replacing the node, loading"),
        assumed(HostBandwidth, "host-bandwidth", "β_host", "bandwidth of the host bus", "B/s",
                {12e9, 25e9, 31e9}, 1e6, 1e13, "of a device to the host's memory, one direction",
                "assumption: PCIe gen 4 x16, of whose 31 GB/s copies reach 80 %"),
        assumed(
            HostMemoryBandwidth, "host-memory-bandwidth", "W_host", "memory bandwidth of the host", "B/s",
            {8e9, 16e9, 40e9}, 1e6, 1e13, "what an update on the host reaches, over the devices of a node",
            "assumption: fitted on published trainings, eight devices whose hosts update, Llama 3.1 8B at 8K "
            "(evidence.md)"),
        assumed(HostOverlap, "host-overlap", "o_h", "hidden host traffic", "", {0, 0.5, 0.9}, 0, 1,
                "of weights and activations, behind computation; nothing hides the optimizer's"),
    };
}

}  // namespace

const std::vector<InputInfo>& allInputs() {
    static const std::vector<InputInfo> table = [] {
        std::vector<InputInfo> all = choices();
        for (const auto& part : {rates(), sizesAndPrices()}) all.insert(all.end(), part.begin(), part.end());
        return all;
    }();
    return table;
}

const InputInfo& info(Input input) { return entryAt(allInputs(), input); }

std::optional<Input> inputFromKey(std::string_view key) {
    for (const InputInfo& entry : allInputs())
        if (entry.key == key) return entry.input;
    return std::nullopt;
}

}  // namespace plumb::planner
