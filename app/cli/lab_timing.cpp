// SPDX-License-Identifier: Apache-2.0
#include "app/cli/lab_timing.h"

#include "core/lab/einsum_expression.h"
#include "kernels/cpu/contraction.h"

#include <fmt/format.h>

namespace plumb::cli {

Result<protocol::EinsumTimed> timeEinsum(const protocol::TimeEinsum& question, const std::stop_token& stop) {
    PLUMB_TRY(const lab::EinsumExpression expression,
              lab::EinsumExpression::parse(question.expression, question.sizes));
    PLUMB_CHECK(expression.checkSizes(question.sizes));
    const bool sums = expression.kind == lab::ExpressionKind::Product ||
                      (expression.kind == lab::ExpressionKind::Reduce && expression.function == "sum") ||
                      expression.kind == lab::ExpressionKind::Rearrange;
    if (!sums)
        return Error{ErrorCode::BadInput,
                     fmt::format("this machine times products, sums and rearrangements only ({})",
                                 question.expression),
                     "its bound is the roofline's"};
    PLUMB_TRY(
        const cpu::ContractionTiming timing,
        cpu::timeContraction(expression.loops, expression.complete(question.sizes), question.dtype, stop));
    protocol::EinsumTimed timed;
    timed.expression = question.expression;
    timed.median = timing.median;
    timed.fastest = timing.fastest;
    timed.runs = timing.runs;
    timed.implementation = timing.implementation;
    return timed;
}

}  // namespace plumb::cli
