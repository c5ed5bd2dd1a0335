// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/model/run_config.h"

#include <array>
#include <string_view>
#include <utility>

namespace plumb {

/// The text of each enumerator, as in files and on the command line; reading and writing use the same table.
inline constexpr std::array kActivationNames{std::pair{Activation::None, std::string_view("none")},
                                             std::pair{Activation::Relu, std::string_view("relu")}};
inline constexpr std::array kPrecisionNames{std::pair{Precision::Fp32, std::string_view("fp32")},
                                            std::pair{Precision::Tf32, std::string_view("tf32")},
                                            std::pair{Precision::Bf16, std::string_view("bf16")},
                                            std::pair{Precision::Fp16, std::string_view("fp16")},
                                            std::pair{Precision::Fp8, std::string_view("fp8")}};
inline constexpr std::array kGradientPrecisionNames{
    std::pair{GradientPrecision::Same, std::string_view("same")},
    std::pair{GradientPrecision::Fp32, std::string_view("fp32")}};
inline constexpr std::array kOptimizerNames{std::pair{Optimizer::Sgd, std::string_view("sgd")},
                                            std::pair{Optimizer::Momentum, std::string_view("momentum")},
                                            std::pair{Optimizer::Adagrad, std::string_view("adagrad")},
                                            std::pair{Optimizer::RmsProp, std::string_view("rmsprop")},
                                            std::pair{Optimizer::Adam, std::string_view("adam")},
                                            std::pair{Optimizer::AdamW, std::string_view("adamw")},
                                            std::pair{Optimizer::Lion, std::string_view("lion")},
                                            std::pair{Optimizer::Adafactor, std::string_view("adafactor")}};
inline constexpr std::array kScheduleNames{std::pair{Schedule::Constant, std::string_view("constant")},
                                           std::pair{Schedule::Cosine, std::string_view("cosine")},
                                           std::pair{Schedule::Step, std::string_view("step")}};
inline constexpr std::array kInitialisationNames{
    std::pair{Initialisation::Scaled, std::string_view("scaled")},
    std::pair{Initialisation::Truncated, std::string_view("truncated")},
    std::pair{Initialisation::Naive, std::string_view("naive")},
    std::pair{Initialisation::XavierUniform, std::string_view("xavier-uniform")},
    std::pair{Initialisation::XavierNormal, std::string_view("xavier-normal")},
    std::pair{Initialisation::HeUniform, std::string_view("he-uniform")},
    std::pair{Initialisation::HeNormal, std::string_view("he-normal")},
    std::pair{Initialisation::Fixed, std::string_view("fixed")}};
inline constexpr std::array kDataFormatNames{
    std::pair{DataFormat::Auto, std::string_view("auto")},
    std::pair{DataFormat::Npy, std::string_view("npy")},
    std::pair{DataFormat::Npz, std::string_view("npz")},
    std::pair{DataFormat::Csv, std::string_view("csv")},
    std::pair{DataFormat::TokensU16, std::string_view("tokens-u16")},
    std::pair{DataFormat::TokensI32, std::string_view("tokens-i32")},
    std::pair{DataFormat::TokensNpy, std::string_view("tokens-npy")}};
inline constexpr std::array kTokenWindowNames{
    std::pair{TokenWindows::Consecutive, std::string_view("consecutive")},
    std::pair{TokenWindows::Random, std::string_view("random")}};
inline constexpr std::array kBackendNames{std::pair{BackendChoice::Auto, std::string_view("auto")},
                                          std::pair{BackendChoice::Cpu, std::string_view("cpu")},
                                          std::pair{BackendChoice::Cuda, std::string_view("cuda")}};
inline constexpr std::array kSwitchNames{std::pair{true, std::string_view("on")},
                                         std::pair{false, std::string_view("off")}};

/// Empty when `value` is not in `table`.
template <class Table, class Value>
[[nodiscard]] constexpr std::string_view nameIn(const Table& table, Value value) {
    for (const auto& [entry, text] : table) {
        if (entry == value) return text;
    }
    return {};
}

}  // namespace plumb
