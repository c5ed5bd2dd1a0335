// SPDX-License-Identifier: Apache-2.0
#include "core/data/batch_prefetcher.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <pthread.h>
#include <sched.h>
#include <system_error>

namespace plumb {

namespace {

/// Values gathered between two looks at the stop token: 4 MiB.
constexpr std::int64_t kValuesAtOnce = std::int64_t{1} << 20;

std::size_t slotOf(std::int64_t number) { return static_cast<std::size_t>(number % 2); }

}  // namespace

Result<std::unique_ptr<BatchPrefetcher>> BatchPrefetcher::create(const BatchSource& source, Shape shape,
                                                                 std::span<float> staging,
                                                                 std::int64_t first) {
    assert(static_cast<std::int64_t>(staging.size()) >= 2 * shape.floats());
    std::unique_ptr<BatchPrefetcher> prefetcher(new BatchPrefetcher(source, shape, staging, first));
    try {
        BatchPrefetcher* const self = prefetcher.get();
        self->m_thread = std::jthread([self](const std::stop_token& stop) { self->work(stop); });
    } catch (const std::system_error& problem) {
        return Error{ErrorCode::Unavailable, std::string("no thread can be started (") + problem.what() + ")",
                     "end other programs, or raise the limit of threads"};
    }
    return prefetcher;
}

BatchPrefetcher::BatchPrefetcher(const BatchSource& source, Shape shape, std::span<float> staging,
                                 std::int64_t first)
    : m_source(source), m_shape(shape), m_staging(staging), m_wanted(first) {}

BatchPrefetcher::~BatchPrefetcher() = default;

Result<int> BatchPrefetcher::take(std::int64_t number) {
    std::unique_lock lock(m_mutex);
    m_held = kNothing;
    m_wanted = number;
    // Waking a thread costs the one that wakes it 10 us: not for nothing.
    if (missing()) m_changed.notify_all();
    Half& half = m_halves[slotOf(number)];
    m_changed.wait(lock, [&] { return half.number == number; });
    if (half.failure) return *half.failure;
    m_held = number;
    return static_cast<int>(slotOf(number));
}

void BatchPrefetcher::release() {
    {
        const std::lock_guard lock(m_mutex);
        if (m_held == kNothing) return;
        m_wanted = m_held + 1;
        m_held = kNothing;
    }
    m_changed.notify_all();  // who wakes up finds the lock open
}

std::optional<std::int64_t> BatchPrefetcher::missing() const {
    for (const std::int64_t number : {m_wanted, m_wanted + 1})
        if (m_halves[slotOf(number)].number != number) return number;
    return std::nullopt;
}

void BatchPrefetcher::work(const std::stop_token& stop) {
#ifdef __linux__
    // When it is woken it does not take the core of the training thread that woke it, which would then wait
    // for the gathering that is to go on beside it. A wish: refused, it is only slower.
    const sched_param none{};
    ::pthread_setschedparam(::pthread_self(), SCHED_BATCH, &none);
#endif
    std::unique_lock lock(m_mutex);
    const auto isNeeded = [this] { return missing().has_value(); };
    while (m_changed.wait(lock, stop, isNeeded) && !stop.stop_requested()) {
        const std::int64_t number = *missing();
        Half& half = m_halves[slotOf(number)];
        half.number = kNothing;
        lock.unlock();
        const Result<void> gathered = gather(number, stop);
        lock.lock();
        half.number = number;
        half.failure = gathered.has_value() ? std::nullopt : std::optional(gathered.error());
        m_changed.notify_all();
    }
}

Result<void> BatchPrefetcher::gather(std::int64_t number, const std::stop_token& stop) const {
    const std::span<float> half =
        m_staging.subspan(slotOf(number) * static_cast<std::size_t>(m_shape.floats()));
    const auto features = half.first(static_cast<std::size_t>(m_shape.rows * m_shape.dim));
    const auto targets =
        half.subspan(features.size(), static_cast<std::size_t>(m_shape.rows * m_shape.outputs));
    const std::int64_t atOnce = std::max<std::int64_t>(kValuesAtOnce / (m_shape.dim + m_shape.outputs), 1);
    for (std::int64_t row = 0; row < m_shape.rows && !stop.stop_requested(); row += atOnce) {
        const std::int64_t count = std::min(atOnce, m_shape.rows - row);
        const auto part = [&](std::span<float> all, std::int64_t width) {
            return all.subspan(static_cast<std::size_t>(row * width),
                               static_cast<std::size_t>(count * width));
        };
        PLUMB_CHECK(m_source.copySamples(m_shape.share.inStream(number) * m_shape.rows + row,
                                         part(features, m_shape.dim), part(targets, m_shape.outputs)));
    }
    return {};
}

}  // namespace plumb
