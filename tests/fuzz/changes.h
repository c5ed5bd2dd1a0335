// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace plumb::fuzz {

/// The words of a dictionary of libFuzzer: what is between the quotes of each line.
[[nodiscard]] std::vector<std::string> dictionaryWords(std::string_view dictionary);

/// Inputs that are made of seeds by changes of fields, bytes, words and pieces: the same ones each time, on
/// every machine, from the same seeds.
class Changes {
public:
    /// Pre: there is a seed. `words` may be empty.
    Changes(std::vector<std::string> seeds, std::vector<std::string> words)
        : m_seeds(std::move(seeds)), m_words(std::move(words)) {}
    [[nodiscard]] std::string next();

private:
    /// Less than `end`; 0 of 0.
    std::size_t drawn(std::size_t end) { return end == 0 ? 0 : m_random() % end; }
    bool changeOneField(std::string& input);
    void changeBytes(std::string& input);

    std::vector<std::string> m_seeds;
    std::vector<std::string> m_words;
    std::minstd_rand m_random;
};

}  // namespace plumb::fuzz
