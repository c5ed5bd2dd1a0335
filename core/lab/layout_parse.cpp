// SPDX-License-Identifier: Apache-2.0
#include "core/base/ascii.h"
#include "core/base/nearest.h"
#include "core/lab/layout_methods.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace plumb::lab {

namespace {

constexpr int kMostBrackets = 64;  ///< open at once

bool isNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
/// Walks through the text of steps.
class StepReader {
public:
    explicit StepReader(std::string_view text) : m_text(text) {}

    Result<std::vector<LayoutStep>> read() {
        Steps steps;
        skipBlanks();
        if (m_at == m_text.size()) return steps;
        PLUMB_TRY(Part all, sum());
        if (all.number) return bad("there is a number and no tensor", "call the tensor x, as in 2 * x");
        steps = std::move(all.steps);
        skipBlanks();
        PLUMB_CHECK(assignment(steps));
        skipBlanks();
        if (m_at < m_text.size()) return unexpected(kGoOn);
        if (!areFinite(steps)) return bad("the numbers come to none that fp64 holds", "use smaller ones");
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
            const char sign = operatorHere("+-");
            if (sign == '\0') return left;
            ++m_at;
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
            const char sign = operatorHere("*/");
            if (sign == '\0') return left;
            ++m_at;
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
        skipBlanks();
        if (atScalar()) return numberPart();
        const bool negative = here() == '-';
        if (negative) ++m_at;
        Part base;
        PLUMB_TRY(base.steps, primary());
        skipBlanks();
        if (m_text.substr(m_at, 2) == "**" && m_text.substr(m_at + 2, 1) != "=") {
            m_at += 2;
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
        skipBlanks();
        if (here() == '(') {
            PLUMB_CHECK(open());
            ++m_at;
            PLUMB_TRY(Part inner, sum());
            if (inner.number)
                return bad("there is a number in brackets and no tensor", "leave the brackets out");
            if (!take(')')) return unexpected("close the brackets with )");
            --m_open;
            steps = std::move(inner.steps);
        } else if (isNameStart(here())) {
            PLUMB_CHECK(tensorName());
        } else if (here() != '[' && here() != '.') {
            return unexpected(kGoOn);
        }
        for (skipBlanks(); here() == '[' || here() == '.'; skipBlanks()) {
            const std::size_t begin = m_at;
            PLUMB_TRY(LayoutStep step, one());
            step.text = std::string(m_text.substr(begin, m_at - begin));
            steps.push_back(std::move(step));
        }
        return steps;
    }
    /// There is one tensor, whatever it is called.
    Result<void> tensorName() {
        const std::size_t begin = m_at;
        const std::string_view called = name();
        if (m_name.empty()) m_name = called;
        if (called == m_name) return {};
        m_at = begin;
        return bad(fmt::format("{} is another tensor than {}", called, m_name),
                   fmt::format("reckon with {} alone", m_name));
    }
    Result<void> open() {
        if (++m_open > kMostBrackets) return bad("too many brackets are open", "leave some out");
        return {};
    }
    /// Numbers alone, where only one can stand: 2 * 3.
    Result<std::optional<double>> numbers() {
        PLUMB_TRY(std::optional<double> value, scalarPower());
        for (;;) {
            const char sign = operatorHere("*/");
            if (sign == '\0') return value;
            ++m_at;
            PLUMB_TRY(const std::optional<double> next, scalarPower());
            value = sign == '*' ? *value * *next : *value / *next;
        }
    }
    /// 2, -2 ** 3: a sign comes last, and powers are worked out from the right.
    Result<std::optional<double>> scalarPower() {
        std::vector<double> bases;
        for (bool more = true; more;) {
            PLUMB_TRY(const double base, scalar());
            bases.push_back(base);
            skipBlanks();
            more = m_text.substr(m_at, 2) == "**";
            if (more) m_at += 2;
        }
        double value = bases.back();
        for (std::size_t i = bases.size() - 1; i-- > 0;)
            value = std::copysign(1.0, bases[i]) * std::pow(std::fabs(bases[i]), value);
        return std::optional(value);
    }
    [[nodiscard]] bool atScalar() const {
        const bool sign = here() == '-' || here() == '+';
        return isDigit(m_at + (sign ? 1 : 0) < m_text.size() ? m_text[m_at + (sign ? 1 : 0)] : '\0');
    }
    Result<double> scalar() {
        skipBlanks();
        if (!atScalar()) return unexpected("a number belongs here, such as 2 or -0.5");
        if (here() == '+') ++m_at;
        double value = 0;
        const auto [end, code] = std::from_chars(m_text.data() + m_at, m_text.data() + m_text.size(), value);
        if (code != std::errc()) return bad("a number is too large or too small", "use one that fp64 holds");
        m_at = static_cast<std::size_t>(end - m_text.data());
        return value;
    }
    /// One of `signs` that is no part of ** or of an assignment; 0 for none.
    [[nodiscard]] char operatorHere(std::string_view signs) {
        skipBlanks();
        const char sign = here();
        const char next = m_at + 1 < m_text.size() ? m_text[m_at + 1] : '\0';
        if (signs.find(sign) == std::string_view::npos || sign == '\0' || next == '=') return '\0';
        return sign == '*' && next == '*' ? '\0' : sign;
    }
    static void call(Steps& steps, std::string_view method, std::optional<double> number = std::nullopt) {
        LayoutStep step;
        step.kind = StepKind::Elementwise;
        step.name = method;
        step.scalar = number.value_or(0);
        step.text = fmt::format(".{}({})", method, number ? fmt::format("{}", *number) : "");
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
            if (!m_text.substr(m_at).starts_with(sign)) continue;
            const bool plain = sign == "=";
            if (steps.empty() ? plain : steps.back().kind != StepKind::Index)
                return bad(fmt::format("{} has nothing to write into", sign),
                           fmt::format("write it behind an index, such as x[0] {} 1", sign));
            m_at += sign.size();
            PLUMB_TRY(const std::optional<double> value, numbers());
            call(steps, method, value);
            steps.back().kind = StepKind::InPlace;
            return {};
        }
        return {};
    }

    /// The arguments of a call as they are read.
    struct Call {
        std::vector<std::int64_t> numbers;
        std::vector<std::pair<std::string, std::int64_t>> named;
        std::string device;
        bool list = false;  ///< a tuple or list stood for the numbers
    };

    [[nodiscard]] char here() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }
    /// The whole of the character that is next, which may be several bytes of UTF-8.
    [[nodiscard]] std::string_view character() const {
        std::size_t end = m_at + 1;
        while (end < m_text.size() && (static_cast<unsigned char>(m_text[end]) & 0xC0U) == 0x80U) ++end;
        return m_text.substr(m_at, end - m_at);
    }
    void skipBlanks() {
        while (here() == ' ' || here() == '\t' || here() == '\n') ++m_at;
    }
    bool take(char c) {
        skipBlanks();
        if (here() != c) return false;
        ++m_at;
        return true;
    }
    std::string_view name() {
        const std::size_t begin = m_at;
        while (isNameStart(here()) || isDigit(here())) ++m_at;
        return m_text.substr(begin, m_at - begin);
    }
    [[nodiscard]] Error bad(std::string_view what, std::string_view hint) const {
        return {ErrorCode::BadInput,
                fmt::format("in the steps \"{}\", {} at character {}", m_text, what, m_at + 1),
                std::string(hint)};
    }
    [[nodiscard]] Error unexpected(std::string_view wanted) const {
        return bad(here() == '\0' ? std::string("something is missing")
                                  : fmt::format("'{}' is unexpected", character()),
                   wanted);
    }

    [[nodiscard]] bool atNumber() {
        skipBlanks();
        return isDigit(here()) || here() == '-' || here() == '+';
    }
    Result<std::int64_t> number() {
        skipBlanks();
        const bool plus = here() == '+';
        std::int64_t value = 0;
        const char* begin = m_text.data() + m_at + (plus ? 1 : 0);
        const auto [end, code] = std::from_chars(begin, m_text.data() + m_text.size(), value);
        if (code == std::errc::result_out_of_range)
            return bad("a number is too large", "use at most 63 bits");
        if (code != std::errc()) return unexpected("a whole number belongs here, such as 2 or -1");
        m_at = static_cast<std::size_t>(end - m_text.data());
        if (here() == '.' || here() == 'e')
            return bad("a number is not whole", "use whole numbers, such as 2");
        return value;
    }

    Result<LayoutStep> one() {
        if (take('[')) return index();
        if (take('.')) return method();
        return unexpected("go on with an index in [ ] or with a method, such as .transpose(0, 1)");
    }

    Result<IndexItem> indexItem() {
        IndexItem item;
        skipBlanks();
        if (m_text.substr(m_at, 3) == "...") {
            m_at += 3;
            item.kind = IndexItem::Kind::Ellipsis;
            return item;
        }
        if (isNameStart(here())) {
            const std::size_t begin = m_at;
            if (name() != "None") {
                m_at = begin;
                return bad("a name is unexpected", "index with whole numbers, slices, None or ...");
            }
            item.kind = IndexItem::Kind::NewAxis;
            return item;
        }
        if (here() == '[')
            return bad("a list is unexpected", "indexing with a list gathers into a copy; use a slice here");
        if (atNumber()) {
            PLUMB_TRY(const std::int64_t first, number());
            item.start = first;
        }
        if (!take(':')) {
            if (!item.start) return unexpected("index with whole numbers, slices, None or ...");
            item.kind = IndexItem::Kind::Integer;
            item.integer = *item.start;
            item.start.reset();
            return item;
        }
        if (atNumber()) {
            PLUMB_TRY(const std::int64_t stop, number());
            item.stop = stop;
        }
        if (take(':') && atNumber()) {
            PLUMB_TRY(const std::int64_t step, number());
            item.step = step;
        }
        return item;
    }

    Result<LayoutStep> index() {
        LayoutStep step;
        step.kind = StepKind::Index;
        do {
            skipBlanks();
            if (here() == ']' && !step.items.empty()) break;  // x[1,]
            PLUMB_TRY(IndexItem item, indexItem());
            step.items.push_back(item);
        } while (take(','));
        if (!take(']')) return unexpected("close the index with ]");
        return step;
    }

    Result<LayoutStep> method() {
        skipBlanks();
        const std::string called(name());
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
            if (!take('(')) return unexpected("a method needs its brackets, such as .contiguous()");
            PLUMB_CHECK(operandOf(step));
            if (!take(')')) return unexpected("close the brackets with )");
            return step;
        }
        if (method->attribute) {
            if (take('(')) return bad(fmt::format(".{} takes no brackets", called), "write it without ( )");
            return step;
        }
        PLUMB_TRY(const Call call, arguments());
        if (!call.device.empty()) return bad("text is unexpected", "give whole numbers");
        PLUMB_TRY(step.numbers, argumentsOf(*method, call));
        return step;
    }

    /// The argument of .mul(): a number, or the tensor and its steps; exponent=2 as well.
    Result<void> operandOf(LayoutStep& step) {
        skipBlanks();
        const std::size_t begin = m_at;
        if (isNameStart(here())) {
            name();
            if (!take('=')) m_at = begin;
        }
        skipBlanks();
        if (atScalar() || step.kind == StepKind::InPlace) {
            PLUMB_TRY(step.scalar, scalar());
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
        PLUMB_TRY(const Call call, arguments());
        LayoutStep step;
        const std::string_view device = std::string_view(call.device).substr(0, call.device.find(':'));
        if (!call.numbers.empty() || !call.named.empty() || (device != "cuda" && device != "cpu"))
            return bad(".to() takes a device", R"(write .to("cuda") or .to("cpu"))");
        step.kind = device == "cuda" ? StepKind::ToGpu : StepKind::ToHost;
        return step;
    }

    [[nodiscard]] Error unknownMethod(const std::string& called) const {
        std::vector<std::string> names{"to"};
        for (const Method& known : layoutMethods()) names.emplace_back(known.name);
        const std::string nearest = nearestWord(called, names);
        return bad(fmt::format("the step .{} is unknown", called),
                   nearest.empty() ? fmt::format("the steps are {}", fmt::join(names, ", "))
                                   : fmt::format("did you mean .{}?", nearest));
    }

    Result<Call> arguments() {
        Call call;
        if (!take('(')) return unexpected("a method needs its brackets, such as .contiguous()");
        for (skipBlanks(); here() != ')'; skipBlanks()) {
            if (here() == '(' || here() == '[') {
                PLUMB_CHECK(list(call));
            } else if (here() == '"' || here() == '\'') {
                PLUMB_CHECK(quoted(call));
            } else {
                PLUMB_CHECK(argument(call));
            }
            if (!take(',')) break;
        }
        if (!take(')')) return unexpected("close the brackets with )");
        return call;
    }
    Result<void> argument(Call& call) {
        std::string key;
        if (isNameStart(here())) {
            key = std::string(name());
            if (!take('=')) return unexpected("give whole numbers");
            skipBlanks();
            if (here() == '(' || here() == '[') return list(call);  // dims=(1, 0)
        }
        PLUMB_TRY(const std::int64_t value, number());
        if (key.empty())
            call.numbers.push_back(value);
        else
            call.named.emplace_back(key, value);
        return {};
    }
    Result<void> list(Call& call) {
        const char close = here() == '(' ? ')' : ']';
        ++m_at;
        for (skipBlanks(); here() != close; skipBlanks()) {
            PLUMB_TRY(const std::int64_t value, number());
            call.numbers.push_back(value);
            if (!take(',')) break;
        }
        if (!take(close)) return unexpected(fmt::format("close the list with {}", close));
        call.list = true;
        return {};
    }
    Result<void> quoted(Call& call) {
        const char quote = here();
        const std::size_t end = m_text.find(quote, m_at + 1);
        if (end == std::string_view::npos) return bad("a quotation mark is never closed", "close it");
        call.device = std::string(m_text.substr(m_at + 1, end - m_at - 1));
        m_at = end + 1;
        return {};
    }

    [[nodiscard]] Result<std::vector<std::int64_t>> argumentsOf(const Method& method,
                                                                const Call& call) const {
        if (method.parameters == "*") {
            std::vector<std::int64_t> numbers = call.numbers;
            for (const auto& [key, value] : call.named) numbers.push_back(value);
            if (numbers.size() < method.required && !call.list)
                return bad(fmt::format(".{} has no arguments", method.name), "give whole numbers");
            return numbers;
        }
        std::vector<std::string_view> parameters;
        for (std::size_t begin = 0; begin < method.parameters.size();) {
            const std::size_t end = std::min(method.parameters.find(' ', begin), method.parameters.size());
            parameters.push_back(method.parameters.substr(begin, end - begin));
            begin = end + 1;
        }
        if (call.numbers.size() > parameters.size())
            return bad(fmt::format(".{} was given {} arguments", method.name, call.numbers.size()),
                       fmt::format("it takes {}: {}", parameters.size(), method.parameters));
        std::vector<std::int64_t> numbers(method.defaults.begin(),
                                          method.defaults.begin() +
                                              static_cast<std::ptrdiff_t>(parameters.size()));
        std::vector<bool> given(parameters.size(), false);
        for (std::size_t i = 0; i < call.numbers.size(); ++i) {
            numbers[i] = call.numbers[i];
            given[i] = true;
        }
        for (const auto& [key, value] : call.named) {
            const auto found = std::find(parameters.begin(), parameters.end(), key);
            const auto i = static_cast<std::size_t>(found - parameters.begin());
            if (found == parameters.end() || given[i])
                return bad(
                    fmt::format(".{} does not take {} here", method.name, key),
                    fmt::format("it takes {}", method.parameters.empty() ? "nothing" : method.parameters));
            numbers[i] = value;
            given[i] = true;
        }
        for (std::size_t i = 0; i < method.required; ++i)
            if (!given[i])
                return bad(fmt::format(".{} lacks {}", method.name, parameters[i]), "give a whole number");
        return numbers;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    int m_open = 0;           ///< brackets around the tensor, and powers of powers
    std::string_view m_name;  ///< of the tensor, once it was named
};

}  // namespace

Result<std::vector<LayoutStep>> parseSteps(std::string_view text) { return StepReader(text).read(); }

}  // namespace plumb::lab
