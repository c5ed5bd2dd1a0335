// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/changes.h"

#include "tests/fuzz/json_fields.h"
#include "tests/fuzz/support.h"

#include <algorithm>
#include <charconv>

namespace plumb::fuzz {

std::vector<std::string> dictionaryWords(std::string_view dictionary) {
    std::vector<std::string> words;
    for (const std::string_view line : lines(dictionary)) {
        if (line.size() < 2 || line.front() != '"' || line.back() != '"') continue;
        const std::string_view text = line.substr(1, line.size() - 2);
        std::string& word = words.emplace_back();
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] != '\\' || i + 1 == text.size()) {
                word += text[i];
            } else if (unsigned code = 0; text[++i] == 'x') {
                const std::string_view digits = text.substr(i + 1, 2);
                (void)std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
                word += static_cast<char>(code);
                i += digits.size();
            } else {
                word += text[i];
            }
        }
    }
    return words;
}

std::string Changes::next() {
    std::string input = m_seeds[drawn(m_seeds.size())];
    for (std::size_t changes = 1 + drawn(3); changes > 0; --changes)
        if (drawn(4) == 0 || !changeOneField(input)) changeBytes(input);
    return input;
}

bool Changes::changeOneField(std::string& input) {
    constexpr std::size_t kSmall = 65536;
    if (input.size() > kSmall) return false;
    auto json = JsonInput::of(input);
    if (!json || !changeField(json->document, m_random)) return false;
    input = json->text();
    return true;
}

void Changes::changeBytes(std::string& input) {
    constexpr std::size_t kMost = std::size_t{1} << 20;
    const std::size_t at = drawn(input.size() + 1);
    const std::size_t count = 1 + drawn(32);
    switch (drawn(6)) {
    case 0:
        if (at < input.size()) input[at] = static_cast<char>(drawn(256));
        break;
    case 1:
        if (!m_words.empty()) input.insert(at, m_words[drawn(m_words.size())]);
        break;
    case 2:
        if (!m_words.empty()) input.replace(at, count, m_words[drawn(m_words.size())]);
        break;
    case 3:
        input.erase(at, count);
        break;
    case 4: {
        const std::string piece = input.substr(at, count);
        input.insert(drawn(input.size() + 1), piece);
        break;
    }
    default: {
        const std::string& other = m_seeds[drawn(m_seeds.size())];
        input = input.substr(0, at) + other.substr(drawn(other.size() + 1));
        break;
    }
    }
    input.resize(std::min(input.size(), kMost));
}

}  // namespace plumb::fuzz
