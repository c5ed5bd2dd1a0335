// SPDX-License-Identifier: Apache-2.0
#include "core/planner/validation.h"

#include "core/planner/inputs.h"
#include "core/planner/priors.h"
#include "core/planner/product_time.h"
#include "core/planner/work.h"
#include "tests/core/planner/scenarios.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace plumb::planner {
namespace {

using ::testing::HasSubstr;

const Evidence& evidence() {
    static const Evidence& all = *Evidence::builtIn();
    return all;
}

const std::vector<ValidatedRow>& validated() {
    static const std::vector<ValidatedRow> rows = validateAgainst(evidence());
    return rows;
}

bool isFit(const ValidatedRow& row) { return evidence().sources[row.row->source].fits; }

const ValidatedRow& rowOf(std::string_view id) {
    for (const ValidatedRow& row : validated())
        if (row.row->id == id) return row;
    ADD_FAILURE() << id;
    return validated().front();
}

TEST(Evidence, IsReadWithEveryRow) {
    ASSERT_TRUE(Evidence::builtIn().has_value()) << Evidence::builtIn().error().text();
    EXPECT_GE(evidence().rows.size(), 600U);
    EXPECT_GE(evidence().sources.size(), 15U);
    std::set<std::string> ids;
    for (const PublishedTraining& row : evidence().rows) {
        EXPECT_TRUE(ids.insert(row.id).second) << row.id;
        EXPECT_TRUE(row.step.has_value() || !row.problem.empty()) << row.id;
    }
    // Nothing is ever fitted on these three.
    for (const char* id : {"mosaicml-tables", "torchtitan", "megatron-2021"}) {
        const auto found = std::ranges::find(evidence().sources, id, &EvidenceSource::id);
        ASSERT_NE(found, evidence().sources.end()) << id;
        EXPECT_FALSE(found->fits) << id;
    }
}

/// The step time of a row that prints a rate of FLOPs is worked out here from the source's own numbers.
TEST(Evidence, TurnsPrintedRatesIntoStepTimes) {
    // 1007 tokens per second of each of 512 devices; a batch of 4096 sequences of 2048.
    const ValidatedRow& mosaic = rowOf("mosaicml-tables/70b-2048-512xh100-80gb");
    EXPECT_NEAR(mosaic.row->step->seconds, 4096.0 * 2048 / 515636, 1e-9);
    EXPECT_EQ(mosaic.row->step->from, "tokens per second");
    // 156 TFLOP/s of each of 64 devices by all pairs, without recomputation.
    const ValidatedRow& maxtext = rowOf("maxtext/v4-22b-1x");
    const Transformer& m = *maxtext.row->scenario.model.transformer();
    const double weights = 48.0 * (4 * 6144.0 * 6144 + 3 * 6144.0 * 24576) + 32000.0 * 6144;
    const double attention = 48.0 * 2 * 2 * 6144 * 2048;
    EXPECT_EQ(m.headWidth, 256);
    const double flops = 832.0 * 2048 * 3 * (2 * weights + attention);
    EXPECT_NEAR(maxtext.row->step->seconds, flops / (156e12 * 64), 1e-9 * maxtext.row->step->seconds);
}

TEST(Evidence, RefusesWhatItCannotRead) {
    const auto parse = [](const std::string& row) {
        return Evidence::parse(R"({"sources": [{"id": "a", "title": "t", "organisation": "o",
            "address": "https://a", "revision": "1", "use": "fit", "note": "n"}], "rows": [)" +
                               row + "]}");
    };
    const std::string good = R"({"id": "a/1", "source": "a", "read": "r", "model": {"preset": "llama-3-8b"},
        "device": "h100-sxm5-80gb", "devices": 8, "devices_per_node": 8, "precision": "bf16", "sequence": 8192,
        "batch": 8, "micro_batch": 1, "attention": "flash", "framework": "f", "software": "fused",
        "year": 2024,
        "layout": {"tensor": 1, "pipeline": 1, "context": 1, "data": 8, "zero": 3},
        "recompute": {"policy": "none"}, "measured": {"step_seconds": 2}})";
    const auto read = parse(good);
    ASSERT_TRUE(read.has_value()) << read.error().text();
    EXPECT_EQ(read->rows[0].step->seconds, 2);
    EXPECT_EQ(read->rows[0].scenario.parallel.sharding, Sharding::Weights);
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        text.replace(text.find(from), from.size(), to);
        const auto refused = parse(text);
        return refused.has_value() ? std::string() : refused.error().text();
    };
    EXPECT_THAT(with("\"source\": \"a\"", "\"source\": \"b\""), HasSubstr("is no source (b)"));
    EXPECT_THAT(with("h100-sxm5-80gb", "h999"), HasSubstr("is no device (h999)"));
    EXPECT_THAT(with("llama-3-8b", "llama-9"), HasSubstr("llama-9"));
    EXPECT_THAT(with("\"fused\"", "\"slow\""), HasSubstr("is no software (slow)"));
    EXPECT_THAT(with("\"policy\": \"none\"", "\"policy\": \"some\""), HasSubstr("is no policy (some)"));
    EXPECT_THAT(with("\"devices\": 8", "\"devices\": 0"), HasSubstr("devices"));
}

/// Goals of a planner that can be bet on, on sources that nothing was fitted on (docs/evidence.md).
TEST(Validation, OfTimesHoldsItsGoalsOnWhatNothingWasFittedOn) {
    const ErrorSummary found =
        summarise(validated(), Figure::Time, [](const auto& row) { return !isFit(row); });
    EXPECT_GE(found.rows, 300);
    EXPECT_LE(found.median, 0.12);
    EXPECT_LE(found.ninetieth, 0.35);
    EXPECT_LE(std::abs(found.bias), 0.05);
    EXPECT_GE(found.held, 0.8);
    EXPECT_LE(found.held, 0.9);
}

TEST(Validation, SaysWhyARowHasNoPrediction) {
    std::int64_t without = 0;
    for (const ValidatedRow& row : validated()) {
        EXPECT_EQ(row.seconds.has_value(), row.problem.empty()) << row.row->id;
        without += row.problem.empty() ? 0 : 1;
    }
    EXPECT_LE(without, 20);
}

TEST(Validation, CountsErrorsAsItSays) {
    std::vector<PublishedTraining> published(4);
    std::vector<ValidatedRow> rows(4);
    for (std::size_t i = 0; i < 4; ++i) {
        published[i].step = PublishedSeconds{1, "step time"};
        rows[i].row = &published[i];
    }
    rows[0].seconds = Range{0.9, 1, 1.1};    // right
    rows[1].seconds = Range{1.1, 1.2, 1.3};  // 20 % too slow, beyond the range
    rows[2].seconds = Range{0.5, 0.8, 1.2};  // 20 % too fast, within
    const ErrorSummary found = summarise(rows, Figure::Time, [](const auto&) { return true; });
    EXPECT_EQ(found.rows, 3);
    EXPECT_NEAR(found.median, 0.2, 1e-12);
    EXPECT_NEAR(found.bias, (std::log(1.2) + std::log(0.8)) / 3, 1e-12);
    EXPECT_NEAR(found.held, 2.0 / 3, 1e-12);
    EXPECT_EQ(summarise(rows, Figure::Memory, [](const auto&) { return true; }).rows, 0);
}

TEST(Validation, SaysOfARowWhatItSaysOfAll) {
    PublishedTraining published;
    published.step = PublishedSeconds{2, "step time"};
    published.memoryBytes = 100;
    ValidatedRow row{.row = &published};
    EXPECT_FALSE(row.error(Figure::Time).has_value()) << "nothing is predicted yet";
    EXPECT_FALSE(row.held(Figure::Time).has_value());
    row.seconds = Range{2.1, 3, 4};
    row.memory = Range{80, 90, 100};
    EXPECT_NEAR(*row.deviation(Figure::Time), 0.5, 1e-12);
    EXPECT_NEAR(*row.error(Figure::Time), std::log(1.5), 1e-12);
    EXPECT_FALSE(*row.held(Figure::Time));
    EXPECT_NEAR(*row.deviation(Figure::Memory), -0.1, 1e-12);
    EXPECT_TRUE(*row.held(Figure::Memory)) << "its ends are in the range";
    EXPECT_EQ(row.published(Figure::Memory), 100);
}

TEST(Validation, StopsWhereItIsToldToAndSaysHowFarItIs) {
    std::stop_source stop;
    std::vector<double> shares;
    const std::vector<ValidatedRow> rows =
        validateAgainst(evidence(), {}, {}, stop.get_token(), [&](double at) {
            shares.push_back(at);
            if (shares.size() == 5) stop.request_stop();
        });
    ASSERT_EQ(rows.size(), 5U) << "what is done is kept";
    const auto all = static_cast<double>(evidence().rows.size());
    for (std::size_t i = 0; i < shares.size(); ++i) EXPECT_DOUBLE_EQ(shares[i], static_cast<double>(i) / all);
    for (std::size_t i = 0; i < rows.size(); ++i) EXPECT_EQ(rows[i].timeError(), validated()[i].timeError());
    EXPECT_TRUE(validateAgainst(evidence(), {}, {}, stop.get_token()).empty());
}

TEST(Validation, PutsEachRowInOnePartOfEachDivision) {
    for (const Division& division : divisions()) {
        std::set<std::string> parts;
        for (const PublishedTraining& row : evidence().rows) parts.insert(division.of(evidence(), row));
        EXPECT_GE(parts.size(), 4U) << division.name;
        EXPECT_FALSE(parts.contains("")) << division.name;
        std::int64_t sum = 0;
        for (const std::string& part : parts)
            sum += summarise(validated(), Figure::Time, [&](const ValidatedRow& row) {
                       return division.of(evidence(), *row.row) == part;
                   }).rows;
        EXPECT_EQ(sum, summarise(validated(), Figure::Time, [](const auto&) { return true; }).rows);
    }
    // 671 B parameters, 256 experts, 8 of them active; 2048 H800.
    const ValidatedRow& deepseek = rowOf("deepseek-v3/pretraining");
    EXPECT_EQ(divisions()[2].of(evidence(), *deepseek.row), "mixture of experts");
    EXPECT_EQ(familyOf(*deepseek.row), "Hopper");
    EXPECT_EQ(familyOf(*rowOf("maxtext/v4-22b-1x").row), "TPU");
    // Of every row, what its device is called.
    for (const PublishedTraining& row : evidence().rows) {
        const std::string& device = row.scenario.cluster.device->name;
        for (const std::string_view family : {"TPU", "Trainium", "Instinct"})
            EXPECT_EQ(familyOf(row) == family, device.find(family) != std::string::npos) << device;
        EXPECT_NE(familyOf(row), "other devices") << device;
    }
}

TEST(Evidence, KeepsWhatARowWasGivenAndWhy) {
    const ValidatedRow& megascale = rowOf("megascale/175b-256-megatron-lm");
    EXPECT_THAT(megascale.row->assumed, ::testing::Contains("device: the paper says Ampere GPUs"));
    EXPECT_THAT(megascale.row->taken, ::testing::Contains("a micro-batch of 1"));
}

TEST(ProductTime, LosesWhatTilesAndWavesThrowAway) {
    const ProductTiles h100{132, 0};
    // 132 tiles of 128 x 256 in one wave: everything works.
    EXPECT_DOUBLE_EQ(shareOfBestProduct({132 * 128, 4096, 256}, h100), 1);
    // One tile more needs a second wave of large tiles; smaller ones lose less.
    const double two = shareOfBestProduct({133 * 128, 4096, 256}, h100);
    EXPECT_LT(two, 1);
    EXPECT_GT(two, 0.5);
    // A thin product uses a few multiprocessors only.
    EXPECT_LT(shareOfBestProduct({64, 4096, 64}, h100), 0.01);
    // Short sums do not pay for filling and draining.
    const ProductTiles ramp{132, 128};
    EXPECT_DOUBLE_EQ(shareOfBestProduct({132 * 128, 128, 256}, ramp), 0.5);
    EXPECT_EQ(shareOfBestProduct({64, 64, 64}, std::nullopt), 1);
    for (double m = 1; m < 1e5; m *= 1.7)
        for (double n = 1; n < 1e5; n *= 1.9) {
            const double share = shareOfBestProduct({m, 512, n}, ramp);
            EXPECT_GT(share, 0) << m << " " << n;
            EXPECT_LE(share, 1) << m << " " << n;
        }
}

TEST(Priors, FollowTheDeviceAndTheSoftware) {
    Scenario s = rowOf("mosaicml-tables/70b-2048-512xh100-80gb").row->scenario;
    EXPECT_EQ(s.software, Software::Eager);
    EXPECT_EQ(generationOf(*s.cluster.device), Generation::Hopper);
    const double eager = *numberOf(s, Input::PassFactor);
    s.software = Software::Fused;
    EXPECT_LT(*numberOf(s, Input::PassFactor), eager);
    EXPECT_THAT(valueOf(s, Input::PassFactor)->source, HasSubstr("published trainings"));
    ASSERT_TRUE(setInput(s, Input::PassFactor, 3.0).has_value());
    EXPECT_EQ(*numberOf(s, Input::PassFactor), 3);
    EXPECT_TRUE(valueOf(s, Input::PassFactor)->given);
    for (const ValidatedRow& row : validated()) {
        if (row.row->scenario.cluster.device) continue;
        ADD_FAILURE() << row.row->id;
    }
}

/// Executed FLOPs of a prediction never exceed what the device can do.
TEST(Validation, NeverPredictsMoreThanThePeak) {
    for (const ValidatedRow& row : validated())
        if (row.step) {
            EXPECT_LT(row.step->hfu, 1) << row.row->id;
            EXPECT_GT(row.step->hfu, 0) << row.row->id;
        }
}

double expectedOf(const Scenario& s, Input input) { return *numberOf(s, input); }

/// Before Hopper FlashAttention-2 is the newest; since then there is one that uses what Hopper brought.
TEST(Priors, FollowTheGenerationOfAttention) {
    const auto efficiency = [](const char* device, Software software, AttentionKernel kernel) {
        Scenario s = scenarioOf("llama-3-8b", 8);
        s.cluster.device = HardwareDatabase::builtIn().find(device).value();
        s.software = software;
        s.recipe.attentionKernel = kernel;
        return expectedOf(s, Input::AttentionEfficiency);
    };
    using enum AttentionKernel;
    for (const Software software : kEnumerators<Software>) {
        EXPECT_EQ(efficiency("A100 SXM4 80", software, Usual), efficiency("A100 SXM4 80", software, Flash2));
        EXPECT_EQ(efficiency("A100 SXM4 80", software, Flash3), efficiency("A100 SXM4 80", software, Flash2));
        for (const char* device : {"H100 SXM", "B200"}) {
            EXPECT_LT(efficiency(device, software, Flash2), 0.7 * efficiency(device, software, Flash3));
            const bool isOld = software == Software::Eager || software == Software::Compiled;
            EXPECT_EQ(efficiency(device, software, Usual),
                      efficiency(device, software, isOld ? Flash2 : Flash3));
        }
        // arXiv 2307.08691 has the second 1.7 to 3 times as fast as the first, and 1.3 to 2.5 times as fast
        // as the first in Triton.
        for (const char* device : {"A100 SXM4 80", "H100 SXM"}) {
            const double second = efficiency(device, software, Flash2);
            const double first = second / efficiency(device, software, Flash1);
            EXPECT_GT(first, 1.7);
            EXPECT_LT(first, 3);
            const double triton = second / efficiency(device, software, Flash1Triton);
            EXPECT_GT(triton, 1.3);
            EXPECT_LT(triton, first);
        }
    }
}

/// 500 W leave an H100 (500/700)^0.6 of the speed of its units, and memory as it is.
TEST(Priors, FollowThePowerOfADevice) {
    Scenario capped = rowOf("torchtitan/8b-8-compile").row->scenario;
    ASSERT_EQ(capped.cluster.device->id, "h100-hbm2e-96gb");
    Scenario usual = capped;
    usual.given[Input::DevicePower] = Range{700, 700, 700};
    for (const Input share : {Input::MatmulEfficiency, Input::AttentionEfficiency})
        EXPECT_NEAR(expectedOf(capped, share) / expectedOf(usual, share), std::pow(5.0 / 7, 0.6), 1e-9);
    EXPECT_EQ(expectedOf(capped, Input::MemoryEfficiency), expectedOf(usual, Input::MemoryEfficiency));
    EXPECT_THAT(valueOf(capped, Input::MatmulEfficiency)->source, HasSubstr("82 % of that"));
    // More power than a device is labelled with makes nothing faster.
    Scenario more = usual;
    more.given[Input::DevicePower] = Range{1400, 1400, 1400};
    EXPECT_EQ(expectedOf(more, Input::MatmulEfficiency), expectedOf(usual, Input::MatmulEfficiency));
}

TEST(Priors, GiveHeadsHalfOfAWideMatrixUnit) {
    const Scenario wide = rowOf("tpu-recipes/trillium-llama2-70b").row->scenario;
    const Scenario narrow = rowOf("maxtext/v5p-32b-1x128").row->scenario;
    EXPECT_DOUBLE_EQ(2 * expectedOf(wide, Input::AttentionEfficiency),
                     expectedOf(narrow, Input::AttentionEfficiency));
}

TEST(RecomputeShare, IsPartOfTheWayFromNoneToAll) {
    Scenario s = rowOf("maxtext/v4-22b-1x").row->scenario;
    const auto timeOf = [&](Recompute policy, double share) {
        s.recipe.recompute = policy;
        s.recipe.recomputeShare = share;
        return stepTime(s)->recomputed;
    };
    const double all = timeOf(Recompute::Full, 1);
    EXPECT_EQ(timeOf(Recompute::None, 1), 0);
    EXPECT_NEAR(timeOf(Recompute::Full, 0.5), all / 2, 1e-9 * all);
    const double perOp = timeOf(Recompute::PerOp, 1);
    EXPECT_GT(perOp, 0);
    EXPECT_LT(perOp, all / 2) << "no product runs again";
    const auto bytesOf = [&](Recompute policy, double share) {
        s.recipe.recompute = policy;
        s.recipe.recomputeShare = share;
        return *evaluateUnchecked(Output::MemoryPerDevice, s);
    };
    EXPECT_LT(bytesOf(Recompute::PerOp, 1), bytesOf(Recompute::None, 1));
    EXPECT_LT(bytesOf(Recompute::Full, 1), bytesOf(Recompute::Full, 0.5));
    EXPECT_LT(bytesOf(Recompute::Full, 0.5), bytesOf(Recompute::None, 1));
}

}  // namespace
}  // namespace plumb::planner
