// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace plumb {

/// What kind of failure it is. Callers and tests branch on it; the CLI maps it to its exit code.
enum class ErrorCode {
    BadInput,     ///< a flag, a file, a message or a size that cannot be used         (CLI exit 2)
    RunFailed,    ///< the run, comparison or budget failed: diverged, cancelled, died  (CLI exit 1)
    Unavailable,  ///< the device or backend asked for is not there                    (CLI exit 3)
    OutOfMemory,  ///< the step or an allocation does not fit                          (CLI exit 4)
    DeviceLost,   ///< the device does nothing more for this process                   (CLI exit 1)
    Io,           ///< reading or writing failed: permission, disk full                (CLI exit 2)
    Internal,     ///< an invariant of ours was broken                                 (CLI exit 1)
};

/// A failure as a value. `message` says what failed with the values put in, `hint` what the user can do:
/// every error that is made has one. Both are shown, as asSentence() writes them (core/base/sentence.h);
/// neither ends with a full stop.
struct Error {
    ErrorCode code = ErrorCode::Internal;
    std::string message;
    std::string hint;

    Error() = default;  ///< of nothing that failed, for a value that is filled in later
    Error(ErrorCode kind, std::string what, std::string remedy)
        : code(kind), message(std::move(what)), hint(std::move(remedy)) {
        assert(!hint.empty());
    }
    /// An empty remedy does not compile: "" and {} are this one.
    Error(ErrorCode kind, std::string what, const char (&remedy)[1]) = delete;

    /// "message: hint"; "Message. Hint" of one that ends with a stop, as PyTorch's do; the message alone when
    /// there is no hint.
    [[nodiscard]] std::string text() const {
        if (hint.empty()) return message;
        if (!message.ends_with('.')) return message + ": " + hint;
        std::string next = hint;
        if (next.front() >= 'a' && next.front() <= 'z')
            next.front() = static_cast<char>(next.front() - 'a' + 'A');
        return message + " " + next;
    }
};

/// Returns the Error of an input that cannot be used, with its remedy.
[[nodiscard]] inline Error badInput(std::string message, std::string hint) {
    return Error{ErrorCode::BadInput, std::move(message), std::move(hint)};
}
Error badInput(std::string message, const char (&hint)[1]) = delete;

/// Returns the Error of an invariant of ours that is broken. Its user can do no more than report it.
[[nodiscard]] inline Error internalError(std::string message) {
    return Error{ErrorCode::Internal, std::move(message), "report this with the run's configuration"};
}

/// Either a value or an Error: the deliberate subset of std::expected under its member names, so that
/// C++23 can replace it by an alias. There is no implicit conversion to bool.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

    [[nodiscard]] bool has_value() const { return m_state.index() == 0; }
    [[nodiscard]] T& value() & {
        assert(has_value());
        return std::get<0>(m_state);
    }
    [[nodiscard]] const T& value() const& {
        assert(has_value());
        return std::get<0>(m_state);
    }
    [[nodiscard]] T&& value() && {
        assert(has_value());
        return std::get<0>(std::move(m_state));
    }
    [[nodiscard]] Error& error() & {
        assert(!has_value());
        return std::get<1>(m_state);
    }
    [[nodiscard]] const Error& error() const& {
        assert(!has_value());
        return std::get<1>(m_state);
    }
    [[nodiscard]] T& operator*() & { return value(); }
    [[nodiscard]] const T& operator*() const& { return value(); }
    [[nodiscard]] T* operator->() { return &value(); }
    [[nodiscard]] const T* operator->() const { return &value(); }

private:
    std::variant<T, Error> m_state;
};

/// A Result without a value: success, or an Error.
template <>
class [[nodiscard]] Result<void> {
public:
    Result() = default;
    Result(Error error) : m_error(std::move(error)), m_ok(false) {}

    [[nodiscard]] bool has_value() const { return m_ok; }
    [[nodiscard]] const Error& error() const {
        assert(!m_ok);
        return m_error;
    }

private:
    Error m_error;
    bool m_ok = true;
};

}  // namespace plumb

#define PLUMB_CONCAT_INNER(a, b) a##b
#define PLUMB_CONCAT(a, b) PLUMB_CONCAT_INNER(a, b)

/// `PLUMB_TRY(auto x, expression);` binds the value, or returns the Error from the enclosing function.
#define PLUMB_TRY(declaration, expression)                                                                   \
    auto PLUMB_CONCAT(plumbResult, __LINE__) = (expression);                                                 \
    if (!PLUMB_CONCAT(plumbResult, __LINE__).has_value())                                                    \
        return std::move(PLUMB_CONCAT(plumbResult, __LINE__)).error();                                       \
    declaration = std::move(PLUMB_CONCAT(plumbResult, __LINE__)).value()

/// `PLUMB_CHECK(expression);` for a Result<void>: returns the Error from the enclosing function.
#define PLUMB_CHECK(expression)                                                                              \
    do {                                                                                                     \
        auto plumbResult = (expression);                                                                     \
        if (!plumbResult.has_value()) return plumbResult.error();                                            \
    } while (false)
