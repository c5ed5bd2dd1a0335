// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/quantity.h"
#include "core/model/run_config.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace plumb {

// What each update rule keeps and costs: the one table that the planner, the backends and the files read.
//
// FLOPs per parameter: each multiply, add, divide, square root and comparison of the formula is one; what is
// the same for all parameters (1 - lr*wd, bias corrections) is none, and so is what the step's metrics
// (norms) add. Bytes per parameter are those of the states alone, always fp32.
//
//   rule       states                     bytes  FLOPs  formula; what else costs
//   SGD        -                          0      2      p -= lr*g
//   Momentum   momentum                   4      4      b = mu*b + g, p -= lr*b; dampening +1, Nesterov +2
//   AdaGrad    sum of squares             4      7      s += g*g, p -= lr * g / (sqrt(s) + eps)
//   RMSProp    mean square                4      9      v = a*v + (1-a)*g*g, p -= lr * g / (sqrt(v) + eps);
//              + momentum, + mean         +4 +4         momentum +2, centered +5
//   Adam       first, second moment       8      13     m = b1*m + (1-b1)*g, v = b2*v + (1-b2)*g*g,
//              + largest second           +4            p -= lr/c1 * m / (sqrt(v)/sqrt(c2) + eps); AMSGrad +1
//   AdamW      as Adam                    8      13     as Adam
//   Lion       momentum                   4      9      p -= lr * sign(b1*m + (1-b1)*g), m = b2*m + (1-b2)*g
//   Adafactor  mean squares of rows       4/out  16     r, c from row and column means of g*g,
//              and of columns             +4/in         u = g * min(1/sqrt(r/mean(r)) * 1/sqrt(c), 1/eps1),
//                                                       p -= lr * max(eps2, rms(p)) * u / max(1, rms(u)/d)
//
// Adafactor takes four passes over a matrix, since its sums are needed as a whole: squares by row and of p
// (4), by column (2), u and its square (5), u again and the update (5). Weight decay adds 2 (g += wd*p), with
// AdamW, Lion and Adafactor 1 (p *= 1 - lr*wd). A factor on the gradient (loss scale, clipping) adds 1 for
// each pass. docs/accounting.md has the same table, held by a test.

/// One state tensor of a rule, per parameter matrix.
enum class OptimizerState : std::uint8_t {
    MomentumBuffer,
    SumOfSquares,
    MeanSquare,
    MeanGradient,
    FirstMoment,
    SecondMoment,
    LargestSecondMoment,
    RowMeanSquare,     ///< [rows, 1]
    ColumnMeanSquare,  ///< [1, columns]
};

struct OptimizerStates {
    std::array<OptimizerState, 3> kind{};
    std::size_t count = 0;
};

/// The states that `config`'s rule keeps, in the order of TensorRole::Moment1 to Moment3.
[[nodiscard]] OptimizerStates optimizerStates(const RunConfig& config);
/// Index of `state` among optimizerStates(config); -1 when it has none.
[[nodiscard]] int stateIndex(const RunConfig& config, OptimizerState state);

/// FLOPs of one optimizer step, per parameter; see the table above.
[[nodiscard]] Flops optimizerFlopsPerParameter(const RunConfig& config);

[[nodiscard]] std::string_view optimizerLabel(Optimizer optimizer);  ///< "AdamW", for people
[[nodiscard]] std::string_view stateLabel(OptimizerState state);     ///< "first moment", for people
/// Name in files, that of torch.optim's state where it has one: "exp_avg".
[[nodiscard]] std::string_view stateName(OptimizerState state, Optimizer optimizer);

}  // namespace plumb
