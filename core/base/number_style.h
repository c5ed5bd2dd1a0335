// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace plumb {

/// How numbers are written for people. The command line and all files write "-1.5e-07", and a thin space
/// between groups of digits, on every machine alike; the window as its user is used to.
struct NumberStyle {
    std::string decimal = ".";
    std::string group = "\u2009";
    std::string minus = "-";
    bool shortExponents = false;  ///< "e−7" instead of "e-07"

    /// What parts groups in a text that is still to be read by localProse(), which could not tell a point or
    /// a comma there from a decimal mark: a thin space for these.
    [[nodiscard]] std::string_view groupInProse() const {
        return group == "." || group == "," ? std::string_view("\u2009") : std::string_view(group);
    }
    bool operator==(const NumberStyle&) const = default;
};

/// The style that the whole process writes in. Any thread.
[[nodiscard]] const NumberStyle& numberStyle();
/// From now on; texts that were made keep theirs. Any thread.
void setNumberStyle(const NumberStyle& style);

/// A number as the program writes it ("-1.5e-07 MB"), as people of the style do: "−1,5e−7 MB". What stands
/// behind the number stays, and so does a text that begins with none.
[[nodiscard]] std::string localNumber(std::string_view plain, const NumberStyle& style = numberStyle());

/// A sentence in which the program wrote numbers ("slower by 0.3 %, MFU 41.7 %"), with all of them in the
/// style, groups of digits too. Numbers of names ("Llama 3.1 8B", "arXiv 2005.14165", "torch 2.4.1") and of
/// command lines ("--lr 0.001") stay.
[[nodiscard]] std::string localProse(std::string_view plain, const NumberStyle& style = numberStyle());

/// A text in which formatExact() wrote numbers, with the mark of the style between their groups.
[[nodiscard]] std::string localGroups(std::string text, const NumberStyle& style = numberStyle());

/// What was typed for one number, as the program reads numbers: "2,048", "2 048", "−3", "1.5 k" and, where
/// the comma is the decimal mark, "2.048" and "0,005". A mark that can part no groups of three digits is a
/// decimal one, whatever the style: "0,005". Also reads the wide digits and marks of Chinese keyboards. What
/// is no number at its beginning comes back as it is, so that its reader says what is wrong with it.
[[nodiscard]] std::string plainNumber(std::string_view typed, const NumberStyle& style = numberStyle());

}  // namespace plumb
