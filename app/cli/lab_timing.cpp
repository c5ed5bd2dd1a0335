// SPDX-License-Identifier: Apache-2.0
#include "app/cli/lab_timing.h"

#include "app/cli/backends.h"
#include "core/lab/einsum_expression.h"
#include "kernels/cpu/expression_run.h"

namespace plumb::cli {

Result<protocol::EinsumTimed> timeEinsum(const protocol::TimeEinsum& question, const std::stop_token& stop) {
    PLUMB_TRY(const lab::EinsumExpression expression,
              lab::EinsumExpression::parse(question.expression, question.sizes));
    PLUMB_CHECK(expression.checkSizes(question.sizes));
    PLUMB_TRY(const Machine processor, localMachine({BackendChoice::Cpu}));
    PLUMB_TRY(const cpu::ExpressionTiming timing,
              cpu::timeExpression(expression, question.sizes, question.dtype, stop));
    return protocol::EinsumTimed{.expression = question.expression,
                                 .median = timing.median,
                                 .fastest = timing.fastest,
                                 .runs = timing.runs,
                                 .implementation = timing.implementation,
                                 .machine = processor.id};
}

}  // namespace plumb::cli
