// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/speed_probe.h"

#include "kernels/cuda/device.h"
#include "kernels/cuda/event_span.h"
#include "kernels/cuda/matmul.h"
#include "kernels/cuda/traffic.h"

#include <algorithm>

namespace plumb::cuda {

namespace {

constexpr Bytes kScratchBytes = Bytes{4} << 20;
constexpr int kProducts = 4;
constexpr int kLaunches = 256;
/// The middle one counts: what interrupts one of them is not the machine's speed.
constexpr int kRepeats = 3;

/// 132 multiprocessors: products of 2048 x 2048 x 2048.
std::int64_t sideOf(std::int64_t multiprocessors) {
    return std::clamp<std::int64_t>(multiprocessors * 16 / 64 * 64, 64, 2048);
}
/// Floats that are copied. 132 multiprocessors: 69 MB read, and as much written.
std::int64_t copiedOf(std::int64_t multiprocessors) {
    return std::max<std::int64_t>(multiprocessors, 1) * (std::int64_t{128} << 10);
}

/// The median of what `enqueue` puts into the stream; above 0, since rates are made of it.
template <class Enqueue>
Result<Seconds> secondsOf(cudaStream_t stream, const Enqueue& enqueue) {
    PLUMB_TRY(const Seconds seconds, medianSeconds(stream, kRepeats, enqueue));
    return std::max(seconds, 1e-9);
}

}  // namespace

Result<std::optional<SpeedProbe>> probeGpu(cublasLtHandle_t library, std::int64_t multiprocessors,
                                           cudaStream_t stream) {
    PLUMB_CUDA(cudaStreamSynchronize(stream));
    const std::int64_t side = sideOf(multiprocessors);
    const std::int64_t copied = copiedOf(multiprocessors);
    // The product's three matrices lie in the arrays of the copy.
    const Bytes matrix = side * side * 4;
    const Bytes array = std::max(copied * 4, 2 * matrix);
    const auto in = allocateDevice(array), out = allocateDevice(array), room = allocateDevice(kScratchBytes);
    for (const auto* const block : {&in, &out, &room}) {
        if (block->has_value()) continue;
        if (block->error().code == ErrorCode::OutOfMemory) return std::optional<SpeedProbe>();
        return block->error();
    }
    // Numbers, and not whatever was there: of 0x3c, 0.0115.
    PLUMB_CUDA(cudaMemsetAsync((*in).get(), 0x3c, static_cast<std::size_t>(array), stream));
    const MatmulScratch scratch{(*room).get(), kScratchBytes};
    MatmulShape shape;
    shape.kind = MatmulKind::Forward;
    shape.rows = shape.in = shape.out = side;
    shape.first = shape.second = Dtype::Tf32;
    PLUMB_TRY(const MatmulOffer offer, Matmul::create(library, shape, scratch));
    const std::optional<Matmul>& product = offer.product;
    if (!product) return std::optional<SpeedProbe>();
    MatmulOperands operands;
    operands.first = (*in).get();
    operands.second = static_cast<const std::byte*>((*in).get()) + matrix;
    operands.result = (*out).get();

    SpeedProbe probe;
    PLUMB_TRY(const Seconds products, secondsOf(stream, [&]() -> Result<void> {
                  for (int i = 0; i < kProducts; ++i) PLUMB_CHECK(product->run(operands, scratch, stream));
                  return {};
              }));
    probe.productFlopPerSecond = kProducts * shape.flops() / products;
    const auto copy = [&](std::int64_t floats) {
        return checkLaunch(launchTraffic(Traffic::Copy, static_cast<const float*>((*in).get()),
                                         static_cast<float*>((*out).get()), floats, stream),
                           "launchTraffic");
    };
    PLUMB_TRY(const Seconds once, secondsOf(stream, [&] { return copy(copied); }));
    probe.copyBytesPerSecond = 2.0 * sizeof(float) * static_cast<double>(copied) / once;
    PLUMB_TRY(const Seconds launches, secondsOf(stream, [&]() -> Result<void> {
                  for (int i = 0; i < kLaunches; ++i) PLUMB_CHECK(copy(4));
                  return {};
              }));
    probe.loopPerSecond = kLaunches / launches;
    return std::optional(probe);
}

}  // namespace plumb::cuda
