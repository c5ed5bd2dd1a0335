// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace plumb {

/// Texts of core in another language. Core, its files and its protocol speak English: what a file or an
/// engine of another version says is told in the reader's language all the same. So whoever shows a text to
/// people asks here, and core does not.
///
/// A catalogue is in the form of gettext's .po files. An entry is a text ("forward pass") or a text with
/// places, as core formats it ("the batch {} is larger than {:.1f}"): it fits every text that says the same
/// with anything in these places, and what stands there is told in the language too. Where several entries
/// fit, the one with the most letters of its own is taken. A text of several parts ("message: remedy") that
/// no entry fits is told part by part.
class Words final {
public:
    explicit Words(std::string_view catalogue);
    ~Words();
    Words(const Words&) = delete;
    Words& operator=(const Words&) = delete;

    /// The text itself where no entry fits it. Any thread.
    [[nodiscard]] std::string of(std::string_view english) const;
    /// How many entries have a translation.
    [[nodiscard]] std::size_t size() const;

private:
    struct Entries;
    std::unique_ptr<const Entries> m_entries;
};

/// The languages that there are words of besides English: "zh_CN".
[[nodiscard]] bool hasWordsOf(std::string_view language);
/// From now on; anything without words is English. Any thread.
void setWordsLanguage(std::string_view language);
/// "zh_CN", or empty for English.
[[nodiscard]] std::string_view wordsLanguage();
/// A text of core in the language of the process.
[[nodiscard]] std::string inWords(std::string_view english);

}  // namespace plumb
