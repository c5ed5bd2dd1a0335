// SPDX-License-Identifier: Apache-2.0
#include "core/planner/serving.h"

#include "core/planner/links.h"
#include "core/planner/work.h"
#include "tests/core/planner/random_scenarios.h"
#include "tests/core/planner/scenarios.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plumb::planner {
namespace {

double valueOfServer(Output output, const Scenario& s) {
    const auto result = evaluate(output, s);
    EXPECT_TRUE(result.has_value()) << info(output).key << ": " << result.error().text();
    return result.has_value() ? *result : std::nan("");
}

void give(Scenario& s, Input input, double number) {
    const auto done = setInput(s, input, number);
    ASSERT_TRUE(done.has_value()) << done.error().text();
}

Scenario served(std::string_view model, double context, double requests = 1) {
    Scenario s = scenarioOf(model, 1);
    give(s, Input::ContextLength, context);
    give(s, Input::Requests, requests);
    return s;
}

TEST(Cache, OfATokenIsWhatIsPublished) {
    // 2 · L · a_kv · q · 2 B by hand; 516.096, 327.680 and 70.272 kB are table 1 of arXiv 2505.09343.
    for (const auto& [model, bytes] :
         {std::pair{"llama-3-70b", 320.0 * 1024}, std::pair{"llama-2-7b", 512.0 * 1024},
          std::pair{"llama-3.1-405b", 516'096.0}, std::pair{"qwen2.5-72b", 327'680.0},
          std::pair{"deepseek-v3", 70'272.0}, std::pair{"llama-3-8b", 128.0 * 1024}})
        EXPECT_EQ(valueOfServer(Output::CacheBytesPerToken, served(model, 1024)), bytes) << model;
}

TEST(Cache, OfLatentAttentionIsThatOfTwoAndAQuarterGroups) {
    // arXiv 2405.04434: as much as grouped queries with 2.25 groups; and 93.3 % less than DeepSeek 67B, whose
    // 95 layers have 8 key heads of 128, since it is quantised to 6 bits.
    Transformer second = *findModel("deepseek-v3")->transformer();
    second.layers = 60;
    EXPECT_EQ(cachedNumbers(second) / (2 * 128), 2.25);
    Transformer first = *findModel("llama-3-70b")->transformer();
    first.layers = 95;
    const double share = cachedNumbers(second) * 60 * 6 / (cachedNumbers(first) * 95 * 16);
    EXPECT_NEAR(1 - share, 0.933, 5e-4);
}

TEST(Cache, KeepsNoMoreThanAWindow) {
    // 42 layers, every second of which looks back on 4096 tokens; 8 key heads of 256.
    const double token = 2.0 * 8 * 256 * 2;
    EXPECT_EQ(valueOfServer(Output::CacheBytesPerRequest, served("gemma-2-9b", 8192)),
              token * 21 * (8192 + 4096));
    EXPECT_EQ(valueOfServer(Output::CacheBytesPerRequest, served("gemma-2-9b", 4096)), token * 42 * 4096);
    for (const ModelPreset& preset : modelPresets()) {
        Scenario s = served("llama-3-8b", 64);
        s.model = preset.model;
        if (!s.model.transformer()->causal || s.model.transformer()->patch > 0) continue;
        EXPECT_EQ(valueOfServer(Output::CacheBytesPerRequest, s),
                  64 * valueOfServer(Output::CacheBytesPerToken, s))
            << preset.key;
    }
}

TEST(Cache, IsSpreadAsFarAsThereAreKeyHeads) {
    const Transformer m = *findModel("llama-3-8b")->transformer();
    EXPECT_EQ(cachedNumbers(m, 1), 2 * 8 * 128);
    EXPECT_EQ(cachedNumbers(m, 4), 2 * 2 * 128);
    EXPECT_EQ(cachedNumbers(m, 16), 2 * 128);
    const Transformer latent = *findModel("deepseek-v3")->transformer();
    EXPECT_EQ(cachedNumbers(latent, 8), 576);
}

TEST(Server, RefusesWhatCannotBeServed) {
    const auto refused = [](const Scenario& s, std::string_view words) {
        const auto result = evaluate(Output::OutputTokenSeconds, s);
        ASSERT_FALSE(result.has_value()) << words;
        EXPECT_NE(result.error().text().find(words), std::string::npos) << result.error().text();
    };
    Scenario s = served("llama-3-8b", 1024);
    Transformer encoder = *s.model.transformer();
    encoder.causal = false;
    s.model.kind = encoder;
    refused(s, "encoder");
    s.model = modelOfCount(7e9);
    refused(s, "no attention");
    refused(served("gpt2", 2048), "1024 positions");
    s = served("llama-3-8b", 1024);
    give(s, Input::Prompt, 1025);
    refused(s, "prompt");
    s = served("llama-3-8b", 1024);
    give(s, Input::WeightBits, 5);
    refused(s, "give 16, 8 or 4");
    s = served("llama-3-8b", 1024);
    s.parallel.tensor = 3;
    refused(s, "heads 32 cannot be divided by tensor 3");
}

TEST(Server, HasRoomForAsManyAsItSays) {
    for (const char* model : {"llama-3-8b", "mistral-7b", "gpt-oss-20b", "deepseek-v2-lite"})
        for (const double context : {512.0, 4096.0}) {
            Scenario s = served(model, context);
            const double most = valueOfServer(Output::LargestRequests, s);
            ASSERT_GE(most, 1) << model;
            give(s, Input::Requests, most);
            EXPECT_LE(valueOfServer(Output::ServerMemory, s), 80e9);
            EXPECT_GE(valueOfServer(Output::LongestContext, s), context);
            give(s, Input::Requests, most + 1);
            EXPECT_GT(valueOfServer(Output::ServerMemory, s), 80e9);
            EXPECT_LT(valueOfServer(Output::LongestContext, s), context);
        }
    // The whole of its positions where memory is no matter.
    EXPECT_EQ(valueOfServer(Output::LongestContext, served("llama-3-8b", 512)), 8192);
    EXPECT_EQ(valueOfServer(Output::LargestRequests, served("llama-3.1-405b", 512)), 0);
}

TEST(Server, HoldsWeightsOfItsFormat) {
    Scenario s = served("llama-3-8b", 1024);
    const Transformer& m = *s.model.transformer();
    const ParameterCounts n = countParameters(m);
    const auto weights = [&](double bits) {
        give(s, Input::WeightBits, bits);
        return serverMemory(*serverOf(s))->parts.front().bytes;
    };
    const auto layers = static_cast<double>(n.attention + n.feedForward);
    const double rest = static_cast<double>(n.total) - layers;
    EXPECT_NEAR(weights(16), 2 * static_cast<double>(n.total), 1);
    EXPECT_NEAR(weights(8), layers + 2 * rest, 1);
    EXPECT_NEAR(weights(4), 0.515625 * layers + 2 * rest, 1);
}

TEST(Server, MultipliesInWhatTheDeviceHas) {
    const auto formatOn = [](std::string_view device, double bits) {
        Scenario s = withDevice(device, 1);
        s.model = findModel("llama-3-8b").value();
        give(s, Input::WeightBits, bits);
        return computeDtype(serverOf(s)->scenario);
    };
    EXPECT_EQ(formatOn("h100-sxm5-80gb", 16), Dtype::Bf16);
    EXPECT_EQ(formatOn("h100-sxm5-80gb", 8), Dtype::Fp8E4M3);
    EXPECT_EQ(formatOn("h100-sxm5-80gb", 4), Dtype::Bf16);
    EXPECT_EQ(formatOn("a100-sxm4-80gb", 8), Dtype::Bf16);
    EXPECT_EQ(formatOn("v100-sxm2-16gb", 16), Dtype::Fp16);
}

/// Work of products and of attention.
std::pair<double, double> flopsOf(const ForwardTime& time) {
    double products = 0, attention = 0;
    for (const TimedOp& op : time.ops)
        if (op.product) (op.label.starts_with("attention scores") ? attention : products) += op.flops;
    return {products, attention};
}

TEST(Server, DoesTheWorkOfAForwardPass) {
    for (const char* model : {"gpt2-xl", "llama-3-8b", "mixtral-8x7b", "deepseek-v3", "gemma-2-9b"}) {
        Scenario s = served(model, 1000);
        give(s, Input::ExpertImbalance, 1);
        const Transformer& m = *s.model.transformer();
        const Work work = workPerToken(m, Recipe{}, 1000);
        const auto head = 2 * static_cast<double>(m.vocabulary * m.hidden);
        const auto [products, attention] = flopsOf(*promptTime(*serverOf(s)));
        // Router and gate are products, too; the head is for the last token alone.
        EXPECT_NEAR(products / (1000 * (work.weightForward - head) + head), 1, 1e-9) << model;
        EXPECT_NEAR(attention / (1000 * work.executedForward), 1, 1e-9) << model;
        const auto [nextProducts, nextAttention] = flopsOf(*outputTime(*serverOf(s)));
        EXPECT_NEAR(nextProducts / work.weightForward, 1, 1e-9) << model;
        // The last token of a prompt meets all before it.
        if (!m.latent && m.windowedLayers == 0) {
            EXPECT_NEAR(nextAttention / work.attentionForward, 1, 1e-9) << model;
        }
    }
}

TEST(Server, ReadsTheWeightsThatItsTokensReach) {
    const auto productBytes = [](const Scenario& s) {
        double bytes = 0;
        const ForwardTime time = *outputTime(*serverOf(s));
        for (const TimedOp& op : time.ops)
            if (op.product && !op.label.starts_with("attention scores")) bytes += op.bytes;
        return bytes;
    };
    for (const char* model : {"llama-3-8b", "mixtral-8x7b", "qwen3-30b-a3b"}) {
        const Scenario s = served(model, 1);
        const ParameterCounts n = countParameters(*s.model.transformer());
        // One token reads the active ones, and hardly anything else.
        EXPECT_NEAR(productBytes(s) / (2 * static_cast<double>(n.multiplied)), 1, 0.01) << model;
        const double many = productBytes(served(model, 1, 10'000));
        const auto all = static_cast<double>(n.total - n.embedding);
        EXPECT_GT(many, 2 * all * 0.99) << model;
    }
    // 8 experts of which 2 are chosen: 16 tokens reach 8 (1 - (3/4)^16) = 7.92 of them.
    const double two = productBytes(served("mixtral-8x7b", 1, 2));
    const Transformer m = *findModel("mixtral-8x7b")->transformer();
    const ParameterCounts n = countParameters(m);
    const double reached = 8 * (1 - std::pow(0.75, 2)) / 8 * static_cast<double>(n.experts);
    const double dense = static_cast<double>(n.multiplied) - static_cast<double>(n.experts) / 4;
    EXPECT_NEAR(two / (2 * (reached + dense)), 1, 0.01);
}

TEST(Server, IsNeverFasterThanItsMemoryAndItsPeak) {
    RandomScenarios random(7);
    int tried = 0;
    for (int i = 0; i < 400; ++i) {
        Scenario s = random.draw();
        s.given = {};
        const auto server = serverOf(s);
        if (!server.has_value()) continue;
        const auto time = outputTime(*server);
        if (!time.has_value()) continue;
        ++tried;
        double flops = 0, bytes = 0;
        for (const TimedOp& op : time->ops) {
            EXPECT_GE(op.seconds, 0) << op.label;
            flops += op.product ? op.flops : 0;
            bytes += op.product ? op.bytes : 0;
        }
        EXPECT_GE(time->total(), bytes / *numberOf(s, Input::Bandwidth));
        EXPECT_GE(time->total(), flops / *numberOf(server->scenario, Input::Peak));
        Server more = *server;
        more.requests *= 2;
        EXPECT_GE(outputTime(more)->total(), 0.999 * time->total());
    }
    EXPECT_GT(tried, 50);
}

TEST(Server, TurnsComputeBoundWhereItSays) {
    for (const double bits : {16.0, 8.0, 4.0}) {
        Scenario s = served("llama-3-8b", 1024);
        give(s, Input::WeightBits, bits);
        Server server = *serverOf(s);
        server.requests = valueOfServer(Output::ComputeBoundRequests, s);
        const ForwardTime there = *outputTime(server);
        EXPECT_GE(there.computeProducts, there.memoryProducts) << bits;
        server.requests -= 1;
        const ForwardTime before = *outputTime(server);
        EXPECT_LT(before.computeProducts, before.memoryProducts) << bits;
    }
    // Fewer bytes of a weight, fewer requests.
    Scenario s = served("llama-3-8b", 1024);
    const double plain = valueOfServer(Output::ComputeBoundRequests, s);
    give(s, Input::WeightBits, 4);
    EXPECT_LT(valueOfServer(Output::ComputeBoundRequests, s), plain / 2);
}

TEST(Server, ReducesSmallTensorsInOneGo) {
    const Links links{.linkBytesPerSecond = 300e9, .networkBytesPerSecond = 50e9, .latency = 5e-6};
    const Group node{8, 1}, wide{16, 1};
    EXPECT_DOUBLE_EQ(smallReduceSeconds(16e3, node, links), 7 * 16e3 / 300e9 + 5e-6);
    EXPECT_EQ(smallReduceSeconds(1e9, node, links), reduceSeconds(1e9, node, links));
    EXPECT_EQ(smallReduceSeconds(16e3, wide, links), reduceSeconds(16e3, wide, links));
    EXPECT_EQ(smallReduceSeconds(16e3, Group{1, 1}, links), 0);
}

/// A published rate or time, and the question that it answers.
struct Measured {
    const char* model;
    const char* device;
    double tensor;
    double bits;
    double requests;
    double prompt;
    double context;
    double published;
};

Scenario questionOf(const Measured& row) {
    Scenario s = withDevice(row.device, 8);
    s.model = findModel(row.model).value();
    give(s, Input::Tensor, row.tensor);
    give(s, Input::WeightBits, row.bits);
    give(s, Input::Requests, row.requests);
    give(s, Input::ContextLength, row.context);
    give(s, Input::Prompt, row.prompt);
    return s;
}

struct Held {
    int rows = 0;
    int held = 0;
    double bias = 0;  ///< sum of ln(published / predicted) of rates
};

/// Adds a row; of times, more is slower.
void hold(Held& sum, Output output, const Measured& row, const Scenario& s) {
    const auto predicted = answer(output, s);
    ASSERT_TRUE(predicted.has_value()) << predicted.error().text();
    const Range& range = predicted->value;
    ++sum.rows;
    sum.held += range.low <= row.published && row.published <= range.high ? 1 : 0;
    const double ratio = std::log(row.published / range.expected);
    sum.bias += info(output).unit == "s" ? -ratio : ratio;
    EXPECT_LT(std::fabs(ratio), std::log(2))
        << row.model << " " << row.tensor << " " << row.bits << " " << row.requests << " " << row.context;
}

constexpr const char *kA100 = "a100-sxm4-80gb", *kH100 = "h100-sxm5-80gb", *kH200 = "h200-sxm-141gb";

/// Tokens per second of one request, prompts of 5 tokens and answers of about 200: README of
/// pytorch-labs/gpt-fast at 0f925b5 (A100 80 GB at 330 W).
Held gptFast() {
    Held sum;
    for (const Measured& row : {Measured{"llama-2-7b", kA100, 1, 16, 1, 5, 200, 104.9},
                                Measured{"llama-2-7b", kA100, 1, 8, 1, 5, 200, 155.58},
                                Measured{"llama-2-7b", kA100, 1, 4, 1, 5, 200, 196.8},
                                Measured{"llama-2-7b", kA100, 2, 16, 1, 5, 200, 168.84},
                                Measured{"llama-2-7b", kA100, 4, 16, 1, 5, 200, 254.02},
                                Measured{"llama-2-7b", kA100, 8, 16, 1, 5, 200, 328.43},
                                Measured{"llama-2-70b", kA100, 1, 8, 1, 5, 200, 19.13},
                                Measured{"llama-2-70b", kA100, 1, 4, 1, 5, 200, 25.25},
                                Measured{"llama-2-70b", kA100, 2, 16, 1, 5, 200, 21.32},
                                Measured{"llama-2-70b", kA100, 4, 16, 1, 5, 200, 38.01},
                                Measured{"llama-2-70b", kA100, 8, 16, 1, 5, 200, 62.5},
                                Measured{"llama-2-70b", kA100, 8, 8, 1, 5, 200, 80.44},
                                Measured{"llama-2-70b", kA100, 8, 4, 1, 5, 200, 90.77}})
        hold(sum, Output::RequestTokensPerSecond, row, questionOf(row));
    return sum;
}

/// 8 requests of 32 tokens and 128 more take 833.4, 2077.5 and 1917.4 ms: vLLM's performance benchmark, build
/// 9515 (buildkite.com/vllm/performance-benchmark).
Held vllm() {
    Held sum;
    for (const Measured& row : {Measured{"llama-3-8b", kH200, 1, 16, 8, 32, 96, 128 / 0.8334},
                                Measured{"llama-3-70b", kH200, 4, 16, 8, 32, 96, 128 / 2.0775},
                                Measured{"mixtral-8x7b", kH200, 2, 16, 8, 32, 96, 128 / 1.9174}})
        hold(sum, Output::RequestTokensPerSecond, row, questionOf(row));
    return sum;
}

/// The page on performance in the documentation of NVIDIA/TensorRT-LLM at 138f96d: times to the first token
/// at batch 1 (version 0.5), and tokens per second of one device (version 0.6.1), of answers of 2048 tokens
/// to prompts of 128, whose cache is that of their middle; fp8 has an fp8 cache.
Held tensorRt() {
    Held sum;
    for (const Measured& row : {Measured{"llama-2-7b", kH100, 1, 8, 1, 128, 128, 7e-3},
                                Measured{"llama-2-7b", kH100, 1, 8, 1, 2048, 2048, 36e-3},
                                Measured{"llama-2-70b", kH100, 4, 8, 1, 128, 128, 26e-3},
                                Measured{"llama-2-70b", kH100, 4, 8, 1, 2048, 2048, 109e-3},
                                Measured{"llama-2-7b", kA100, 1, 16, 1, 128, 128, 16e-3},
                                Measured{"llama-2-7b", kA100, 1, 16, 1, 2048, 2048, 133e-3},
                                Measured{"llama-2-70b", kA100, 4, 16, 1, 128, 128, 47e-3},
                                Measured{"llama-2-70b", kA100, 4, 16, 1, 2048, 2048, 377e-3},
                                Measured{"llama-2-7b", kH100, 1, 8, 112, 128, 1152, 6818},
                                Measured{"llama-2-70b", kH100, 4, 8, 480, 128, 1152, 1486},
                                Measured{"llama-2-7b", kA100, 1, 16, 60, 128, 1152, 1928},
                                Measured{"llama-2-70b", kA100, 4, 16, 240, 128, 1152, 525}}) {
        Scenario s = questionOf(row);
        s.software = Software::Fused;
        if (row.bits == 8) give(s, Input::CacheBits, 8);
        hold(sum, row.requests == 1 ? Output::FirstTokenSeconds : Output::DeviceOutputTokensPerSecond, row,
             s);
    }
    return sum;
}

TEST(ServerRates, LieInTheRangesEightTimesOfTen) {
    Held all;
    for (const Held& each : {gptFast(), vllm(), tensorRt()}) {
        EXPECT_GE(each.held, 0.7 * each.rows);
        all.rows += each.rows;
        all.held += each.held;
        all.bias += each.bias;
    }
    // What misses: 70B on four devices, at large batches (1486 of 2610, 525 of 746 predicted) and with a
    // short prompt (26 ms instead of 16).
    EXPECT_EQ(all.rows, 28);
    EXPECT_EQ(all.held, 25);
    EXPECT_NEAR(all.bias / all.rows, 0, 0.12);
}

TEST(Server, BesideATrainingHasWhatThatLeaves) {
    Scenario s = scenarioOf("llama-3.2-1b", 1);
    s.workload.sequence = 2048;
    const BesideTraining beside = *besideTraining(s);
    EXPECT_EQ(beside.left, 80e9 - *evaluate(Output::MemoryPerDevice, s));
    give(s, Input::ContextLength, beside.longestContext);
    if (beside.longestContext < static_cast<double>(s.model.transformer()->positions)) {
        EXPECT_LE(valueOfServer(Output::ServerMemory, s), beside.left);
    }
    EXPECT_NE(besideText(beside, s).find("beside the training"), std::string::npos);
    // A training that fills the device leaves nothing.
    const Scenario full = scenarioOf("llama-3-8b", 1);
    EXPECT_EQ(besideTraining(full)->longestContext, 0);
    EXPECT_NE(besideText(*besideTraining(full), full).find("nothing is left"), std::string::npos);
}

}  // namespace
}  // namespace plumb::planner
