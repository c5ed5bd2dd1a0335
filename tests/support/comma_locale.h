// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "test_paths.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace plumb::test {

/// While it lives, numbers of the C locale have a decimal comma, as Qt sets it on a German desktop. The
/// locale is the machine's or the one that the build made; a machine that has neither fails the test.
class CommaLocale {
public:
    CommaLocale() : m_before(std::setlocale(LC_NUMERIC, nullptr)) {
        if (std::filesystem::exists(PLUMB_LOCALES)) ::setenv("LOCPATH", PLUMB_LOCALES, 0);
        EXPECT_NE(std::setlocale(LC_NUMERIC, "de_DE.UTF-8"), nullptr) << "de_DE.UTF-8 is not installed";
        EXPECT_STREQ(std::localeconv()->decimal_point, ",");
    }
    ~CommaLocale() { std::setlocale(LC_NUMERIC, m_before.c_str()); }
    CommaLocale(const CommaLocale&) = delete;
    CommaLocale& operator=(const CommaLocale&) = delete;

private:
    std::string m_before;
};

}  // namespace plumb::test
