// SPDX-License-Identifier: Apache-2.0
#include "core/base/format_alias.h"

#include <algorithm>
#include <array>

namespace plumb {

namespace {

struct Alias {
    std::string_view other;
    std::string_view name;
};
/// As torch, numpy, JAX and data sheets call them. fp8 alone is E4M3, the format of weights and activations;
/// fp6 alone has no usual meaning.
constexpr std::array kAliases{Alias{"float64", "fp64"},
                              Alias{"double", "fp64"},
                              Alias{"f64", "fp64"},
                              Alias{"float32", "fp32"},
                              Alias{"float", "fp32"},
                              Alias{"single", "fp32"},
                              Alias{"f32", "fp32"},
                              Alias{"tensorfloat32", "tf32"},
                              Alias{"bfloat16", "bf16"},
                              Alias{"float16", "fp16"},
                              Alias{"half", "fp16"},
                              Alias{"f16", "fp16"},
                              Alias{"fp8", "fp8_e4m3"},
                              Alias{"e4m3", "fp8_e4m3"},
                              Alias{"e4m3fn", "fp8_e4m3"},
                              Alias{"float8_e4m3fn", "fp8_e4m3"},
                              Alias{"e5m2", "fp8_e5m2"},
                              Alias{"float8_e5m2", "fp8_e5m2"},
                              Alias{"e2m3", "fp6_e2m3"},
                              Alias{"e3m2", "fp6_e3m2"},
                              Alias{"fp4", "fp4_e2m1"},
                              Alias{"e2m1", "fp4_e2m1"},
                              Alias{"float4_e2m1fn", "fp4_e2m1"}};

}  // namespace

std::string canonicalFormat(std::string_view name) {
    constexpr std::string_view kModule = "torch.";
    if (name.starts_with(kModule)) name.remove_prefix(kModule.size());
    std::string plain(name);
    std::ranges::transform(plain, plain.begin(), [](char c) {
        if (c == '-') return '_';
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    const auto found = std::ranges::find(kAliases, std::string_view(plain), &Alias::other);
    return found == kAliases.end() ? plain : std::string(found->name);
}

}  // namespace plumb
