// SPDX-License-Identifier: Apache-2.0
#include "core/plan/einsum.h"

#include "core/lab/contraction_order.h"
#include "core/lab/einsum_cost.h"
#include "core/machine/hardware_database.h"
#include "core/machine/machine.h"
#include "tests/fuzz/support.h"
#include "tests/fuzz/targets.h"

namespace plumb::fuzz {

void einsum(std::string_view input) {
    using namespace lab;
    const auto all = lines(input);
    DimensionSizes sizes;
    for (std::size_t i = 1; i < all.size(); ++i) {
        const std::size_t at = all[i].find('=');
        if (at == std::string_view::npos) continue;
        const auto value = parseSize(all[i].substr(at + 1));
        if (isTaken(value)) sizes[std::string(all[i].substr(0, at))] = *value;
    }
    (void)isTaken(Einsum::parse(all.front()));
    const auto expression = EinsumExpression::parse(all.front(), sizes);
    if (!isTaken(expression)) return;
    const std::string text = expression->text();
    const auto again = EinsumExpression::parse(text);
    require(again.has_value(), "an expression's own text is read", text);
    require(again->text() == text, "an expression's own text stays the same", text);

    DimensionSizes known;
    std::int64_t next = 2;
    for (const std::string& name : expression->dimensions()) {
        const auto found = sizes.find(name);
        known[name] = found != sizes.end() ? found->second : next++;
    }
    require(expression->checkSizes(known).has_value() || !sizes.empty(), "small sizes are accepted", text);
    for (const GradientExpression& gradient : gradientsOf(*expression))
        require(gradient.text.empty() || EinsumExpression::parse(gradient.text).has_value(),
                "a gradient is an expression", gradient.text);
    (void)loopNest(*expression, known);
    static const Machine device = *HardwareDatabase::builtIn().find("h200-sxm");
    for (const Dtype dtype : {Dtype::Fp32, Dtype::Bf16, Dtype::Fp8E4M3}) {
        const auto cost = costOf(*expression, known, dtype);
        if (!isTaken(cost)) continue;
        require(cost->flops >= 0 && cost->bytes >= 0 && cost->points >= 0, "a cost is not negative", text);
        (void)boundOn(*expression, *cost, dtype, device);
    }
    (void)bestOrder(*expression, known);
}

}  // namespace plumb::fuzz
