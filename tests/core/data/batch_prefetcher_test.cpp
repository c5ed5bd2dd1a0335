// SPDX-License-Identifier: Apache-2.0
#include "core/data/batch_prefetcher.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <semaphore>
#include <vector>

namespace plumb {
namespace {

constexpr std::int64_t kDim = 3, kOutputs = 2;

/// Sample p is p, p + 1/8, ... with the targets -p; `before` is called for each gather.
class CountingSource final : public BatchSource {
public:
    std::int64_t samples() const override { return 1000; }
    Result<void> copySamples(std::int64_t first, std::span<float> x, std::span<float> t) const override {
        if (before) before(first);
        if (failsAt >= first && failsAt < first + static_cast<std::int64_t>(t.size()) / kOutputs)
            return Error{ErrorCode::BadInput, "sample " + std::to_string(failsAt) + " is bad", "mend it"};
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] = static_cast<float>(first + static_cast<std::int64_t>(i) / kDim) +
                   static_cast<float>(i % kDim) / 8;
        for (std::size_t k = 0; k < t.size(); ++k)
            t[k] = static_cast<float>(-(first + static_cast<std::int64_t>(k) / kOutputs));
        return {};
    }
    std::string describe(std::int64_t position) const override { return std::to_string(position); }
    std::string summary() const override { return "numbers"; }

    std::function<void(std::int64_t)> before;
    std::int64_t failsAt = -1;
};

struct Prefetched {
    Prefetched(const BatchSource& source, std::int64_t rows, std::int64_t first = 0)
        : shape{rows, kDim, kOutputs}, staging(static_cast<std::size_t>(2 * shape.floats())) {
        auto made = BatchPrefetcher::create(source, shape, staging, first);
        EXPECT_TRUE(made.has_value());
        prefetcher = std::move(*made);
    }
    /// The half's numbers: features, then targets.
    std::vector<float> half(int which) const {
        const auto begin = staging.begin() + which * shape.floats();
        return {begin, begin + shape.floats()};
    }
    std::vector<float> taken(std::int64_t number) {
        auto which = prefetcher->take(number);
        EXPECT_TRUE(which.has_value());
        EXPECT_EQ(*which, number % 2);
        return half(*which);
    }

    BatchPrefetcher::Shape shape;
    std::vector<float> staging;
    std::unique_ptr<BatchPrefetcher> prefetcher;
};

std::vector<float> expected(std::int64_t number, std::int64_t rows) {
    std::vector<float> x(static_cast<std::size_t>(rows * kDim)), t(static_cast<std::size_t>(rows * kOutputs));
    EXPECT_TRUE(CountingSource().copySamples(number * rows, x, t).has_value());
    x.insert(x.end(), t.begin(), t.end());
    return x;
}

TEST(BatchPrefetcher, HandsOutWhatTheSourceHoldsInOrder) {
    const CountingSource source;
    for (const std::int64_t rows : {1, 4, 7}) {
        Prefetched run(source, rows);
        for (std::int64_t number = 0; number < 200; ++number) {
            ASSERT_EQ(run.taken(number), expected(number, rows)) << number;
            run.prefetcher->release();
        }
    }
}

TEST(BatchPrefetcher, ServesAnyMicroBatchSoThatARunCanGoOnFromAnywhere) {
    const CountingSource source;
    Prefetched run(source, 4, 100);
    for (const std::int64_t number : {100, 101, 7, 8, 8, 6, 6, 7, 0, 1000, 1001, 3, 5, 4}) {
        ASSERT_EQ(run.taken(number), expected(number, 4)) << number;
        if (number % 3 != 0) run.prefetcher->release();  // or left to the next take()
    }
}

TEST(BatchPrefetcher, GathersTheNextOneWhileOneIsUsedAndNoMore) {
    CountingSource source;
    std::atomic<int> gathers = 0;
    std::binary_semaphore secondMayGo(0), secondGathers(0);
    source.before = [&](std::int64_t first) {
        ++gathers;
        if (first != 4) return;
        secondGathers.release();
        secondMayGo.acquire();
    };
    {
        Prefetched run(source, 4);
        const std::vector<float> first = run.taken(0);
        secondGathers.acquire();  // would wait for ever if the gathering waited for release()
        EXPECT_EQ(first, expected(0, 4));
        secondMayGo.release();
        // The third goes where the first still lies.
        EXPECT_EQ(run.half(0), expected(0, 4));
    }
    EXPECT_LE(gathers, 2);
}

TEST(BatchPrefetcher, FillsTheReleasedHalfWithoutBeingAsked) {
    CountingSource source;
    std::binary_semaphore thirdGathers(0);
    source.before = [&](std::int64_t first) {
        if (first == 8) thirdGathers.release();
    };
    Prefetched run(source, 4);
    EXPECT_EQ(run.taken(0), expected(0, 4));
    run.prefetcher->release();
    thirdGathers.acquire();  // micro-batch 2, though 1 was not taken yet
    EXPECT_EQ(run.taken(1), expected(1, 4));
}

TEST(BatchPrefetcher, ReportsAnErrorWithTheMicroBatchThatHasItAndServesTheOthers) {
    CountingSource source;
    source.failsAt = 9;  // in micro-batch 2
    Prefetched run(source, 4);
    for (int round = 0; round < 2; ++round) {
        EXPECT_EQ(run.taken(1), expected(1, 4));
        for (int again = 0; again < 2; ++again) {
            const auto bad = run.prefetcher->take(2);
            ASSERT_FALSE(bad.has_value());
            EXPECT_EQ(bad.error().message, "sample 9 is bad");
        }
        EXPECT_EQ(run.taken(3), expected(3, 4));
        run.prefetcher->release();
        EXPECT_EQ(run.taken(4), expected(4, 4));
    }
}

TEST(BatchPrefetcher, EndsAtAnyMoment) {
    const CountingSource source;
    for (int taken = 0; taken < 100; ++taken) {
        Prefetched run(source, 2);
        for (std::int64_t number = 0; number < taken % 4; ++number) {
            EXPECT_EQ(run.taken(number), expected(number, 2));
            if (taken % 3 == 0) run.prefetcher->release();
        }
    }
}

}  // namespace
}  // namespace plumb
