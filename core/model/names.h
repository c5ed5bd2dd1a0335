// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/enum_names.h"
#include "core/model/run_config.h"

namespace plumb {

inline constexpr auto kActivationNames =
    enumNames<Activation>({{Activation::None, "none"}, {Activation::Relu, "relu"}});
inline constexpr auto kPrecisionNames = enumNames<Precision>({{Precision::Fp32, "fp32"},
                                                              {Precision::Tf32, "tf32"},
                                                              {Precision::Bf16, "bf16"},
                                                              {Precision::Fp16, "fp16"},
                                                              {Precision::Fp8, "fp8"}});
inline constexpr auto kGradientPrecisionNames =
    enumNames<GradientPrecision>({{GradientPrecision::Same, "same"}, {GradientPrecision::Fp32, "fp32"}});
inline constexpr auto kOptimizerNames = enumNames<Optimizer>({{Optimizer::Sgd, "sgd"},
                                                              {Optimizer::Momentum, "momentum"},
                                                              {Optimizer::Adagrad, "adagrad"},
                                                              {Optimizer::RmsProp, "rmsprop"},
                                                              {Optimizer::Adam, "adam"},
                                                              {Optimizer::AdamW, "adamw"},
                                                              {Optimizer::Lion, "lion"},
                                                              {Optimizer::Adafactor, "adafactor"}});
inline constexpr auto kScheduleNames = enumNames<Schedule>(
    {{Schedule::Constant, "constant"}, {Schedule::Cosine, "cosine"}, {Schedule::Step, "step"}});
inline constexpr auto kInitialisationNames =
    enumNames<Initialisation>({{Initialisation::Scaled, "scaled"},
                               {Initialisation::Truncated, "truncated"},
                               {Initialisation::Naive, "naive"},
                               {Initialisation::XavierUniform, "xavier-uniform"},
                               {Initialisation::XavierNormal, "xavier-normal"},
                               {Initialisation::HeUniform, "he-uniform"},
                               {Initialisation::HeNormal, "he-normal"},
                               {Initialisation::Fixed, "fixed"}});
inline constexpr auto kDataFormatNames = enumNames<DataFormat>({{DataFormat::Auto, "auto"},
                                                                {DataFormat::Npy, "npy"},
                                                                {DataFormat::Npz, "npz"},
                                                                {DataFormat::Csv, "csv"},
                                                                {DataFormat::TokensU16, "tokens-u16"},
                                                                {DataFormat::TokensI32, "tokens-i32"},
                                                                {DataFormat::TokensNpy, "tokens-npy"}});
inline constexpr auto kTokenWindowNames =
    enumNames<TokenWindows>({{TokenWindows::Consecutive, "consecutive"}, {TokenWindows::Random, "random"}});
inline constexpr auto kBackendNames = enumNames<BackendChoice>(
    {{BackendChoice::Auto, "auto"}, {BackendChoice::Cpu, "cpu"}, {BackendChoice::Cuda, "cuda"}});
/// The stages by the numbers that they are known by.
inline constexpr auto kZeroNames =
    enumNames<Zero>({{Zero::Off, "0"}, {Zero::States, "1"}, {Zero::Gradients, "2"}, {Zero::Weights, "3"}});
inline constexpr auto kSwitchNames = enumNames<bool>({{true, "on"}, {false, "off"}});

}  // namespace plumb
