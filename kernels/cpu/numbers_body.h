// SPDX-License-Identifier: Apache-2.0
// What all kernels use, compiled once per instruction set.
// A part of kernels_body.h, under its rules.

#pragma once

#include "kernels/common/inline.h"
#include "kernels/cpu/kernels.h"

#include <immintrin.h>

namespace plumb::cpu {
namespace {

using common::Index;
using common::smaller;

#define PLUMB_INLINE inline __attribute__((always_inline))
#define PLUMB_INLINE_LAMBDA __attribute__((always_inline))

}  // namespace
}  // namespace plumb::cpu
