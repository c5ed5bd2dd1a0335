// SPDX-License-Identifier: Apache-2.0
#include "app/cli/report_marks.h"

#include "core/base/plain_text.h"
#include "core/base/table.h"

#include <sstream>

namespace plumb::cli {

std::string marksText(const Snapshot& snapshot) {
    std::string text;
    if (!snapshot.note.empty()) {
        text += "\nWritten in the file\n";
        std::istringstream lines(plainText(snapshot.note));
        for (std::string line; std::getline(lines, line);) text += line.empty() ? "\n" : "  " + line + "\n";
    }
    if (snapshot.bookmarks.empty()) return text;
    Table table(3);
    table.add({"Bookmark", "view", "place"});
    for (const Bookmark& bookmark : snapshot.bookmarks)
        table.add({bookmark.title.empty() ? "(untitled)" : bookmark.title, bookmark.view,
                   bookmark.op.empty() && !bookmark.time ? "the whole view" : placeText(bookmark)});
    return text + "\n" + table.text();
}

}  // namespace plumb::cli
