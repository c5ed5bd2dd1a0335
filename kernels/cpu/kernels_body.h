// SPDX-License-Identifier: Apache-2.0
// The backend's own kernels: this text and the *_body.h that it includes are compiled once per instruction
// set (kernels_v2.cpp, _v3, _v4), each time with other flags. The linker keeps ONE copy of every inline
// function, whichever file it came from: an inline function compiled here with AVX-512 could end up in the
// baseline program. Hence nothing in these files has external linkage but the table, nothing from the
// standard library is called, and a test checks that the objects hold no weak symbol.
//
// The including file defines PLUMB_KERNEL_TABLE and PLUMB_KERNEL_NAME.

#include "kernels/cpu/encode_body.h"
#include "kernels/cpu/head_body.h"
#include "kernels/cpu/kernels.h"
#include "kernels/cpu/numbers_body.h"
#include "kernels/cpu/optimizer_rules_body.h"
#include "kernels/cpu/random_body.h"

namespace plumb::cpu {
namespace {

// ---- memory traffic

double sumOf(const float* in, Index count) {
    Float16 lanes[4] = {};
    Index i = 0;
    for (; i + 64 <= count; i += 64)
#pragma GCC unroll 4
        for (int j = 0; j < 4; ++j) lanes[j] += *reinterpret_cast<const Float16*>(in + i + 16 * j);
    double total = 0;
    for (int j = 0; j < 4; ++j) total += static_cast<double>(sumOfLanes(lanes[j]));
    for (; i < count; ++i) total += static_cast<double>(in[i]);
    return total;
}
// Not the C library's copy, which may pass by the caches: this is what a kernel gets.
__attribute__((optimize("no-tree-loop-distribute-patterns"))) void copy(const float* __restrict in,
                                                                        float* __restrict out, Index count) {
    for (Index i = 0; i < count; ++i) out[i] = in[i];
}
void scaleAdd(const float* __restrict in, float scale, float* __restrict inOut, Index count) {
    for (Index i = 0; i < count; ++i) inOut[i] = inOut[i] + scale * in[i];
}

}  // namespace

#define PLUMB_EPILOGUES(storage)                                                                             \
    {                                                                                                        \
        encode<storage, Epilogue::Plain>, encode<storage, Epilogue::Relu>, encode<storage, Epilogue::Mask>,  \
            encode<storage, Epilogue::Add>                                                                   \
    }

extern const Kernels PLUMB_KERNEL_TABLE;
const Kernels PLUMB_KERNEL_TABLE = {
    PLUMB_KERNEL_NAME,
    {decode<Storage::Fp32>, decode<Storage::Tf32>, decode<Storage::Bf16>, decode<Storage::Fp16>,
     decode<Storage::Fp8E4M3>, decode<Storage::Fp8E5M2>},
    {nullptr, nullptr, nullptr, nullptr, decodeToBf16<Storage::Fp8E4M3>, decodeToBf16<Storage::Fp8E5M2>},
    {PLUMB_EPILOGUES(Storage::Fp32), PLUMB_EPILOGUES(Storage::Fp32), PLUMB_EPILOGUES(Storage::Bf16),
     PLUMB_EPILOGUES(Storage::Fp16), PLUMB_EPILOGUES(Storage::Fp8E4M3), PLUMB_EPILOGUES(Storage::Fp8E5M2)},
    normals,
    weightedSums,
    {headForward<Storage::Fp32>, headForward<Storage::Tf32>, headForward<Storage::Bf16>,
     headForward<Storage::Fp16>, headForward<Storage::Fp8E4M3>, nullptr},
    {{headWeightGradient<Storage::Fp32, Storage::Fp32, Storage::Fp32>,
      headWeightGradient<Storage::Fp32, Storage::Fp32, Storage::Fp32>},
     {headWeightGradient<Storage::Tf32, Storage::Tf32, Storage::Fp32>,
      headWeightGradient<Storage::Tf32, Storage::Tf32, Storage::Fp32>},
     {headWeightGradient<Storage::Bf16, Storage::Bf16, Storage::Bf16>,
      headWeightGradient<Storage::Bf16, Storage::Bf16, Storage::Fp32>},
     {headWeightGradient<Storage::Fp16, Storage::Fp16, Storage::Fp16>,
      headWeightGradient<Storage::Fp16, Storage::Fp16, Storage::Fp32>},
     {headWeightGradient<Storage::Fp8E4M3, Storage::Fp8E5M2, Storage::Bf16>,
      headWeightGradient<Storage::Fp8E4M3, Storage::Fp8E5M2, Storage::Fp32>},
     {nullptr, nullptr}},
    {headInputGradient<Storage::Fp32, Storage::Fp32>, headInputGradient<Storage::Tf32, Storage::Tf32>,
     headInputGradient<Storage::Bf16, Storage::Bf16>, headInputGradient<Storage::Fp16, Storage::Fp16>,
     headInputGradient<Storage::Fp8E4M3, Storage::Fp8E5M2>, nullptr},
    {lossGradient<Storage::Fp32>, lossGradient<Storage::Fp32>, lossGradient<Storage::Bf16>,
     lossGradient<Storage::Fp16>, lossGradient<Storage::Fp8E4M3>, lossGradient<Storage::Fp8E5M2>},
    kOptimizerKernels,
    sumOf,
    copy,
    scaleAdd,
};

}  // namespace plumb::cpu
