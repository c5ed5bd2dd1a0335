// SPDX-License-Identifier: Apache-2.0
#include "core/lab/step_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace plumb::lab {

namespace {

Result<void> list(StepCursor& at, CallArguments& call) {
    const char close = at.here() == '(' ? ')' : ']';
    at.skip();
    for (at.skipBlanks(); at.here() != close; at.skipBlanks()) {
        PLUMB_TRY(const std::int64_t value, at.number());
        call.numbers.push_back(value);
        if (!at.take(',')) break;
    }
    if (!at.take(close)) return at.unexpected(fmt::format("close the list with {}", close));
    call.list = true;
    return {};
}

Result<void> quoted(StepCursor& at, CallArguments& call) {
    const char quote = at.here();
    const std::size_t end = at.rest().find(quote, 1);
    if (end == std::string_view::npos) return at.bad("a quotation mark is never closed", "close it");
    call.device = std::string(at.rest().substr(1, end - 1));
    at.skip(end + 1);
    return {};
}

Result<void> argument(StepCursor& at, CallArguments& call) {
    std::string key;
    if (at.atName()) {
        key = std::string(at.name());
        if (!at.take('=')) return at.unexpected("give whole numbers");
        at.skipBlanks();
        if (at.here() == '(' || at.here() == '[') return list(at, call);  // dims=(1, 0)
    }
    PLUMB_TRY(const std::int64_t value, at.number());
    if (key.empty())
        call.numbers.push_back(value);
    else
        call.named.emplace_back(key, value);
    return {};
}

Result<IndexItem> indexItem(StepCursor& at) {
    IndexItem item;
    at.skipBlanks();
    if (at.rest().starts_with("...")) {
        at.skip(3);
        item.kind = IndexItem::Kind::Ellipsis;
        return item;
    }
    if (at.atName()) {
        const std::size_t begin = at.position();
        if (at.name() != "None") {
            at.returnTo(begin);
            return at.bad("a name is unexpected", "index with whole numbers, slices, None or ...");
        }
        item.kind = IndexItem::Kind::NewAxis;
        return item;
    }
    if (at.here() == '[')
        return at.bad("a list is unexpected", "indexing with a list gathers into a copy; use a slice here");
    if (at.atNumber()) {
        PLUMB_TRY(const std::int64_t first, at.number());
        item.start = first;
    }
    if (!at.take(':')) {
        if (!item.start) return at.unexpected("index with whole numbers, slices, None or ...");
        item.kind = IndexItem::Kind::Integer;
        item.integer = *item.start;
        item.start.reset();
        return item;
    }
    if (at.atNumber()) {
        PLUMB_TRY(const std::int64_t stop, at.number());
        item.stop = stop;
    }
    if (at.take(':') && at.atNumber()) {
        PLUMB_TRY(const std::int64_t step, at.number());
        item.step = step;
    }
    return item;
}

}  // namespace

Result<CallArguments> readArguments(StepCursor& at) {
    CallArguments call;
    if (!at.take('(')) return at.unexpected("a method needs its brackets, such as .contiguous()");
    for (at.skipBlanks(); at.here() != ')'; at.skipBlanks()) {
        if (at.here() == '(' || at.here() == '[') {
            PLUMB_CHECK(list(at, call));
        } else if (at.here() == '"' || at.here() == '\'') {
            PLUMB_CHECK(quoted(at, call));
        } else {
            PLUMB_CHECK(argument(at, call));
        }
        if (!at.take(',')) break;
    }
    if (!at.take(')')) return at.unexpected("close the brackets with )");
    return call;
}

Result<std::vector<std::int64_t>> argumentsOf(const StepCursor& at, const Method& method,
                                              const CallArguments& call) {
    if (method.parameters == "*") {
        std::vector<std::int64_t> numbers = call.numbers;
        for (const auto& [key, value] : call.named) numbers.push_back(value);
        if (numbers.size() < method.required && !call.list)
            return at.bad(fmt::format(".{} has no arguments", method.name), "give whole numbers");
        return numbers;
    }
    std::vector<std::string_view> parameters;
    for (std::size_t begin = 0; begin < method.parameters.size();) {
        const std::size_t end = std::min(method.parameters.find(' ', begin), method.parameters.size());
        parameters.push_back(method.parameters.substr(begin, end - begin));
        begin = end + 1;
    }
    if (call.numbers.size() > parameters.size())
        return at.bad(fmt::format(".{} was given {} arguments", method.name, call.numbers.size()),
                      fmt::format("it takes {}: {}", parameters.size(), method.parameters));
    std::vector<std::int64_t> numbers(
        method.defaults.begin(), method.defaults.begin() + static_cast<std::ptrdiff_t>(parameters.size()));
    std::vector<bool> given(parameters.size(), false);
    for (std::size_t i = 0; i < call.numbers.size(); ++i) {
        numbers[i] = call.numbers[i];
        given[i] = true;
    }
    for (const auto& [key, value] : call.named) {
        const auto found = std::find(parameters.begin(), parameters.end(), key);
        const auto i = static_cast<std::size_t>(found - parameters.begin());
        if (found == parameters.end() || given[i])
            return at.bad(
                fmt::format(".{} does not take {} here", method.name, key),
                fmt::format("it takes {}", method.parameters.empty() ? "nothing" : method.parameters));
        numbers[i] = value;
        given[i] = true;
    }
    for (std::size_t i = 0; i < method.required; ++i)
        if (!given[i])
            return at.bad(fmt::format(".{} lacks {}", method.name, parameters[i]), "give a whole number");
    return numbers;
}

Result<LayoutStep> readIndex(StepCursor& at) {
    LayoutStep step;
    step.kind = StepKind::Index;
    do {
        at.skipBlanks();
        if (at.here() == ']' && !step.items.empty()) break;  // x[1,]
        PLUMB_TRY(IndexItem item, indexItem(at));
        step.items.push_back(item);
    } while (at.take(','));
    if (!at.take(']')) return at.unexpected("close the index with ]");
    return step;
}

}  // namespace plumb::lab
