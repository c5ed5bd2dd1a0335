// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/enum_array.h"
#include "core/base/range.h"
#include "core/machine/machine.h"
#include "core/planner/adaptation.h"
#include "core/planner/model.h"
#include "core/planner/recipe.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace plumb::planner {

using plumb::Range;

/// Every number that goes into an answer and can be edited, solved for or put on the axis of a map.
enum class Input : std::uint8_t {
    // choices
    Parameters,         ///< number in a model that is a mere count
    Tokens,             ///< tokens of the whole training
    Devices,            ///< all of them
    DevicesPerNode,     ///< joined by the fast links
    Sequence,           ///< tokens of one sequence (deep linear model: none)
    Batch,              ///< sequences (or samples) of one optimizer step on all devices
    MicroBatch,         ///< sequences that one device does at a time
    Tensor,             ///< degree of tensor parallelism
    Pipeline,           ///< pipeline stages
    Context,            ///< degree of context parallelism
    Expert,             ///< degree of expert parallelism; divides the data-parallel devices
    Chunks,             ///< model chunks per device of an interleaved pipeline
    ShardGroup,         ///< data-parallel devices that share among themselves; the groups are replicas
    Zero,               ///< ZeRO stage 0 to 3; 3 is FSDP with full sharding
    RecomputeInterval,  ///< full recomputation keeps the input of every so many layers
    Rank,               ///< inner width of adapters (LoRA)
    LossChunks,         ///< parts of the tokens that head and loss take one after another
    Budget,             ///< FLOPs to spend
    Days,               ///< wall time to spend
    TokensPerSecond,    ///< measured throughput of all devices
    BytesPerParameter,  ///< bytes of weights, gradients, master copy and states together; overrides the
                        ///< recipe
    ContextLength,      ///< served: tokens of a request, prompt and answer, in the cache
    Requests,           ///< served at once by one server
    Prompt,             ///< served: tokens that a request begins with
    WeightBits,         ///< bits of a served weight: 16, 8 (fp8) or 4 (int4)
    CacheBits,          ///< bits of a cached key or value: 16 or 8
    FlopsPerDevice,     ///< measured rate of one device, instead of a throughput
    CheckpointEvery,    ///< seconds between checkpoints; not given: those that lose the least time
    // facts of the device
    Memory,         ///< memory of one device
    Peak,           ///< dense FLOP/s of one device in the compute dtype
    Bandwidth,      ///< bandwidth of its memory
    LinkBandwidth,  ///< within the node, one direction, of one device
    DevicePower,    ///< labelled power, watt
    // assumptions
    Mfu,
    Goodput,
    UsableMemory,
    MatmulEfficiency,
    AttentionEfficiency,  ///< of the 16-bit peak, by fused kernels
    MemoryEfficiency,
    PassFactor,  ///< traffic of element-wise passes against the least
    Sustained,   ///< speed of a whole training against that of its kernels alone
    Contention,  ///< part of hidden traffic that slows down what hides it
    Straggling,  ///< time lost for each doubling of nodes
    LinkEfficiency,
    NetworkBandwidth,
    Latency,         ///< of a message within the node
    NetworkLatency,  ///< of one between nodes
    OpOverhead,
    DataOverlap,
    TensorOverlap,
    PipelineOverlap,
    ContextOverlap,
    ExpertOverlap,
    ExpertImbalance,
    StepFactor,  ///< measured time of a step against that of the step model
    ActivationFactor,
    LogitBytes,
    DeviceOverhead,
    BufferBytes,
    Fragmentation,
    PowerShare,
    HostPower,
    Pue,
    GridIntensity,
    DevicePrice,
    EnergyPrice,
    TokensPerParameter,
    DeviceMtbf,
    CheckpointBandwidth,
    StorageBandwidth,     ///< of the storage, all devices together
    RestartTime,          ///< from a failure to the first step after it
    HostBandwidth,        ///< of the bus to the host, one direction, per device
    HostMemoryBandwidth,  ///< of the host's memory, per device, during the update
    HostOverlap,          ///< hidden part of what travels to and from the host
};
constexpr Input lastOf(Input /*type*/) { return Input::HostOverlap; }

/// What was given of the inputs, in the order of the enum; empty: the default. Every look at it is noted by
/// the InputsRead in force.
class GivenInputs {
public:
    [[nodiscard]] const std::optional<Range>& operator[](Input input) const;
    [[nodiscard]] std::optional<Range>& operator[](Input input);

private:
    EnumArray<Input, std::optional<Range>> m_ranges{};
};

/// Notes, for as long as it lives, which inputs this thread looks up in any scenario's GivenInputs. An answer
/// is a pure function of its scenario, so no other input that is kept there can move what is worked out
/// meanwhile.
class InputsRead {
public:
    InputsRead() : m_outer(s_now) { s_now = this; }
    ~InputsRead() { s_now = m_outer; }
    InputsRead(const InputsRead&) = delete;
    InputsRead& operator=(const InputsRead&) = delete;

    [[nodiscard]] bool has(Input input) const { return m_read[input]; }

private:
    friend class GivenInputs;
    static void note(Input input) {
        for (InputsRead* each = s_now; each != nullptr; each = each->m_outer) each->m_read[input] = true;
    }

    static inline constinit thread_local InputsRead* s_now = nullptr;
    EnumArray<Input, bool> m_read{};
    InputsRead* m_outer;
};

inline const std::optional<Range>& GivenInputs::operator[](Input input) const {
    InputsRead::note(input);
    return m_ranges[input];
}
inline std::optional<Range>& GivenInputs::operator[](Input input) {
    InputsRead::note(input);
    return m_ranges[input];
}

/// What the training goes through. Zero stands for "not said".
struct Workload {
    double tokens = 0;
    std::int64_t sequence = 0;  ///< 0: the model's longest, at most 8192
    std::int64_t batch =
        0;  ///< sequences; 0: one micro-batch (with a pipeline 4 per stage) per data-parallel device
    double budgetFlops = 0;
    double days = 0;
    double tokensPerSecond = 0;
};

/// Equal devices in equal nodes.
struct Cluster {
    std::optional<Machine> device;  ///< empty: not chosen; then memory and peak have to be given
    std::int64_t devices = 1;
    std::int64_t devicesPerNode = 8;
};

/// ZeRO stages: what is spread over the data-parallel devices instead of being there on each.
enum class Sharding : std::uint8_t { None, State, Gradients, Weights };

/// How the work is spread. The data-parallel degree is what is left: devices / (tensor * pipeline * context).
struct ParallelLayout {
    std::int64_t tensor = 1;
    bool sequence = true;  ///< norms and dropouts split over the tensor-parallel devices as well
    std::int64_t pipeline = 1;
    std::int64_t chunks = 1;  ///< per device; above 1 the pipeline is interleaved
    std::int64_t context = 1;
    std::int64_t expert = 1;
    Sharding sharding = Sharding::Weights;
    /// Devices that share what `sharding` says; groups of them are replicas (hybrid sharding, HSDP). 0: all.
    std::int64_t shardGroup = 0;
    std::int64_t microBatch = 1;
    bool operator==(const ParallelLayout&) const = default;
};

/// What runs the training, as far as its speed depends on it.
enum class Software : std::uint8_t {
    Eager,     ///< a kernel for each operation of the model's code
    Compiled,  ///< element-wise passes are fused by a compiler (torch.compile)
    Fused,     ///< kernels fused by hand (Megatron-Core, Transformer Engine, NeMo)
    Xla,       ///< a whole step is compiled (JAX)
};
constexpr Software lastOf(Software /*type*/) { return Software::Xla; }
[[nodiscard]] std::string_view name(Software software);  ///< "eager", "compiled", "fused", "xla"

struct Measurement;  // core/planner/measured.h

/// The whole question: every answer of the planner is a pure function of this. A value; copy it to try
/// something else.
struct Scenario {
    ModelSpec model;
    Workload workload;
    Cluster cluster;
    Recipe recipe;
    ParallelLayout parallel;
    Software software = Software::Compiled;
    Adaptation adaptation;  ///< what of the model is trained
    /// Assumptions and facts that the user changed; empty: the default.
    GivenInputs given;
    /// A step that was measured, which answers rest on; null: none.
    std::shared_ptr<const Measurement> measured;
};

/// The layout with everything filled in and checked.
struct ResolvedLayout {
    std::int64_t data = 1;          ///< degree of data parallelism
    std::int64_t microBatches = 1;  ///< per data-parallel device and optimizer step
    std::int64_t batch = 1;         ///< sequences per optimizer step, all devices
    std::int64_t sequence = 1;      ///< tokens
    std::int64_t layersPerStage = 1;
    std::int64_t shardGroup = 1;  ///< devices that share weights, gradients or states: data times context, or
                                  ///< a part of them
};
/// The recipe in force. The deep linear model's is that of its configuration, whatever Scenario::recipe says;
/// of the others, with Input::BytesPerParameter given, the bytes per parameter are scaled to that.
[[nodiscard]] Recipe effectiveRecipe(const Scenario& scenario);
/// Number format of the matrix products by the recipe in force.
[[nodiscard]] Dtype computeDtype(const Scenario& scenario);
/// Makes the deep linear model the one that is asked about. It has a whole copy on each device and the recipe
/// of its configuration; what other models alone have goes back to its default.
void chooseLinear(Scenario& scenario, const RunConfig& config);
/// Puts one of namedRecipes() in force; recomputation, attention and dropout stay as they are. The deep
/// linear model's configuration changes with it. Errors: BadInput for an unknown key, and for a recipe that
/// the deep linear model cannot be trained with (with those that it can).
[[nodiscard]] Result<void> chooseRecipe(Scenario& scenario, std::string_view key);
/// Tokens of one sequence: given, or the model's longest but at most 8192; 1 for what has no sequences.
[[nodiscard]] std::int64_t sequenceOf(const Scenario& scenario);
/// Errors: those of checkAdaptation(); BadInput for bytes per parameter beside frozen ones, of which they
/// cannot be.
[[nodiscard]] Result<void> checkTraining(const Scenario& scenario);
/// Errors: BadInput for a sequence longer than the model's table of positions, which it cannot be given.
[[nodiscard]] Result<void> checkSequence(const Scenario& scenario);
/// Errors: BadInput that names what does not divide (devices by tensor * pipeline * context, heads by tensor,
/// layers by pipeline * chunks, batch by data * micro-batch, experts by expert, data * context by the shard
/// group, ...) and a value that does.
[[nodiscard]] Result<ResolvedLayout> resolve(const Scenario& scenario);
/// The scenario whose batch, where none was given, is held where it stands when the layout changes; what
/// cannot be resolved stays as it is.
[[nodiscard]] Scenario withBatchHeld(Scenario scenario);

}  // namespace plumb::planner
