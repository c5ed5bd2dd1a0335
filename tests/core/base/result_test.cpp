// SPDX-License-Identifier: Apache-2.0
#include "core/base/result.h"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>
#include <utility>

namespace plumb {
namespace {

TEST(Error, IsToldByMessageAndRemedy) {
    EXPECT_EQ(badInput("dim is odd", "give an even one").text(), "dim is odd: give an even one");
    EXPECT_EQ(badInput("duplicate dims are not allowed.", "name each once").text(),
              "duplicate dims are not allowed. Name each once");
    EXPECT_EQ(internalError("nothing is held out").text(),
              "nothing is held out: report this with the run's configuration");
    EXPECT_EQ(Error().text(), "");
}

template <class Made>
concept IsMadeOfNoRemedy = requires {
    Made{ErrorCode::Io, "message", {}};
};
template <class Remedy>
concept IsRemedy = requires(Remedy remedy) {
    badInput("message", std::forward<Remedy>(remedy));
};
// An error without a remedy does not compile, nor one with an empty one.
static_assert(std::is_constructible_v<Error, ErrorCode, std::string, const char (&)[4]>);
static_assert(!std::is_constructible_v<Error, ErrorCode, std::string>);
static_assert(!std::is_constructible_v<Error, ErrorCode, std::string, const char (&)[1]>);
static_assert(!IsMadeOfNoRemedy<Error>);
static_assert(IsRemedy<const char (&)[4]> && !IsRemedy<const char (&)[1]>);

}  // namespace
}  // namespace plumb
