// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/snapshot/bookmark.h"

#include <QObject>

#include <string>
#include <utility>
#include <vector>

namespace plumb::ui {

/// What the reader of a document wrote into it and marked in it.
struct Marks {
    std::string note;
    std::vector<Bookmark> bookmarks;
    bool operator==(const Marks&) const = default;
};

/// The marks of the document that is open, and whether its file has them.
class DocumentMarks final : public QObject {
    Q_OBJECT
public:
    [[nodiscard]] const Marks& all() const { return m_marks; }
    [[nodiscard]] bool areUnsaved() const { return m_marks != m_saved; }

    /// Those of another document.
    void replace(Marks marks) {
        m_saved = marks;
        put(std::move(marks));
    }
    void put(Marks marks) {
        if (marks == m_marks) return;
        m_marks = std::move(marks);
        emit changed();
    }
    void setSaved() {
        if (!areUnsaved()) return;
        m_saved = m_marks;
        emit changed();
    }

signals:
    void changed();

private:
    Marks m_marks;
    Marks m_saved;
};

}  // namespace plumb::ui
