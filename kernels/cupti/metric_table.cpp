// SPDX-License-Identifier: Apache-2.0
// Which hardware metric means what, as data. All names were listed by the host library of CUPTI 130001 for
// their chips, which a test repeats with the library that is installed.
#include "kernels/cupti/metric_table.h"

#include "core/measure/core_instructions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace plumb::cupti {

namespace {

struct ChipName {
    std::string_view chip;
    ChipFamily family;
};
constexpr ChipName kChips[] = {
    {"TU102", ChipFamily::Turing},
    {"TU104", ChipFamily::Turing},
    {"TU106", ChipFamily::Turing},
    {"TU116", ChipFamily::TuringPlain},
    {"TU117", ChipFamily::TuringPlain},
    {"GA100", ChipFamily::Ampere},
    {"GA102", ChipFamily::Ampere},
    {"GA103", ChipFamily::Ampere},
    {"GA104", ChipFamily::Ampere},
    {"GA106", ChipFamily::Ampere},
    {"GA107", ChipFamily::Ampere},
    {"GA10B", ChipFamily::AmpereIntegrated},
    {"AD102", ChipFamily::Ada},
    {"AD103", ChipFamily::Ada},
    {"AD104", ChipFamily::Ada},
    {"AD106", ChipFamily::Ada},
    {"AD107", ChipFamily::Ada},
    {"GH100", ChipFamily::Hopper},
    {"GB100", ChipFamily::BlackwellServer},
    {"GB102", ChipFamily::BlackwellServer},
    {"GB110", ChipFamily::BlackwellUltra},
    {"GB10B", ChipFamily::BlackwellServerIntegrated},
    {"GB202", ChipFamily::Blackwell},
    {"GB203", ChipFamily::Blackwell},
    {"GB205", ChipFamily::Blackwell},
    {"GB206", ChipFamily::Blackwell},
    {"GB207", ChipFamily::Blackwell},
    {"GB20B", ChipFamily::BlackwellIntegrated},
};

/// Groups of tensor-core metrics: what one type of operand runs on.
enum class Operand : std::uint8_t { Tf32, Bf16, Fp16, Fp8 };

using Names = std::vector<std::string_view>;

/// Dense work only: the aggregates without "sparsity_off" hold sparse work too, and adding one to its parts
/// would count twice. Each multiply and each add is one operation, so the factor is 1.
Names tensorMetrics(ChipFamily family, Operand operand) {
    switch (family) {
    case ChipFamily::Turing:
        // One counter for all that accumulates in fp32; Turing has neither bf16 nor tf32.
        return operand == Operand::Fp16 ? Names{"src_fp16_bf16_tf32_dst_fp32", "src_fp16_dst_fp16"}
                                        : Names{"src_fp16_bf16_tf32_dst_fp32"};
    case ChipFamily::TuringPlain:
        return {};
    case ChipFamily::Ampere:
    case ChipFamily::AmpereIntegrated:
    case ChipFamily::Ada:
        if (operand == Operand::Tf32) return {"src_tf32_dst_fp32_sparsity_off"};
        if (operand == Operand::Bf16) return {"src_bf16_dst_fp32_sparsity_off"};
        if (operand == Operand::Fp16)
            return {"src_fp16_dst_fp16_sparsity_off", "src_fp16_dst_fp32_sparsity_off"};
        return family == ChipFamily::Ada ? Names{"src_fp8_sparsity_off"} : Names{};
    case ChipFamily::Hopper:
        // The library chooses warp-group products (HGMMA) mostly and older ones (HMMA) at times.
        if (operand == Operand::Tf32)
            return {"op_hgmma_src_tf32_dst_fp32_sparsity_off", "op_hmma_src_tf32_dst_fp32_sparsity_off"};
        if (operand == Operand::Bf16)
            return {"op_hgmma_src_bf16_dst_fp32_sparsity_off", "op_hmma_src_bf16_dst_fp32_sparsity_off"};
        if (operand == Operand::Fp16)
            return {"op_hgmma_src_fp16_sparsity_off", "op_hmma_src_fp16_dst_fp16_sparsity_off",
                    "op_hmma_src_fp16_dst_fp32_sparsity_off"};
        return {"src_fp8_sparsity_off"};
    case ChipFamily::BlackwellServer:
    case ChipFamily::BlackwellUltra:
    case ChipFamily::BlackwellServerIntegrated:
        if (operand == Operand::Tf32)
            return {"op_utchmma_src_tf32_dst_fp32_sparsity_off", "op_hmma_src_tf32_dst_fp32_sparsity_off"};
        if (operand == Operand::Bf16)
            return {"op_utchmma_src_bf16_dst_fp32_sparsity_off", "op_hmma_src_bf16_dst_fp32_sparsity_off"};
        if (operand == Operand::Fp16)
            return {"op_utchmma_src_fp16_dst_fp16_sparsity_off", "op_utchmma_src_fp16_dst_fp32_sparsity_off",
                    "op_hmma_src_fp16_dst_fp16_sparsity_off", "op_hmma_src_fp16_dst_fp32_sparsity_off"};
        if (family == ChipFamily::BlackwellUltra)
            return {"op_utcqmma_src_fp8_dst_fp16_sparsity_off", "op_utcqmma_src_fp8_dst_fp32_sparsity_off"};
        return {"op_utcqmma_src_fp4_fp6_fp8_dst_fp16_sparsity_off",
                "op_utcqmma_src_fp4_fp6_fp8_dst_fp32_sparsity_off"};
    case ChipFamily::Blackwell:
    case ChipFamily::BlackwellIntegrated:
        if (operand == Operand::Tf32) return {"op_hmma_src_tf32_dst_fp32_sparsity_off"};
        if (operand == Operand::Bf16) return {"op_hmma_src_bf16_dst_fp32_sparsity_off"};
        if (operand == Operand::Fp16)
            return {"op_hmma_src_fp16_dst_fp16_sparsity_off", "op_hmma_src_fp16_dst_fp32_sparsity_off"};
        return {"src_fp8_dst_fp16_sparsity_off", "src_fp8_dst_fp32_sparsity_off"};
    }
    return {};
}

std::vector<Operand> operandsOf(Precision precision) {
    switch (precision) {
    case Precision::Fp32:
    case Precision::Tf32:
        return {Operand::Tf32};
    case Precision::Bf16:
        return {Operand::Bf16};
    case Precision::Fp16:
        return {Operand::Fp16};
    case Precision::Fp8:
        return {Operand::Fp8, Operand::Bf16};  // the head's products and some gradients are bf16
    }
    return {};
}

bool countsDram(ChipFamily family) {
    return family != ChipFamily::AmpereIntegrated && family != ChipFamily::BlackwellServerIntegrated &&
           family != ChipFamily::BlackwellIntegrated;
}

class SetBuilder {
public:
    explicit SetBuilder(CounterSet& set) : m_set(set) {}

    /// A metric that is there already is not added again: duplicates may cost passes.
    void add(std::string name, CounterKind feeds, std::int64_t factor, std::string meaning) {
        name += ".sum";
        const auto same = [&](const CounterMetric& metric) { return metric.name == name; };
        if (std::none_of(m_set.metrics.begin(), m_set.metrics.end(), same))
            m_set.metrics.push_back({std::move(name), feeds, factor, std::move(meaning)});
    }
    void addInstruction(const CoreInstruction& instruction) {
        add("sm__sass_thread_inst_executed_op_" + std::string(instruction.name) + "_pred_on",
            CounterKind::CoreFlops, instruction.flops, std::string(instruction.meaning));
    }

private:
    CounterSet& m_set;
};

void addTensorMetrics(SetBuilder& builder, CounterSet& set, ChipFamily family) {
    bool any = false;
    for (const Operand operand : operandsOf(set.precision))
        for (const std::string_view name : tensorMetrics(family, operand)) {
            any = true;
            builder.add("sm__ops_path_tensor_" + std::string(name), CounterKind::TensorFlops, 1,
                        "dense FLOPs that tensor cores executed, padding of tiles included");
        }
    if (!any)
        set.absent.emplace_back(family == ChipFamily::TuringPlain
                                    ? "tensor-core FLOPs: this chip has no tensor cores"
                                    : "tensor-core FLOPs: this chip has no tensor cores for this precision");
}

void addBytes(SetBuilder& builder, CounterSet& set, ChipFamily family) {
    const std::string dram = family == ChipFamily::Blackwell ? "dram__bytes_op_" : "dram__bytes_";
    if (countsDram(family)) {
        builder.add(dram + "read", CounterKind::DramBytes, 1,
                    "bytes read from DRAM by everything that ran on the GPU meanwhile");
        builder.add(dram + "write", CounterKind::DramBytes, 1,
                    "bytes written to DRAM by everything that ran on the GPU meanwhile");
    } else {
        set.absent.emplace_back("DRAM bytes: this chip shares its memory with the processor and counts none");
    }
    builder.add("lts__t_sectors_srcunit_tex", CounterKind::L2Bytes, 32,
                "sectors of 32 bytes that the SMs asked of the L2: reads, writes, atomics and reductions");
    builder.add(
        "l1tex__t_bytes", CounterKind::L1Bytes, 1,
        "bytes through the load/store and texture path of the L1; bulk copies of sm_90 and later pass by");
}

/// Sums alone: a share that the library makes of a range has the launches between its kernels in it.
void addActivity(SetBuilder& builder) {
    constexpr std::pair<CounterKind, const char*> kMeanings[]{
        {CounterKind::SmCycles, "cycles in which an SM had work, of all SMs"},
        {CounterKind::TensorCycles, "cycles in which the tensor pipe of an SM was active"},
        {CounterKind::WarpCycles, "warps on an SM, summed over its cycles"},
        {CounterKind::MemoryStalls, "warps that waited for a value from L1, L2 or DRAM, summed over cycles"},
        {CounterKind::BarrierStalls, "warps that waited for others of their block, summed over cycles"},
        {CounterKind::MathStalls, "warps that waited for a unit of arithmetic, summed over cycles"},
        {CounterKind::L2Hits, "sectors of 32 bytes that the L2 held"},
        {CounterKind::L2Misses, "sectors of 32 bytes that the L2 did not hold"}};
    for (const auto& [kind, meaning] : kMeanings)
        builder.add(std::string(counterMetric(kind)), kind, 1, meaning);
}

}  // namespace

Result<ChipFamily> familyOf(std::string_view chip) {
    for (const ChipName& known : kChips)
        if (known.chip == chip) return known.family;
    if (chip == "GV100" || chip == "GV11B")
        return Error{ErrorCode::Unavailable, "CUPTI 13 no longer counts on Volta (" + std::string(chip) + ")",
                     "go on with timing only"};
    return Error{ErrorCode::Unavailable,
                 fmt::format("no set of counters is known for this chip ({:s})", chip),
                 "list the chips with plumbline-cli counters, or go on with timing only"};
}

std::vector<std::string> knownChips() {
    std::vector<std::string> chips;
    for (const ChipName& known : kChips) chips.emplace_back(known.chip);
    return chips;
}

Result<CounterSet> metricsFor(std::string_view chip, Precision precision, CounterDetail detail) {
    PLUMB_TRY(const ChipFamily family, familyOf(chip));
    CounterSet set;
    set.chip = chip;
    set.precision = precision;
    set.detail = detail;
    SetBuilder builder(set);
    addTensorMetrics(builder, set, family);
    addBytes(builder, set, family);
    if (detail == CounterDetail::Quick) {
        set.absent.emplace_back("CUDA-core FLOPs, shared-memory bytes, activity of pipes and warps, hits of "
                                "the L2: only full counting "
                                "reads them");
        return set;
    }
    builder.add(
        "l1tex__data_pipe_lsu_wavefronts_mem_shared", CounterKind::SharedBytes, 128,
        "wavefronts of shared memory, at most 128 bytes each; operands of products of sm_90 included");
    addActivity(builder);
    for (const CoreInstruction& instruction : kCoreInstructions) builder.addInstruction(instruction);
    if (family == ChipFamily::BlackwellServer || family == ChipFamily::BlackwellUltra)
        for (const CoreInstruction& instruction : kPackedInstructions) builder.addInstruction(instruction);
    return set;
}

}  // namespace plumb::cupti
