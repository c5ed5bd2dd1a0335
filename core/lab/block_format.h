// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/number_format.h"

#include <span>
#include <string_view>
#include <vector>

namespace plumb::lab {

/// A format in which a block of numbers shares a scale: OCP microscaling (MX) with a power of two, NVFP4
/// with an E4M3 number under one fp32 scale per tensor.
struct BlockFormat {
    std::string_view name;     ///< "mxfp8_e4m3"
    std::string_view label;    ///< "MXFP8 E4M3"
    std::string_view element;  ///< name of the elements' NumberFormat
    int block = 32;            ///< elements that share a scale
    bool powerOfTwo = true;    ///< E8M0 scale; otherwise E4M3 and a tensor scale
    /// Bits of memory, the block's scale included, the tensor's not.
    [[nodiscard]] double bitsPerElement() const;
};

/// mxfp8_e4m3, mxfp8_e5m2, mxfp6_e2m3, mxfp6_e3m2, mxfp4, nvfp4.
[[nodiscard]] std::span<const BlockFormat> blockFormats();

struct StoredBlock {
    std::uint8_t scaleCode = 0;
    double scale = 0;                    ///< what the elements are multiplied by, the tensor scale included
    std::vector<StoredNumber> elements;  ///< before scaling
    std::vector<double> values;          ///< elements times scale
};

/// The scale of a tensor in NVFP4 from its largest magnitude: amax / (6 * 448); 1 for a tensor of zeros.
[[nodiscard]] double nvfp4TensorScale(double amax);

/// Stores one block of at most format.block finite numbers; `tensorScale` is used by NVFP4 only.
///
/// MX: scale 2^(floor(log2 amax) - largest exponent of the element), elements rounded and saturated, so the
/// top of a binade may clip. NVFP4: block scale E4M3(amax / (6 * tensor scale)). A block of zeros has the
/// least scale and elements 0. Sources: OCP microscaling formats 1.0; NVIDIA's description of NVFP4.
[[nodiscard]] StoredBlock storeBlock(const BlockFormat& format, std::span<const double> numbers,
                                     double tensorScale = 1);

}  // namespace plumb::lab
