// SPDX-License-Identifier: Apache-2.0
#include "core/base/nearest.h"
#include "core/lab/step_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace plumb::lab {

namespace {

constexpr int kMostBrackets = 64;  ///< open at once

/// Walks through the text of steps.
class StepReader {
public:
    explicit StepReader(std::string_view text) : m_at(text) {}

    Result<std::vector<LayoutStep>> read() {
        Steps steps;
        m_at.skipBlanks();
        if (m_at.atEnd()) return steps;
        PLUMB_TRY(Part all, sum());
        if (all.number) return m_at.bad("there is a number and no tensor", "call the tensor x, as in 2 * x");
        steps = std::move(all.steps);
        m_at.skipBlanks();
        PLUMB_CHECK(assignment(steps));
        m_at.skipBlanks();
        if (!m_at.atEnd()) return m_at.unexpected(kGoOn);
        if (!areFinite(steps))
            return m_at.bad("the numbers come to none that fp64 holds", "use smaller ones");
        return steps;
    }

private:
    using Steps = std::vector<LayoutStep>;
    static bool areFinite(const Steps& steps) {
        return std::ranges::all_of(steps, [](const LayoutStep& step) {
            return std::isfinite(step.scalar) && areFinite(step.operand);
        });
    }
    static constexpr std::string_view kGoOn =
        "go on with an index in [ ] or with a method, such as .transpose(0, 1)";

    // x * 2 + x.T, what binds tighter first. Each operator becomes the method that it stands for.

    /// A level of an expression: a number, or what the tensor goes through.
    struct Part {
        std::optional<double> number;
        Steps steps;
    };

    Result<Part> sum() {
        PLUMB_TRY(Part left, product());
        for (;;) {
            const char sign = m_at.operatorHere("+-");
            if (sign == '\0') return left;
            m_at.skip();
            PLUMB_TRY(Part right, product());
            if (!left.number || !right.number) {
                if (left.number && sign == '-') call(right.steps, "neg");
                left =
                    combined(std::move(left), sign == '+' || left.number ? "add" : "sub", std::move(right));
            } else {
                left.number = sign == '+' ? *left.number + *right.number : *left.number - *right.number;
            }
        }
    }
    Result<Part> product() {
        PLUMB_TRY(Part left, power());
        for (;;) {
            const char sign = m_at.operatorHere("*/");
            if (sign == '\0') return left;
            m_at.skip();
            PLUMB_TRY(Part right, power());
            if (!left.number || !right.number) {
                if (left.number && sign == '/') call(right.steps, "reciprocal");
                left =
                    combined(std::move(left), sign == '*' || left.number ? "mul" : "div", std::move(right));
            } else {
                left.number = sign == '*' ? *left.number * *right.number : *left.number / *right.number;
            }
        }
    }
    Result<Part> power() {
        m_at.skipBlanks();
        if (m_at.atScalar()) return numberPart();
        const bool negative = m_at.here() == '-';
        if (negative) m_at.skip();
        Part base;
        PLUMB_TRY(base.steps, primary());
        m_at.skipBlanks();
        if (m_at.rest().starts_with("**") && m_at.rest().substr(2, 1) != "=") {
            m_at.skip(2);
            PLUMB_CHECK(open());  // x ** x ** x is worked out from the right
            PLUMB_TRY(Part exponent, power());
            --m_open;
            base = combined(std::move(base), "pow", std::move(exponent));
        }
        if (negative) call(base.steps, "neg");
        return base;
    }
    Result<Part> numberPart() {
        Part part;
        PLUMB_TRY(part.number, scalarPower());
        return part;
    }
    Result<Steps> primary() {
        Steps steps;
        m_at.skipBlanks();
        if (m_at.here() == '(') {
            PLUMB_CHECK(open());
            m_at.skip();
            PLUMB_TRY(Part inner, sum());
            if (inner.number)
                return m_at.bad("there is a number in brackets and no tensor", "leave the brackets out");
            if (!m_at.take(')')) return m_at.unexpected("close the brackets with )");
            --m_open;
            steps = std::move(inner.steps);
        } else if (m_at.atName()) {
            PLUMB_CHECK(tensorName());
        } else if (m_at.here() != '[' && m_at.here() != '.') {
            return m_at.unexpected(kGoOn);
        }
        for (m_at.skipBlanks(); m_at.here() == '[' || m_at.here() == '.'; m_at.skipBlanks()) {
            const std::size_t begin = m_at.position();
            PLUMB_TRY(LayoutStep step, one());
            step.text = std::string(m_at.since(begin));
            steps.push_back(std::move(step));
        }
        return steps;
    }
    /// There is one tensor, whatever it is called.
    Result<void> tensorName() {
        const std::size_t begin = m_at.position();
        const std::string_view called = m_at.name();
        if (m_name.empty()) m_name = called;
        if (called == m_name) return {};
        m_at.returnTo(begin);
        return m_at.bad(fmt::format("{} is another tensor than {}", called, m_name),
                        fmt::format("reckon with {} alone", m_name));
    }
    Result<void> open() {
        if (++m_open > kMostBrackets) return m_at.bad("too many brackets are open", "leave some out");
        return {};
    }
    /// Numbers alone, where only one can stand: 2 * 3.
    Result<std::optional<double>> numbers() {
        PLUMB_TRY(std::optional<double> value, scalarPower());
        for (;;) {
            const char sign = m_at.operatorHere("*/");
            if (sign == '\0') return value;
            m_at.skip();
            PLUMB_TRY(const std::optional<double> next, scalarPower());
            value = sign == '*' ? *value * *next : *value / *next;
        }
    }
    /// 2, -2 ** 3: a sign comes last, and powers are worked out from the right.
    Result<std::optional<double>> scalarPower() {
        std::vector<double> bases;
        for (bool more = true; more;) {
            PLUMB_TRY(const double base, m_at.scalar());
            bases.push_back(base);
            m_at.skipBlanks();
            more = m_at.rest().starts_with("**");
            if (more) m_at.skip(2);
        }
        double value = bases.back();
        for (std::size_t i = bases.size() - 1; i-- > 0;)
            value = std::copysign(1.0, bases[i]) * std::pow(std::fabs(bases[i]), value);
        return std::optional(value);
    }
    static void call(Steps& steps, std::string_view method, std::optional<double> number = std::nullopt) {
        LayoutStep step{.kind = StepKind::Elementwise,
                        .name = std::string(method),
                        .scalar = number.value_or(0),
                        .text = fmt::format(".{}({})", method, number ? fmt::format("{}", *number) : "")};
        steps.push_back(std::move(step));
    }
    /// A method of whichever of both is a tensor, and not of two numbers. The order of the operands is that
    /// of the method where both are tensors; a number alone on the left is the argument of "add" or "mul".
    [[nodiscard]] Part combined(Part left, std::string_view method, Part right) const {
        if (left.number || right.number) {
            const double number = left.number ? *left.number : *right.number;
            Part result{std::nullopt, std::move(left.number ? right.steps : left.steps)};
            call(result.steps, method, number);
            return result;
        }
        call(left.steps, method);
        LayoutStep& step = left.steps.back();
        step.takesTensor = true;
        step.operand = std::move(right.steps);
        step.text = fmt::format(".{}({}", method, m_name);  // without a name it has steps
        for (const LayoutStep& each : step.operand) step.text += each.text;
        step.text += ')';
        return left;
    }
    /// x[1:] = 0, x[0] += 1: written through the index.
    Result<void> assignment(Steps& steps) {
        constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kForms{{{"**=", "pow_"},
                                                                                       {"+=", "add_"},
                                                                                       {"-=", "sub_"},
                                                                                       {"*=", "mul_"},
                                                                                       {"/=", "div_"},
                                                                                       {"=", "fill_"}}};
        for (const auto& [sign, method] : kForms) {
            if (!m_at.rest().starts_with(sign)) continue;
            const bool plain = sign == "=";
            if (steps.empty() ? plain : steps.back().kind != StepKind::Index)
                return m_at.bad(fmt::format("{} has nothing to write into", sign),
                                fmt::format("write it behind an index, such as x[0] {} 1", sign));
            m_at.skip(sign.size());
            PLUMB_TRY(const std::optional<double> value, numbers());
            call(steps, method, value);
            steps.back().kind = StepKind::InPlace;
            return {};
        }
        return {};
    }

    Result<LayoutStep> one() {
        if (m_at.take('[')) return readIndex(m_at);
        if (m_at.take('.')) return method();
        return m_at.unexpected("go on with an index in [ ] or with a method, such as .transpose(0, 1)");
    }

    Result<LayoutStep> method() {
        m_at.skipBlanks();
        const std::string called(m_at.name());
        if (called == "to") return placement();
        const std::span<const Method> all = layoutMethods();
        const auto method = std::ranges::find(all, std::string_view(called), &Method::name);
        if (method == all.end()) return unknownMethod(called);
        LayoutStep step;
        step.kind = method->kind;
        const bool named = step.kind == StepKind::Elementwise || step.kind == StepKind::InPlace ||
                           step.kind == StepKind::Question;
        if (named) step.name = called;
        if (method->parameters == kScalar) {
            if (!m_at.take('(')) return m_at.unexpected("a method needs its brackets, such as .contiguous()");
            PLUMB_CHECK(operandOf(step));
            if (!m_at.take(')')) return m_at.unexpected("close the brackets with )");
            return step;
        }
        if (method->attribute) {
            if (m_at.take('('))
                return m_at.bad(fmt::format(".{} takes no brackets", called), "write it without ( )");
            return step;
        }
        PLUMB_TRY(const CallArguments call, readArguments(m_at));
        if (!call.device.empty()) return m_at.bad("text is unexpected", "give whole numbers");
        PLUMB_TRY(step.numbers, argumentsOf(m_at, *method, call));
        return step;
    }

    /// The argument of .mul(): a number, or the tensor and its steps; exponent=2 as well.
    Result<void> operandOf(LayoutStep& step) {
        m_at.skipBlanks();
        const std::size_t begin = m_at.position();
        if (m_at.atName()) {
            m_at.name();
            if (!m_at.take('=')) m_at.returnTo(begin);
        }
        m_at.skipBlanks();
        if (m_at.atScalar() || step.kind == StepKind::InPlace) {
            PLUMB_TRY(step.scalar, m_at.scalar());
            return {};
        }
        PLUMB_CHECK(open());
        PLUMB_TRY(Part operand, sum());
        --m_open;
        if (operand.number) {
            step.scalar = *operand.number;
            return {};
        }
        step.takesTensor = true;
        step.operand = std::move(operand.steps);
        return {};
    }

    Result<LayoutStep> placement() {
        PLUMB_TRY(const CallArguments call, readArguments(m_at));
        LayoutStep step;
        const std::string_view device = std::string_view(call.device).substr(0, call.device.find(':'));
        if (!call.numbers.empty() || !call.named.empty() || (device != "cuda" && device != "cpu"))
            return m_at.bad(".to() takes a device", "write .to(\"cuda\") or .to(\"cpu\")");
        step.kind = device == "cuda" ? StepKind::ToGpu : StepKind::ToHost;
        return step;
    }

    [[nodiscard]] Error unknownMethod(const std::string& called) const {
        std::vector<std::string> names{"to"};
        for (const Method& known : layoutMethods()) names.emplace_back(known.name);
        const std::string nearest = nearestWord(called, names);
        return m_at.bad(fmt::format("the step .{:s} is unknown", called),
                        nearest.empty() ? fmt::format("the steps are {:s}", fmt::join(names, ", "))
                                        : fmt::format("did you mean .{:s}?", nearest));
    }

    StepCursor m_at;
    int m_open = 0;           ///< brackets around the tensor, and powers of powers
    std::string_view m_name;  ///< of the tensor, once it was named
};

}  // namespace

Result<std::vector<LayoutStep>> parseSteps(std::string_view text) { return StepReader(text).read(); }

}  // namespace plumb::lab
