// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/speed_probe.h"

#include "kernels/cpu/parallel.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <utility>

namespace plumb::cpu {

namespace {

constexpr std::int64_t kSide = 256;
constexpr Bytes kScratchBytes = Bytes{4} << 20;
constexpr std::int64_t kCopied = std::int64_t{4} << 20;  ///< floats
constexpr std::int64_t kTurns = 1 << 18;
constexpr std::size_t kChains = 6;  ///< more than a core can do at once
/// The middle one counts: what interrupts one of them is not the machine's speed.
constexpr std::size_t kRepeats = 3;

template <class Work>
Seconds middleOf(Work&& work) {
    using Clock = std::chrono::steady_clock;
    std::array<Seconds, kRepeats> seconds{};
    for (Seconds& one : seconds) {
        const auto begin = Clock::now();
        work();
        one = std::chrono::duration<double>(Clock::now() - begin).count();
    }
    std::sort(seconds.begin(), seconds.end());
    return std::max(seconds[kRepeats / 2], 1e-9);
}

}  // namespace

Result<std::unique_ptr<SpeedProbeWork>> SpeedProbeWork::create(const Kernels& kernels, int threads) {
    PLUMB_TRY(Product product,
              Product::create({ProductKind::Forward, kSide, kSide, kSide}, kScratchBytes, threads));
    return std::unique_ptr<SpeedProbeWork>(new SpeedProbeWork(std::move(product), kernels, threads));
}

SpeedProbeWork::SpeedProbeWork(Product product, const Kernels& kernels, int threads)
    : m_product(std::move(product)),
      m_kernels(kernels),
      m_threads(threads),
      m_a(kSide * kSide, 0.5F),
      m_b(kSide * kSide, 0.25F),
      m_c(kSide * kSide),
      m_from(kCopied, 1.0F),
      m_to(kCopied),
      m_scratch(static_cast<std::size_t>(m_product.scratchNeed()) + 64) {}

Result<SpeedProbe> SpeedProbeWork::run() {
    constexpr int kProducts = 8;  // so that handing over to the threads is a small part
    const auto address = reinterpret_cast<std::uintptr_t>(m_scratch.data());
    std::byte* const scratch = m_scratch.data() + (64 - address % 64) % 64;
    Result<void> done;
    const auto multiply = [&] {
        for (int i = 0; i < kProducts && done.has_value(); ++i)
            done = m_product.run(m_a.data(), m_b.data(), m_c.data(), scratch);
    };
    multiply();  // what waited in between comes back into the caches
    SpeedProbe probe;
    probe.productFlopPerSecond = kProducts * 2.0 * kSide * kSide * kSide / middleOf(multiply);
    if (!done.has_value()) return done.error();
    probe.copyBytesPerSecond =
        2.0 * sizeof(float) * kCopied / middleOf([&] {
            parallelRanges(m_threads, kCopied, 1024, kElementsPerThread,
                           [&](std::int64_t begin, std::int64_t end) {
                               m_kernels.copy(m_from.data() + begin, m_to.data() + begin, end - begin);
                           });
        });
    std::array<std::uint64_t, kChains> chains{};
    for (std::size_t i = 0; i < kChains; ++i) chains[i] = 88172645463325252U + i;
    probe.loopPerSecond = kTurns / middleOf([&] {
                              for (std::int64_t turn = 0; turn < kTurns; turn += kChains)
                                  for (std::uint64_t& x : chains) {
                                      x ^= x << 13U;
                                      x ^= x >> 7U;
                                      x ^= x << 17U;
                                      asm volatile("" : "+r"(x));  // every build runs the same instructions
                                  }
                          });
    return probe;
}

}  // namespace plumb::cpu
