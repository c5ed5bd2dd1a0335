// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <charconv>
#include <string_view>

namespace plumb::test {

/// The number that the whole of `text` spells, in every locale; anything else fails the test.
template <class Number = double>
Number numberIn(std::string_view text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    EXPECT_TRUE(error == std::errc{} && end == text.data() + text.size()) << text << " is no number";
    return number;
}

}  // namespace plumb::test
