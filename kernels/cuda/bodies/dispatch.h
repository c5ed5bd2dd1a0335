// SPDX-License-Identifier: Apache-2.0
// Which body runs for which storage: the same choice on a device and on a host that checks it. `Launcher`:
// launcher.h. All return what the launcher does, or kNoKernel for storages that do not go together.
#pragma once

#include "kernels/cuda/bodies/data_body.h"
#include "kernels/cuda/bodies/head_pass_body.h"
#include "kernels/cuda/bodies/launcher.h"
#include "kernels/cuda/bodies/loss_body.h"
#include "kernels/cuda/bodies/transpose_body.h"

namespace plumb::cuda {

/// cudaErrorInvalidValue
inline constexpr int kNoKernel = 1;

/// Calls work.template operator()<kStorage>() for what tensors are stored as (tf32 as fp32).
template <class Work>
int forStorage(Storage storage, Work&& work) {
    switch (storage) {
    case Storage::Fp32:
    case Storage::Tf32:
        return work.template operator()<Storage::Fp32>();
    case Storage::Bf16:
        return work.template operator()<Storage::Bf16>();
    case Storage::Fp16:
        return work.template operator()<Storage::Fp16>();
    case Storage::Fp8E4M3:
        return work.template operator()<Storage::Fp8E4M3>();
    case Storage::Fp8E5M2:
        return work.template operator()<Storage::Fp8E5M2>();
    }
    return kNoKernel;
}

/// Calls work.template operator()<kTallies>() for what a pass over numbers stored as kStorage looks at: all
/// of it where statistics are written, otherwise the least. A first scale is that of an amax.
template <Storage kStorage, class Work>
int forTallies(const Report& report, bool firstScale, Work&& work) {
    if (!firstScale && report.tally && (report.writesStatistics || !Format<kStorage>::kScaled))
        return work.template operator()<Tallies::All>();
    return work.template operator()<kLeastTallies<kStorage>>();
}

// ---- elements

/// What is encoded comes from a product: in the storage of the result, and in bf16 where that is fp8.
template <Storage kTarget>
inline constexpr Storage kEncodeSource = sizeof(TypeOf<kTarget>) == 1 ? Storage::Bf16 : kTarget;

template <class Launcher>
int dispatchEncode(const Launcher& launcher, const EncodeArguments& a, bool firstScale) {
    return forStorage(a.out.storage, [&]<Storage kTarget>() {
        constexpr Storage kSource = kEncodeSource<kTarget>;
        if ((a.in.storage == Storage::Tf32 ? Storage::Fp32 : a.in.storage) != kSource) return kNoKernel;
        if (a.epilogue == Epilogue::Mask && a.bits == nullptr && a.mask.storage != Format<kTarget>::kMask)
            return kNoKernel;
        if (a.writeBits != nullptr && !firstScale) {
            if (sizeof(TypeOf<kTarget>) == 1 || a.epilogue != Epilogue::Relu || a.bitStride % 128 != 0 ||
                a.bitStride < a.columns)
                return kNoKernel;
            if constexpr (sizeof(TypeOf<kTarget>) > 1)
                return forTallies<kTarget>(a.report, false, [&]<Tallies kTallies>() {
                    return launcher.template launch<ReluBitsBody<kTarget, kTallies>>({a, false});
                });
        }
        return forTallies<kTarget>(a.report, firstScale, [&]<Tallies kTallies>() {
            return launcher.template launch<EncodeBody<kSource, kTarget, kTallies>>({a, firstScale});
        });
    });
}

// ---- data

/// Weights, states and batches: only gradients are stored as E5M2.
template <class Launcher>
int dispatchFill(const Launcher& launcher, const FillArguments& a, bool firstScale) {
    return forStorage(a.out.storage, [&]<Storage kTarget>() {
        if constexpr (kTarget == Storage::Fp8E5M2)
            return kNoKernel;
        else
            return launcher.template launch<FillBody<kTarget>>({a, firstScale});
    });
}
template <template <Storage, Tallies> class Body, class Launcher, class Work>
int launchBatch(const Launcher& launcher, const Work& work, bool firstScale) {
    return forStorage(work.x.storage, [&]<Storage kTarget>() {
        if constexpr (kTarget == Storage::Fp8E5M2)
            return kNoKernel;
        else
            return forTallies<kTarget>(work.report, firstScale, [&]<Tallies kTallies>() {
                return launcher.template launch<Body<kTarget, kTallies>>({work, firstScale});
            });
    });
}
template <class Launcher>
int dispatchSynthesise(const Launcher& launcher, const SynthesiseArguments& a, bool firstScale) {
    return launchBatch<SynthesiseBody>(launcher, a, firstScale);
}
template <class Launcher>
int dispatchLoad(const Launcher& launcher, const LoadArguments& a, bool firstScale) {
    return launchBatch<LoadBody>(launcher, a, firstScale);
}

// ---- head and loss

/// Chooses by the storage of the weights, which is that of h; tf32 is read as such.
template <class Work>
int forHead(const HeadArguments& a, Work&& work) {
    const Storage storage = a.weight.storage != Storage::Fp32 ? a.weight.storage : a.h.storage;
    if (storage == Storage::Tf32) return work.template operator()<Storage::Tf32>();
    return forStorage(storage, [&]<Storage kStorage>() {
        if constexpr (kStorage == Storage::Fp8E5M2)
            return kNoKernel;
        else
            return work.template operator()<kStorage>();
    });
}
template <class Launcher>
int dispatchHeadForward(const Launcher& launcher, const HeadArguments& a) {
    return forHead(
        a, [&]<Storage kStorage>() { return launcher.template launch<HeadForwardBody<kStorage>>(a); });
}
template <class Launcher>
int dispatchHeadWeightGradient(const Launcher& launcher, const HeadArguments& a) {
    return forHead(
        a, [&]<Storage kStorage>() { return launcher.template launch<HeadWeightGradientBody<kStorage>>(a); });
}
template <class Launcher>
int dispatchHeadInputGradient(const Launcher& launcher, const HeadArguments& a, bool firstScale) {
    return forHead(a, [&]<Storage kStorage>() {
        return forTallies<resultOf(kStorage)>(a.report, firstScale, [&]<Tallies kTallies>() {
            return launcher.template launch<HeadInputGradientBody<kStorage, kTallies>>({a, firstScale});
        });
    });
}
template <class Launcher>
int dispatchHeadPass(const Launcher& launcher, const HeadPassArguments& a) {
    const Report& report = a.dyReport.tally ? a.dyReport : a.head.report;
    return forHead(a.head, [&]<Storage kStorage>() {
        return forTallies<resultOf(kStorage)>(report, false, [&]<Tallies kTallies>() {
            return launcher.template launch<HeadPassBody<kStorage, kTallies>>(a);
        });
    });
}
template <class Launcher>
int dispatchLoss(const Launcher& launcher, const LossArguments& a, bool firstScale) {
    return forStorage(a.dy.storage, [&]<Storage kTarget>() {
        if constexpr (kTarget == Storage::Fp8E4M3)
            return kNoKernel;
        else
            return forTallies<kTarget>(a.report, firstScale, [&]<Tallies kTallies>() {
                return a.isActivation
                           ? launcher.template launch<ChainLossBody<kTarget, kTallies>>({a, firstScale})
                           : launcher.template launch<LossBody<kTarget, kTallies>>({a, firstScale});
            });
    });
}

}  // namespace plumb::cuda
