// SPDX-License-Identifier: Apache-2.0
#include "core/model/run_config.h"
#include "tests/support/random_config.h"

#include <gtest/gtest.h>

namespace plumb {
namespace {

Error refused(std::string_view name, std::string_view value) {
    RunConfig config;
    const RunConfig before = config;
    const Result<void> result = setOption(config, name, value);
    EXPECT_FALSE(result.has_value()) << name << " " << value;
    EXPECT_EQ(config, before) << name << " " << value << " changed the configuration";
    return result.has_value() ? Error{} : result.error();
}

RunConfig throughText(const RunConfig& config) {
    RunConfig copy;
    for (const OptionInfo& option : runOptions()) {
        const Result<void> result = setOption(copy, option.name, optionValue(config, option.name));
        EXPECT_TRUE(result.has_value()) << result.error().text();
    }
    return copy;
}

TEST(Options, EveryConfigurationEqualsItselfAfterARoundTripThroughText) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        RunConfig config = test::randomConfig(seed);
        config.noise = 0.1 + static_cast<double>(seed) / 3.0;
        if (seed % 2 == 0) config.learningRate = 1.0 / static_cast<double>(seed + 3);
        config.residentBatch = seed % 3 == 1;
        if (seed % 5 == 0) {
            config.data = "a b.npy";
            config.targets = "t.npy";
            config.standardize = seed % 2 == 0;
            config.standardizeTargets = seed % 3 == 0;
            config.holdOut = static_cast<double>(seed % 3) / 7.0;
        }
        if (seed % 7 == 0) {
            config.data = seed % 2 == 0 ? "corpus.u16" : "corpus.bin";
            config.dataFormat = seed % 2 == 0 ? DataFormat::Auto : DataFormat::TokensI32;
            config.targets.clear();
            config.vocabulary = 50257;
            config.tokenWindows = seed % 2 == 0 ? TokenWindows::Random : TokenWindows::Consecutive;
        }
        config.backend = static_cast<BackendChoice>(seed % 3);
        EXPECT_EQ(throughText(config), config) << "seed " << seed;
    }
}

TEST(Options, DefaultsAreFilledIn) {
    RunConfig config;
    EXPECT_EQ(optionValue(config, "micro-batch"), "256");
    EXPECT_EQ(optionValue(config, "lr"), "0.001");
    EXPECT_EQ(optionValue(config, "weight-decay"), "0.01");
    config.optimizer = Optimizer::Adagrad;
    EXPECT_EQ(optionValue(config, "lr"), "0.01");
    EXPECT_EQ(optionValue(config, "weight-decay"), "0");
    EXPECT_EQ(optionValue(config, "no such option"), "");
}

TEST(Options, TheExtensionSaysHowDataAreStoredUnlessTheOptionDoes) {
    RunConfig config;
    EXPECT_EQ(optionValue(config, "data-format"), "auto");
    EXPECT_FALSE(optionApplies(config, "data-format"));
    const auto formatOf = [&config](const char* path) {
        config.data = path;
        return optionValue(config, "data-format");
    };
    EXPECT_EQ(formatOf("dir.u16/x.npy"), "tokens-npy");
    config.targets = "y.npy";
    EXPECT_EQ(formatOf("dir.u16/x.npy"), "npy");
    EXPECT_EQ(formatOf("a.npz:images"), "npz");
    EXPECT_EQ(formatOf("t.csv:rooms"), "csv");
    EXPECT_FALSE(optionApplies(config, "vocabulary"));
    EXPECT_EQ(formatOf("corpus.u16"), "tokens-u16");
    EXPECT_TRUE(optionApplies(config, "vocabulary"));
    EXPECT_EQ(formatOf("corpus.i32"), "tokens-i32");
    EXPECT_EQ(formatOf("corpus.bin"), "auto");
    EXPECT_EQ(formatOf("u16"), "auto");
    ASSERT_TRUE(setOption(config, "data-format", "npy").has_value());
    EXPECT_EQ(formatOf("corpus.u16"), "npy");
    EXPECT_TRUE(optionApplies(config, "data-format"));
    EXPECT_NE(refused("data-format", "hdf5").hint.find("tokens-u16"), std::string::npos);
}

TEST(Options, NamesComeInTheOrderOfTheContract) {
    std::vector<std::string_view> names;
    for (const OptionInfo& option : runOptions()) {
        names.push_back(option.name);
        EXPECT_FALSE(option.values.empty()) << option.name;
        EXPECT_FALSE(option.help.empty()) << option.name;
    }
    EXPECT_EQ(names, (std::vector<std::string_view>{"dim",
                                                    "layers",
                                                    "head",
                                                    "outputs",
                                                    "activation",
                                                    "batch",
                                                    "micro-batch",
                                                    "data-parallel",
                                                    "zero",
                                                    "tensor",
                                                    "precision",
                                                    "master-weights",
                                                    "grad-dtype",
                                                    "optimizer",
                                                    "lr",
                                                    "weight-decay",
                                                    "momentum",
                                                    "dampening",
                                                    "nesterov",
                                                    "beta1",
                                                    "beta2",
                                                    "epsilon",
                                                    "alpha",
                                                    "centered",
                                                    "amsgrad",
                                                    "lr-decay",
                                                    "initial-accumulator",
                                                    "beta2-decay",
                                                    "epsilon2",
                                                    "clip-threshold",
                                                    "clip-norm",
                                                    "lr-schedule",
                                                    "warmup-steps",
                                                    "schedule-steps",
                                                    "min-lr",
                                                    "gamma",
                                                    "loss-scale",
                                                    "loss-scale-growth",
                                                    "loss-scale-backoff",
                                                    "loss-scale-interval",
                                                    "checkpoint",
                                                    "init",
                                                    "init-std",
                                                    "seed",
                                                    "noise",
                                                    "resident-batch",
                                                    "data",
                                                    "data-format",
                                                    "targets",
                                                    "standardize",
                                                    "standardize-targets",
                                                    "holdout",
                                                    "vocabulary",
                                                    "token-windows",
                                                    "backend"}));
}

TEST(Options, SizesTakePrefixes) {
    RunConfig config;
    ASSERT_TRUE(setOption(config, "dim", "4Ki").has_value());
    ASSERT_TRUE(setOption(config, "batch", "1.5k").has_value());
    ASSERT_TRUE(setOption(config, "micro-batch", "0").has_value());
    ASSERT_TRUE(setOption(config, "checkpoint", "16").has_value());
    EXPECT_EQ(config.dim, 4096);
    EXPECT_EQ(config.batch, 1500);
    EXPECT_EQ(config.microBatch, 0);
    EXPECT_EQ(config.recompute.kind, RecomputePolicy::Kind::Every);
    EXPECT_EQ(config.recompute.interval, 16);
    ASSERT_TRUE(setOption(config, "seed", "18446744073709551615").has_value());
    EXPECT_EQ(config.seed, ~std::uint64_t{0});
}

TEST(Options, EveryChoiceOfTheHelpIsTakenAndReadsBack) {
    for (const OptionInfo& option : runOptions()) {
        std::string_view rest = option.values;
        while (!rest.empty()) {
            const std::size_t end = rest.find('|');
            const std::string value(rest.substr(0, end));
            rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
            const bool isWord = std::all_of(value.begin(), value.end(), [](char c) {
                return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
            });
            if (!isWord || value == "size") continue;
            RunConfig config;
            EXPECT_TRUE(setOption(config, option.name, value).has_value()) << option.name << " " << value;
            if (optionApplies(config, option.name)) {
                EXPECT_EQ(optionValue(config, option.name), value) << option.name;
            }
        }
    }
    EXPECT_EQ(refused("precision", "fp12").text(),
              "precision is not known (fp12): use fp32, tf32, bf16, fp16 or fp8");
}

TEST(Options, ABudgetForActivationsIsASize) {
    RunConfig config;
    ASSERT_TRUE(setOption(config, "checkpoint", "fit:80GB").has_value());
    EXPECT_EQ(config.recompute.kind, RecomputePolicy::Kind::Fit);
    EXPECT_EQ(config.recompute.budgetBytes, 80'000'000'000);
    EXPECT_EQ(optionValue(config, "checkpoint"), "fit:80000000000");
    EXPECT_EQ(refused("checkpoint", "fit:lots").code, ErrorCode::BadInput);
}

TEST(Options, ASettingThatTheOptimizerLacksIsRefusedByName) {
    RunConfig config;  // AdamW
    ASSERT_TRUE(setOption(config, "nesterov", "on").has_value());
    const auto refusal = validate(config);
    ASSERT_FALSE(refusal.has_value());
    EXPECT_EQ(refusal.error().text(),
              "nesterov is no setting of adamw (1): leave nesterov out or choose an optimizer that has it");
    ASSERT_TRUE(setOption(config, "optimizer", "momentum").has_value());
    EXPECT_TRUE(validate(config).has_value());
    ASSERT_TRUE(setOption(config, "dampening", "0.5").has_value());
    EXPECT_FALSE(validate(config).has_value());  // Nesterov needs none
}

TEST(Options, UnusableValuesAreRefusedWithNameValueAndRemedy) {
    const std::pair<const char*, const char*> unusable[] = {{"dim", "0"},
                                                            {"dim", "-1"},
                                                            {"dim", ""},
                                                            {"dim", "big"},
                                                            {"layers", "1.5"},
                                                            {"batch", "1e30"},
                                                            {"micro-batch", "-4"},
                                                            {"outputs", "0"},
                                                            {"activation", "gelu"},
                                                            {"precision", "FP32"},
                                                            {"master-weights", "yes"},
                                                            {"lr", "fast"},
                                                            {"lr", "0.1x"},
                                                            {"lr", ""},
                                                            {"weight-decay", "1,5"},
                                                            {"checkpoint", "0"},
                                                            {"checkpoint", "some"},
                                                            {"checkpoint", ""},
                                                            {"checkpoint", "-2"},
                                                            {"seed", "-1"},
                                                            {"seed", "18446744073709551616"},
                                                            {"noise", "x"},
                                                            {"backend", "tpu"},
                                                            {"grad-dtype", "fp16"}};
    for (const auto& [name, value] : unusable) {
        const Error error = refused(name, value);
        EXPECT_EQ(error.code, ErrorCode::BadInput) << name << " " << value;
        EXPECT_NE(error.message.find(name), std::string::npos) << error.text();
        EXPECT_NE(error.message.find(value), std::string::npos) << error.text();
        EXPECT_FALSE(error.hint.empty()) << error.text();
        EXPECT_NE(error.text().back(), '.') << error.text();
    }
}

TEST(Options, RefusalsHaveTheFormWhatValueRemedy) {
    EXPECT_EQ(refused("dim", "0").text(), "dim is too small (0): give a size of at least 1");
    EXPECT_EQ(refused("dim", "-1").text(), "dim has to be positive (-1): give a size of at least 1");
    EXPECT_EQ(refused("dim", "big").text().rfind("dim is not a whole number below 2^63 (big): write ", 0),
              0U);
    EXPECT_EQ(refused("lr", "fast").text(),
              "lr is not a number that can be used (fast): write it like 0.001 or 1e-3");
    EXPECT_EQ(refused("backend", "tpu").text(), "backend is not known (tpu): use auto, cpu or cuda");
}

TEST(Options, AnUnknownNameIsAnsweredWithTheNearestOne) {
    EXPECT_NE(refused("dims", "4").hint.find("dim"), std::string::npos);
    EXPECT_NE(refused("microbatch", "4").hint.find("micro-batch"), std::string::npos);
    EXPECT_NE(refused("optimiser", "sgd").hint.find("optimizer"), std::string::npos);
    EXPECT_NE(refused("weight_decay", "0").hint.find("weight-decay"), std::string::npos);
    EXPECT_EQ(refused("", "0").code, ErrorCode::BadInput);
    EXPECT_LT(refused(std::string(100000, 'x'), "0").text().size(), 200U);
}

}  // namespace
}  // namespace plumb
