// SPDX-License-Identifier: Apache-2.0
// The optimizers' update rules in torch.optim's order of operations, for the CPU backend's vectors and for a
// device's single numbers alike. Nothing is contracted to fused multiply-adds, and square roots and divisions
// are the exact ones, so that the bits are the same everywhere.
//
// `Math` has the type `Value` that is computed with, and on it splat(float), squareRoot() and larger().
#pragma once

#include "kernels/common/inline.h"
#include "kernels/common/rule_constants.h"

namespace plumb::common {

/// One number at a time.
struct FloatMath {
    using Value = float;
    PLUMB_COMMON static float splat(float value) { return value; }
    PLUMB_COMMON static float larger(float a, float b) { return a > b ? a : b; }
    PLUMB_COMMON static float squareRoot(float value) {
#ifdef __CUDA_ARCH__
        return __fsqrt_rn(value);
#else
        return __builtin_sqrtf(value);
#endif
    }
};

/// kStates states; step() changes them and returns the parameter's new value. `g` is the gradient times its
/// factor.
template <Rule kRule>
struct UpdateRule;

template <>
struct UpdateRule<Rule::Sgd> {
    static constexpr int kStates = 0;
    template <class Math, class V = typename Math::Value>
    PLUMB_COMMON static V step(const RuleConstants& c, const V& p, const V& g, V* /*s*/) {
        return p - c.rate * (g + c.decay * p);
    }
};

// Two rules with the same states that differ in a few operations are one function: `stepAs` with the choice
// as its last argument, which a device makes while it runs, so that it has one kernel for the two.

struct MomentumRules {
    static constexpr int kStates = 1;
    template <class Math, class V = typename Math::Value>
    PLUMB_COMMON static V stepAs(const RuleConstants& c, const V& p, const V& gradient, V* s, bool nesterov) {
        const V g = gradient + c.decay * p;
        s[0] = s[0] * c.momentum + c.gradientShare * g;
        return p - c.rate * (nesterov ? g + c.lookAhead * s[0] : s[0]);
    }
};
template <bool kNesterov>
struct MomentumRule : MomentumRules {
    template <class Math, class V = typename Math::Value>
    PLUMB_COMMON static V step(const RuleConstants& c, const V& p, const V& gradient, V* s) {
        return stepAs<Math>(c, p, gradient, s, kNesterov);
    }
};
template <>
struct UpdateRule<Rule::Momentum> : MomentumRule<false> {};
template <>
struct UpdateRule<Rule::Nesterov> : MomentumRule<true> {};

template <>
struct UpdateRule<Rule::Adagrad> {
    static constexpr int kStates = 1;
    template <class Math, class V = typename Math::Value>
    PLUMB_COMMON static V step(const RuleConstants& c, const V& p, const V& gradient, V* s) {
        const V g = gradient + c.decay * p;
        s[0] = s[0] + g * g;
        return p - c.rate * (g / (Math::squareRoot(s[0]) + c.epsilon));
    }
};

template <bool kCentered, bool kMomentum>
struct RmsPropRule {
    static constexpr int kMean = kMomentum ? 2 : 1;
    static constexpr int kStates = 1 + (kCentered ? 1 : 0) + (kMomentum ? 1 : 0);
    template <class Math, class V = typename Math::Value>
    PLUMB_COMMON static V step(const RuleConstants& c, const V& p, const V& gradient, V* s) {
        const V g = gradient + c.decay * p;
        s[0] = s[0] * c.beta2 + c.beta2Rest * (g * g);
        V square = s[0];
        if constexpr (kCentered) {
            s[kMean] = s[kMean] + c.beta1Rest * (g - s[kMean]);
            square = square - s[kMean] * s[kMean];
        }
        const V scaled = g / (Math::squareRoot(square) + c.epsilon);
        if constexpr (kMomentum) {
            s[1] = s[1] * c.momentum + scaled;
            return p - c.rate * s[1];
        } else {
            return p - c.rate * scaled;
        }
    }
};
template <>
struct UpdateRule<Rule::RmsProp> : RmsPropRule<false, false> {};
template <>
struct UpdateRule<Rule::RmsPropMomentum> : RmsPropRule<false, true> {};
template <>
struct UpdateRule<Rule::RmsPropCentered> : RmsPropRule<true, false> {};
template <>
struct UpdateRule<Rule::RmsPropCenteredMomentum> : RmsPropRule<true, true> {};

template <bool kAmsgrad>
struct AdamRules {
    static constexpr int kStates = kAmsgrad ? 3 : 2;
    template <class Math, class V = typename Math::Value>
    PLUMB_COMMON static V stepAs(const RuleConstants& c, const V& old, const V& gradient, V* s,
                                 bool decoupled) {
        const V p = decoupled ? old * c.keep : old;
        const V g = decoupled ? gradient : gradient + c.decay * old;
        s[0] = s[0] + c.beta1Rest * (g - s[0]);
        s[1] = s[1] * c.beta2 + c.beta2Rest * (g * g);
        if constexpr (kAmsgrad) s[2] = Math::larger(s[2], s[1]);
        // torch divides by the inverse of the correction; a product is cheaper.
        const V root = Math::squareRoot(s[kAmsgrad ? 2 : 1]) * c.secondCorrection;
        return p - c.rate * (s[0] / (root + c.epsilon));
    }
};
template <bool kDecoupled, bool kAmsgrad>
struct AdamRule : AdamRules<kAmsgrad> {
    template <class Math, class V = typename Math::Value>
    PLUMB_COMMON static V step(const RuleConstants& c, const V& old, const V& gradient, V* s) {
        return AdamRules<kAmsgrad>::template stepAs<Math>(c, old, gradient, s, kDecoupled);
    }
};
template <>
struct UpdateRule<Rule::Adam> : AdamRule<false, false> {};
template <>
struct UpdateRule<Rule::AdamAmsgrad> : AdamRule<false, true> {};
template <>
struct UpdateRule<Rule::AdamW> : AdamRule<true, false> {};
template <>
struct UpdateRule<Rule::AdamWAmsgrad> : AdamRule<true, true> {};

template <>
struct UpdateRule<Rule::Lion> {
    static constexpr int kStates = 1;
    template <class Math, class V = typename Math::Value>
    PLUMB_COMMON static V step(const RuleConstants& c, const V& p, const V& g, V* s) {
        const V direction = s[0] * c.beta1 + c.beta1Rest * g;
        s[0] = s[0] * c.beta2 + c.beta2Rest * g;
        const V step = direction > 0 ? Math::splat(c.rate) : (direction < 0 ? Math::splat(-c.rate) : V{});
        return p * c.keep - step;
    }
};

/// Adafactor's update before it is clipped: g times the product of the factors, which is bounded; what is not
/// a number stays so.
template <class V>
PLUMB_COMMON V adafactorUpdate(const V& g, float rowFactor, const V& columnFactor, const V& largest) {
    const V factor = rowFactor * columnFactor;
    return g * (factor > largest ? largest : factor);
}

PLUMB_COMMON double rootOf(double value) {
#ifdef __CUDA_ARCH__
    return __dsqrt_rn(value);
#else
    return __builtin_sqrt(value);
#endif
}

/// Adafactor's mean squares are mixed in double precision and kept in fp32.
PLUMB_COMMON float mixedMean(float old, double mean, double share) {
    return static_cast<float>(static_cast<double>(old) + share * (mean - static_cast<double>(old)));
}

/// 1 / sqrt(mean), finite for a mean of 0, so that a product with 0 is 0; what is not a number stays so.
PLUMB_COMMON float rootFactor(double mean) {
    constexpr double kMost = 0x1.fffffep127;
    const double factor = 1 / rootOf(mean);
    return static_cast<float>(factor > kMost ? kMost : factor);
}

/// What Adafactor multiplies the update of a matrix with, from sums of squares over its `count` elements: of
/// its parameters before their decay, as torch takes them, and of the update before it is clipped.
PLUMB_COMMON double adafactorRate(const AdafactorConstants& constants, double parameterSquares,
                                  double updateSquares, double count) {
    const double parameterScale = rootOf(parameterSquares / count);
    const double excess = rootOf(updateSquares / count) / constants.threshold;
    const double scale = parameterScale < constants.leastScale ? constants.leastScale : parameterScale;
    return scale * constants.rate / (excess > 1 ? excess : 1);
}

}  // namespace plumb::common
