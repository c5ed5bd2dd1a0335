// SPDX-License-Identifier: Apache-2.0
#include "core/trace/kernel_category.h"

#include "core/base/ascii.h"

#include <algorithm>
#include <string>

namespace plumb::trace {

namespace {

/// A mark in a name in lower case. "^" in front: only at its beginning; "!x" behind: not followed by x; "#"
/// stands for one or more digits.
bool matchesAt(std::string_view name, std::string_view mark) {
    while (!mark.empty()) {
        if (mark.front() == '!') return !name.starts_with(mark.substr(1));
        if (mark.front() == '#') {
            const std::size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
            if (digits == 0) return false;
            name.remove_prefix(digits);
        } else if (name.empty() || name.front() != mark.front()) {
            return false;
        } else {
            name.remove_prefix(1);
        }
        mark.remove_prefix(1);
    }
    return true;
}

bool holdsMark(std::string_view name, std::string_view mark) {
    if (mark.front() == '^') return matchesAt(name, mark.substr(1));
    for (std::size_t at = name.find(mark.front()); at != std::string_view::npos;
         at = name.find(mark.front(), at + 1))
        if (matchesAt(name.substr(at), mark)) return true;
    return false;
}

/// Marks are separated by blanks.
bool holdsOneOf(std::string_view name, std::string_view marks) {
    while (!marks.empty()) {
        const std::size_t end = std::min(marks.find(' '), marks.size());
        if (end > 0 && holdsMark(name, marks.substr(0, end))) return true;
        marks.remove_prefix(std::min(end + 1, marks.size()));
    }
    return false;
}

struct CategoryMarks {
    KernelCategory category;
    std::string_view marks;
};
constexpr std::string_view kCommunication = "nccl rccl allreduce all_reduce allgather all_gather "
                                            "reducescatter reduce_scatter sendrecv multimem nvshmem deepep "
                                            "deep_ep";
constexpr CategoryMarks kMarks[]{
    {KernelCategory::Communication, kCommunication},
    {KernelCategory::Memory, "^memcpy ^memset ^hipmemcpy ^hipmemset"},
    {KernelCategory::Attention, "flash fmha sdpa attn_fwd attn_bwd attention mha_"},
    {KernelCategory::Convolution,
     "scudnn conv!ert wgrad dgrad winograd implicit_gemm fprop cask_cudnn nchwto im2col miopen igemm"},
    {KernelCategory::Gemm,
     "gemm gemv cutlass cublas xmma nvjet ^cijk splitkreduce bmm_ ^triton_tem ^triton_mm dot_kernel wmma"},
    {KernelCategory::Normalization, "layernorm layer_norm rmsnorm rms_norm batchnorm batch_norm groupnorm "
                                    "group_norm bn_fw bn_bw gammabeta rowwisemoments"},
    {KernelCategory::SoftmaxLoss, "softmax soft_max nll_loss cross_entropy cunn_"},
    {KernelCategory::Index, "embedding index gather scatter catarray split_ take"},
    {KernelCategory::Optimizer, "multi_tensor_apply adam!s lamb!da"},
    {KernelCategory::ReduceSort, "reduce scan sort topk cub:: thrust"},
    {KernelCategory::Random, "distribution philox dropout"},
    {KernelCategory::Triton, "^triton_"},
    {KernelCategory::Elementwise, "elementwise vectorized at::native copy fill"}};

}  // namespace

bool communicates(std::string_view kernel) { return holdsOneOf(lowerCase(kernel), kCommunication); }

bool usesTensorCores(std::string_view kernel) {
    const std::string name = lowerCase(kernel);
    if (holdsOneOf(name, "s#gemm h#gemm xmma tensorop hmma imma wgmma nvjet _mma_")) return true;
    for (const std::string_view mark : {"sm70_", "sm75_", "sm80_", "sm89_", "sm90_", "sm100_"})
        if (const std::size_t at = name.find(mark);
            at != std::string::npos && name.find("gemm", at) != std::string::npos)
            return true;
    const std::size_t composable = name.find("ck_");
    return composable != std::string::npos && name.find("xdl", composable) != std::string::npos;
}

KernelCategory categoryByName(std::string_view kernel) {
    const std::string name = lowerCase(kernel);
    for (const CategoryMarks& entry : kMarks)
        if (holdsOneOf(name, entry.marks)) return entry.category;
    return KernelCategory::Other;
}

std::optional<KernelCategory> categoryByOp(std::string_view op) {
    const auto holds = [&](std::string_view text) { return op.find(text) != std::string_view::npos; };
    if (op.starts_with("nccl:") || op.starts_with("c10d::")) return KernelCategory::Communication;
    if (holds("scaled_dot_product") || holds("flash") || holds("efficient_attention"))
        return KernelCategory::Attention;
    if (holds("convolution")) return KernelCategory::Convolution;
    if ((op.starts_with("aten::") && op.ends_with("mm")) || op == "aten::linear") return KernelCategory::Gemm;
    if (holds("_foreach_") || holds("_fused_adam")) return KernelCategory::Optimizer;
    return std::nullopt;
}

}  // namespace plumb::trace
