// SPDX-License-Identifier: Apache-2.0
#include "core/lab/einsum_expression.h"

#include "core/base/ascii.h"
#include "core/base/contains.h"
#include "core/base/nearest.h"
#include "core/base/plain_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace plumb::lab {

namespace {

using Names = std::vector<std::string>;

constexpr std::string_view kForm =
    "write it like \"batch in, in out -> batch out\", \"ij,jk->ik\" or \"b (h w) c -> b c h w\"";
constexpr std::string_view kArrow = "->";
constexpr std::string_view kBetweenWords = " \t";
constexpr std::string_view kReductions[] = {"sum", "mean", "max", "min", "prod"};

constexpr ElementFunction kFunctions[] = {
    {"relu", "ReLU", 1, 1, 0, "one comparison"},
    {"relu_backward", "ReLU, backward", 2, 1, 0, "one multiply by the mask"},
    {"gelu", "GELU (tanh form)", 1, 20, 0,
     "0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))): cube 2, scale, add, outer scale, tanh about 12, add, "
     "two "
     "multiplies"},
    {"silu", "SiLU", 1, 5, 0, "negate, exp, add, divide, multiply"},
    {"softmax", "softmax over the last dimension", 1, 5, 2,
     "largest n-1, subtract n, exp n, sum n-1, divide n for a row of n"},
    {"layer_norm", "layer norm", 1, 8, 0, "mean, subtract, square, sum, normalise, scale, shift; about 8"},
    {"rms_norm", "RMS norm", 1, 4, 0, "square, sum, normalise, scale; about 4"},
    {"add", "add", 2, 1, 0, "one add"},
    {"multiply", "multiply", 2, 1, 0, "one multiply"},
    {"subtract", "subtract", 2, 1, 0, "one subtraction"},
    {"divide", "divide", 2, 1, 0, "one division"},
    {"sqrt", "square root", 1, 1, 0, "one square root"},
    {"rsqrt", "reciprocal square root", 1, 2, 0, "one square root and one division"},
    {"reciprocal", "reciprocal", 1, 1, 0, "one division"},
    {"square", "square", 1, 1, 0, "one multiply"},
    {"abs", "absolute value", 1, 1, 0, "one operation on the sign"},
    {"neg", "negative", 1, 1, 0, "one operation on the sign"},
    {"copy", "copy", 1, 0, 0, "nothing is computed"},
};

/// `text` where it is short enough to be read in a sentence, else its beginning.
std::string quoted(std::string_view text) {
    constexpr std::size_t kMost = 160;
    if (text.size() <= kMost) return std::string(text);
    return std::string(beginningOf(text, kMost)) + "…";
}

Error bad(std::string_view text, std::string_view why, std::string_view hint) {
    return Error{ErrorCode::BadInput, fmt::format("einsum \"{:s}\" {}", quoted(text), why),
                 std::string(hint)};
}

/// A list of what one types, cut off where nobody would read on.
std::string listed(const std::vector<std::string>& names, std::string_view each = "") {
    constexpr std::size_t kMost = 6;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i)
        text += fmt::format("{}{}{}", i == 0 ? "" : ", ", names[i], each);
    if (names.size() > kMost) text += fmt::format(", … ({})", names.size());
    return text;
}

bool isName(char c) { return isLetter(c) || isDigit(c) || c == '_'; }

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (bool more = true; more;) {
        const std::size_t at = text.find(separator);
        more = at != std::string_view::npos;
        parts.push_back(trimmed(text.substr(0, at), kBetweenWords));
        text = more ? text.substr(at + 1) : std::string_view();
    }
    return parts;
}

/// Reads one tensor's axes. `letters`: every letter is an axis.
class AxisReader {
public:
    AxisReader(std::string_view expression, std::string_view part, bool letters)
        : m_expression(expression), m_part(part), m_letters(letters) {}

    Result<TensorAxes> read() {
        TensorAxes axes;
        bool open = false;
        while (m_at < m_part.size()) {
            const char c = m_part[m_at];
            if (c == ' ' || c == '\t') {
                ++m_at;
            } else if (c == '(' && !open) {
                ++m_at;
                open = true;
                axes.emplace_back();
            } else if (c == ')' && open) {
                ++m_at;
                open = false;
            } else {
                PLUMB_TRY(Axis axis, one());
                if (!open) axes.emplace_back();
                if (axis.number != 1) axes.back().push_back(std::move(axis));
            }
        }
        if (open) return bad(m_expression, "has a parenthesis that is never closed", "close it with )");
        return axes;
    }

private:
    Result<Axis> one() {
        Axis axis;
        if (m_part.substr(m_at, kEllipsis.size()) == kEllipsis) {
            m_at += kEllipsis.size();
            axis.name = kEllipsis;
            return axis;
        }
        std::size_t end = m_at;
        while (end < m_part.size() && isName(m_part[end])) ++end;
        if (end == m_at)
            return bad(
                m_expression,
                fmt::format("has '{}' where a dimension should be", firstCharacter(m_part.substr(m_at))),
                kForm);
        if (m_letters) end = m_at + 1;
        axis.name = std::string(m_part.substr(m_at, end - m_at));
        m_at = end;
        if (!isDigit(axis.name.front())) return axis;
        const auto number = parseSize(axis.name);
        if (!number.has_value() || *number < 1)
            return bad(m_expression, fmt::format("has a dimension of size {}", axis.name),
                       "use a size from 1 on that 63 bits hold, or a name that begins with a letter");
        axis.number = *number;
        return axis;
    }

    std::string_view m_expression;
    std::string_view m_part;
    bool m_letters;
    std::size_t m_at = 0;
};

/// Whether each operand is one run of letters, as in "ij,jk->ik", that does not stand for one name.
bool isInLetters(const std::vector<std::string_view>& parts, const DimensionSizes& sizes) {
    const bool single = parts.size() == 2;  // an operand and the result
    constexpr std::size_t kMostLetters = 4;
    bool any = false, named = false, lettered = false, longWord = false;
    std::set<std::string_view> inputs;
    bool outputKnown = true;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        std::string_view word = parts[i];
        if (word.starts_with(kEllipsis)) word.remove_prefix(kEllipsis.size());
        if (word.empty()) continue;
        if (!std::all_of(word.begin(), word.end(), isLetter)) return false;
        any = any || word.size() > 1;
        named = named || (word.size() > 1 && sizes.find(word) != sizes.end());
        for (const char letter : word)
            lettered = lettered || sizes.find(std::string_view(&letter, 1)) != sizes.end();
        longWord = longWord || word.size() > kMostLetters;
        if (i + 1 < parts.size())
            inputs.insert(word);
        else
            outputKnown = inputs.count(word) > 0;
    }
    if (!any || named) return false;
    return lettered || !outputKnown || (!single && !longWord);
}

/// The axes of `axes` as names of loops; numbers get names that no axis can have.
Names loopNames(const TensorAxes& axes, EinsumExpression& expression, int& numbers) {
    Names names;
    for (const AxisGroup& group : axes) {
        for (const Axis& axis : group) {
            if (axis.number == 0) {
                names.push_back(axis.name);
                continue;
            }
            std::string name = fmt::format("{}#{}", axis.name, ++numbers);
            expression.fixed[name] = axis.number;
            names.push_back(std::move(name));
        }
    }
    return names;
}

/// Each name once, where it comes first.
Names once(const Names& names) {
    Names result;
    for (const std::string& name : names)
        if (!contains(result, name)) result.push_back(name);
    return result;
}

/// The first name that comes twice; empty when there is none.
std::string firstTwice(const Names& names) {
    for (std::size_t i = 1; i < names.size(); ++i)
        if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i]) !=
            names.begin() + static_cast<std::ptrdiff_t>(i))
            return names[i];
    return {};
}

bool hasNumbers(const TensorAxes& axes) {
    for (const AxisGroup& group : axes)
        for (const Axis& axis : group)
            if (axis.number != 0) return true;
    return false;
}

/// The first of `names` that `known` lacks; empty when there is none.
std::string firstMissing(const Names& names, const Names& known) {
    for (const std::string& name : names)
        if (!contains(known, name)) return name;
    return {};
}

/// Sets the kind from the prefix, or from what becomes of the axes.
Result<void> classify(std::string_view text, std::string_view prefix, const Names& firstInput,
                      const Names& output, EinsumExpression& expression) {
    const bool single = expression.inputs.size() == 1;
    if (const ElementFunction* function = findElementFunction(prefix)) {
        expression.kind = ExpressionKind::Elementwise;
        expression.function = prefix;
        if (expression.inputs.size() != static_cast<std::size_t>(function->operands))
            return bad(text, fmt::format("gives {} {} operands", prefix, expression.inputs.size()),
                       fmt::format("{} takes {}", prefix, function->operands));
        return {};
    }
    if (std::find(std::begin(kReductions), std::end(kReductions), prefix) != std::end(kReductions)) {
        expression.kind = ExpressionKind::Reduce;
        expression.function = prefix;
    } else if (prefix == "rearrange") {
        expression.kind = ExpressionKind::Rearrange;
    } else if (prefix == "repeat") {
        expression.kind = ExpressionKind::Repeat;
    } else if (prefix == "einsum" ||
               (prefix.empty() && (!single || !firstTwice(expression.operandLoops.front()).empty()))) {
        expression.kind = ExpressionKind::Product;
    } else if (prefix.empty()) {
        const bool keepsAll = firstMissing(firstInput, output).empty();
        expression.kind = keepsAll ? ExpressionKind::Rearrange : ExpressionKind::Reduce;
        if (!keepsAll) expression.function = "sum";
    } else {
        Names known{"einsum", "rearrange", "repeat"};
        for (const std::string_view reduction : kReductions) known.emplace_back(reduction);
        for (const ElementFunction& function : kFunctions) known.emplace_back(function.name);
        return bad(text, fmt::format("starts with an unknown word ({})", prefix),
                   didYouMean(prefix, known, fmt::format("the words are {}", fmt::join(known, ", "))));
    }
    if (!single && expression.kind != ExpressionKind::Product)
        return bad(text, fmt::format("gives {} {} operands", prefix, expression.inputs.size()),
                   fmt::format("{} takes one", prefix));
    return {};
}

Result<void> checkKind(std::string_view text, const EinsumExpression& expression, const Names& input,
                       const Names& output) {
    const bool numbersMayGo = expression.kind == ExpressionKind::Reduce;
    const bool numbersMayCome = expression.kind == ExpressionKind::Repeat;
    for (const TensorAxes& axes : expression.inputs)
        if (hasNumbers(axes) && !numbersMayGo)
            return bad(text, "has a number among the operands' dimensions",
                       "give the dimension a name and a size");
    if (hasNumbers(expression.output) && !numbersMayCome)
        return bad(text, "has a number among the result's dimensions",
                   "give the dimension a name and a size");
    if (expression.kind != ExpressionKind::Product)
        if (const std::string name = firstTwice(expression.operandLoops.front()); !name.empty())
            return bad(text, fmt::format("has the dimension {} twice in one tensor", name),
                       "give each dimension its own name; only a product reads a diagonal");
    switch (expression.kind) {
    case ExpressionKind::Rearrange:
        if (const std::string gone = firstMissing(input, output); !gone.empty())
            return bad(text, fmt::format("loses {}", gone),
                       "keep it in the result, or write sum: or mean: in place of rearrange");
        if (const std::string fresh = firstMissing(output, input); !fresh.empty())
            return bad(
                text, fmt::format("has {} in the result but in no operand", fresh),
                "use only dimensions of the operands in the result, or write repeat: in place of rearrange");
        break;
    case ExpressionKind::Repeat:
        if (const std::string gone = firstMissing(input, output); !gone.empty())
            return bad(text, fmt::format("loses {}", gone), "keep it in the result");
        break;
    case ExpressionKind::Elementwise:
        for (const TensorAxes& axes : expression.inputs)
            if (axesText(axes) != axesText(expression.output))
                return bad(text, "has tensors of different dimensions",
                           "an element-wise function keeps the dimensions as they are");
        break;
    case ExpressionKind::Product:
    case ExpressionKind::Reduce:
        break;
    }
    return {};
}

}  // namespace

std::span<const ElementFunction> elementFunctions() { return kFunctions; }

const ElementFunction* findElementFunction(std::string_view name) {
    const auto* const found =
        std::find_if(std::begin(kFunctions), std::end(kFunctions),
                     [&](const ElementFunction& function) { return function.name == name; });
    return found == std::end(kFunctions) ? nullptr : found;
}

Result<EinsumExpression> EinsumExpression::parse(std::string_view text, const DimensionSizes& sizes) {
    EinsumExpression expression;
    std::string_view rest = text;
    std::string_view prefix;
    if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
        prefix = trimmed(text.substr(0, colon), kBetweenWords);
        rest = text.substr(colon + 1);
        if (prefix.empty()) return bad(text, "starts with a colon", kForm);
    }
    const ElementFunction* const function = findElementFunction(prefix);
    const std::size_t arrow = rest.find(kArrow);
    if (arrow == std::string_view::npos && function == nullptr) return bad(text, "has no \"->\"", kForm);
    std::vector<std::string_view> parts = split(rest.substr(0, arrow), ',');
    for (const std::string_view part : parts)
        if (part.empty()) return bad(text, "has an empty operand", kForm);
    parts.push_back(arrow == std::string_view::npos
                        ? parts.front()
                        : trimmed(rest.substr(arrow + kArrow.size()), kBetweenWords));

    const bool letters = isInLetters(parts, sizes);
    int numbers = 0;
    std::vector<Names> inputs;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        PLUMB_TRY(TensorAxes axes, AxisReader(text, parts[i], letters).read());
        expression.operandLoops.push_back(loopNames(axes, expression, numbers));
        inputs.push_back(once(expression.operandLoops.back()));
        expression.inputs.push_back(std::move(axes));
    }
    PLUMB_TRY(expression.output, AxisReader(text, parts.back(), letters).read());
    Names output = loopNames(expression.output, expression, numbers);
    expression.resultLoops = output;
    PLUMB_CHECK(classify(text, prefix, inputs.front(), output, expression));
    PLUMB_CHECK(checkKind(text, expression, inputs.front(), output));
    if (expression.kind == ExpressionKind::Repeat) std::swap(inputs.front(), output);
    auto loops = Einsum::of(std::move(inputs), std::move(output));
    if (!loops.has_value()) {
        // The message speaks of the opened expression; people want to read their own.
        Error error = loops.error();
        const std::size_t quote = error.message.rfind('"');
        error.message = fmt::format("einsum \"{:s}\"{}", quoted(text), error.message.substr(quote + 1));
        return error;
    }
    expression.loops = std::move(loops).value();
    return expression;
}

std::string EinsumExpression::text() const {
    std::string prefix;
    if (!function.empty() && !(kind == ExpressionKind::Reduce && function == "sum")) prefix = function + ": ";
    if (kind == ExpressionKind::Repeat) prefix = "repeat: ";
    if (kind == ExpressionKind::Product && inputs.size() == 1) prefix = "einsum: ";
    std::string operands;
    for (const TensorAxes& axes : inputs) operands += (operands.empty() ? "" : ", ") + axesText(axes);
    if (kind == ExpressionKind::Elementwise) return prefix + operands;
    const std::string result = output.empty() ? "" : " " + axesText(output);
    return fmt::format("{}{} ->{}", prefix, operands, result);
}

std::vector<std::string> EinsumExpression::dimensions() const {
    Names names;
    for (std::string& name : loops.dimensions())
        if (fixed.find(name) == fixed.end()) names.push_back(std::move(name));
    return names;
}

Result<void> EinsumExpression::checkSizes(const DimensionSizes& sizes) const {
    const Names known = dimensions();
    Names missing, unknown;
    for (const std::string& name : known)
        if (sizes.find(name) == sizes.end()) missing.push_back(name);
    for (const auto& [name, size] : sizes)
        if (!contains(known, name)) unknown.push_back(name);
    if (!missing.empty())
        return bad(text(), fmt::format("has no size for {:s}", listed(missing)),
                   fmt::format("add {:s}", listed(missing, "=1024")));
    if (!unknown.empty())
        return bad(text(), fmt::format("has no dimension {}", unknown.front()),
                   known.empty() ? "it needs no sizes"
                                 : fmt::format("its dimensions are {:s}", listed(known)));
    return {};
}

DimensionSizes EinsumExpression::complete(const DimensionSizes& sizes) const {
    DimensionSizes all = sizes;
    for (const auto& [name, size] : fixed) all[name] = size;
    return all;
}

std::string axesText(const TensorAxes& axes) {
    std::string text;
    for (const AxisGroup& group : axes) {
        text += text.empty() ? "" : " ";
        if (group.size() == 1) {
            text += group.front().name;
            continue;
        }
        if (group.empty()) {
            text += "1";
            continue;
        }
        std::string inner;
        for (const Axis& axis : group) inner += (inner.empty() ? "" : " ") + axis.name;
        text += "(" + inner + ")";
    }
    return text;
}

}  // namespace plumb::lab
