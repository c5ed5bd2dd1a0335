// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace plumb::cli {

/// The text itself. Marks one that becomes a part of an error further on, so that core_words.py takes it into
/// the catalogues: of this program's texts those of errors, of progress and of --help are told in the user's
/// language, and reports are not.
constexpr const char* forPeople(const char* text) { return text; }

}  // namespace plumb::cli
