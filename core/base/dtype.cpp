// SPDX-License-Identifier: Apache-2.0
#include "core/base/dtype.h"

namespace plumb {

std::string_view dtypeName(Dtype dtype) {
    switch (dtype) {
    case Dtype::Fp64:
        return "fp64";
    case Dtype::Fp32:
        return "fp32";
    case Dtype::Tf32:
        return "tf32";
    case Dtype::Bf16:
        return "bf16";
    case Dtype::Fp16:
        return "fp16";
    case Dtype::Fp8E4M3:
        return "fp8_e4m3";
    case Dtype::Fp8E5M2:
        return "fp8_e5m2";
    case Dtype::Fp4E2M1:
        return "fp4_e2m1";
    }
    return {};
}

std::optional<Dtype> dtypeFromName(std::string_view name) {
    for (const Dtype dtype : kAllDtypes) {
        if (dtypeName(dtype) == name) return dtype;
    }
    return std::nullopt;
}

}  // namespace plumb
