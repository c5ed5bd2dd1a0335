// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/words.h"

#include <regex>
#include <string>

namespace plumb::test {

/// While it is there core's texts are told in Chinese.
struct InChinese {
    InChinese() { setWordsLanguage("zh_CN"); }
    ~InChinese() { setWordsLanguage({}); }
    InChinese(const InChinese&) = delete;
    InChinese& operator=(const InChinese&) = delete;
};

/// What nobody translated in a Chinese text: a run of four Latin words or more, or one word that leads the
/// text with a colon; empty: nothing. Names, units and codes are shorter, or have digits and signs.
[[nodiscard]] inline std::string englishIn(const std::string& text) {
    static const std::regex kRun(
        "(^|[^-_.a-zA-Z0-9/])([a-zA-Z]?[a-z]+ ){3,}[a-z]{2,}|^[A-Za-z][a-z]+(: |：)");
    std::smatch found;
    return std::regex_search(text, found, kRun) ? found.str() : std::string();
}

}  // namespace plumb::test
