// SPDX-License-Identifier: Apache-2.0
#include "core/base/nearest.h"
#include "core/lab/layout_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace plumb::lab {

namespace {

/// A method of torch.Tensor that is a step.
struct Method {
    std::string_view name;
    StepKind kind = StepKind::View;
    std::string_view parameters;  ///< names, separated by blanks; "*": any number of sizes or dimensions
    std::size_t required = 0;
    std::array<std::int64_t, 3> defaults{};
    bool attribute = false;  ///< written without brackets
};

constexpr Method kMethods[] = {
    {"transpose", StepKind::Transpose, "dim0 dim1", 2},
    {"swapaxes", StepKind::Transpose, "axis0 axis1", 2},
    {"swapdims", StepKind::Transpose, "dim0 dim1", 2},
    {"permute", StepKind::Permute, "*", 1},
    {"T", StepKind::ReverseDimensions, "", 0, {}, true},
    {"mT", StepKind::MatrixTranspose, "", 0, {}, true},
    {"t", StepKind::TransposeOfMatrix, "", 0},
    {"view", StepKind::View, "*", 1},
    {"reshape", StepKind::Reshape, "*", 1},
    {"flatten", StepKind::Flatten, "start_dim end_dim", 0, {0, -1}},
    {"ravel", StepKind::Ravel, "", 0},
    {"expand", StepKind::Expand, "*", 1},
    {"squeeze", StepKind::Squeeze, "*", 0},
    {"unsqueeze", StepKind::Unsqueeze, "dim", 1},
    {"select", StepKind::Select, "dim index", 2},
    {"narrow", StepKind::Narrow, "dim start length", 3},
    {"diagonal", StepKind::Diagonal, "offset dim1 dim2", 0, {0, 0, 1}},
    {"contiguous", StepKind::Contiguous, "", 0},
    {"clone", StepKind::Clone, "", 0},
    {"triu", StepKind::Triu, "diagonal", 0},
    {"tril", StepKind::Tril, "diagonal", 0},
    {"flip", StepKind::Flip, "*", 1},
    {"repeat", StepKind::Repeat, "*", 1},
    {"cuda", StepKind::ToGpu, "", 0},
    {"cpu", StepKind::ToHost, "", 0},
};

constexpr StepHelp kHelp[] = {
    {"[start:stop:step, ...]", "[1:, ::2]",
     "takes a slice, an integer, None or ... of each dimension; shares the memory"},
    {".transpose(dim0, dim1)", ".transpose(0, 1)", "swaps two dimensions; shares the memory"},
    {".permute(dims)", ".permute(2, 0, 1)", "puts the dimensions in another order; shares the memory"},
    {".T", ".T", "turns the order of the dimensions round; shares the memory"},
    {".mT", ".mT", "swaps the last two dimensions; shares the memory"},
    {".t()", ".t()", "swaps the dimensions of a matrix; shares the memory"},
    {".view(sizes)", ".view(6, -1)", "another shape over the same memory, or an error"},
    {".reshape(sizes)", ".reshape(6, -1)", "a view where there is one, a copy otherwise"},
    {".flatten(start_dim, end_dim)", ".flatten(1)",
     "merges dimensions; a view where there is one, a copy otherwise"},
    {".ravel()", ".ravel()", "merges all dimensions; a view where there is one, a copy otherwise"},
    {".expand(sizes)", ".expand(4, -1, -1)", "repeats dimensions of size 1 with stride 0; shares the memory"},
    {".squeeze(dim)", ".squeeze()", "drops dimensions of size 1; shares the memory"},
    {".unsqueeze(dim)", ".unsqueeze(0)", "adds a dimension of size 1; shares the memory"},
    {".select(dim, index)", ".select(0, 1)", "one entry of a dimension, which goes; shares the memory"},
    {".narrow(dim, start, length)", ".narrow(0, 1, 2)", "a stretch of a dimension; shares the memory"},
    {".diagonal(offset, dim1, dim2)", ".diagonal()", "the diagonal of two dimensions; shares the memory"},
    {".contiguous()", ".contiguous()", "row-major without gaps; a copy unless it is so already"},
    {".clone()", ".clone()", "a copy that keeps the order of dimensions"},
    {".triu(diagonal)", ".triu()", "the upper triangle, zeros below; a copy"},
    {".tril(diagonal)", ".tril()", "the lower triangle, zeros above; a copy"},
    {".flip(dims)", ".flip(0)", "turns dimensions round; a copy, for strides are never negative"},
    {".repeat(times)", ".repeat(2, 1, 1)", "repeats the elements; a copy"},
    {".cuda()", ".cuda()", "a copy on the GPU, over the bus"},
    {".cpu()", ".cpu()", "a copy in the host's memory, over the bus"},
};

bool isNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Walks through the text of steps.
class StepReader {
public:
    explicit StepReader(std::string_view text) : m_text(text) {}

    Result<std::vector<LayoutStep>> read() {
        std::vector<LayoutStep> steps;
        skipBlanks();
        if (isNameStart(here())) name();  // the tensor's own name
        for (skipBlanks(); m_at < m_text.size(); skipBlanks()) {
            const std::size_t begin = m_at;
            PLUMB_TRY(LayoutStep step, one());
            step.text = std::string(m_text.substr(begin, m_at - begin));
            steps.push_back(std::move(step));
        }
        return steps;
    }

private:
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
        const auto* const method = std::find_if(std::begin(kMethods), std::end(kMethods),
                                                [&](const Method& known) { return known.name == called; });
        if (method == std::end(kMethods)) return unknownMethod(called);
        LayoutStep step;
        step.kind = method->kind;
        if (method->attribute) {
            if (take('(')) return bad(fmt::format(".{} takes no brackets", called), "write it without ( )");
            return step;
        }
        PLUMB_TRY(const Call call, arguments());
        if (!call.device.empty()) return bad("text is unexpected", "give whole numbers");
        PLUMB_TRY(step.numbers, argumentsOf(*method, call));
        return step;
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
        for (const Method& known : kMethods) names.emplace_back(known.name);
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
};

}  // namespace

std::span<const StepHelp> layoutSteps() { return kHelp; }

Result<std::vector<LayoutStep>> parseSteps(std::string_view text) { return StepReader(text).read(); }

}  // namespace plumb::lab
