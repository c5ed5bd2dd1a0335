// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/manual/markdown_html.h"
#include "ui/theme/translations.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace plumb::ui {

class Theme;

/// A place in the manual: "memory", or "memory#curve".
struct ManualPlace {
    QString page;
    QString anchor;  ///< empty: its beginning
    bool operator==(const ManualPlace&) const = default;
};
[[nodiscard]] ManualPlace manualPlaceOf(const QString& text);

struct ManualPage {
    QString id;
    QString title;
    HtmlPage html;
};

/// A page, or a section of one, in which something was found.
struct ManualHit {
    ManualPlace place;
    QString title;  ///< of the section; of the page where its beginning says it
};

/// The pages of the manual in one language, as they lie in the program. The page of the figures is made.
class ManualBook final {
public:
    /// English or Chinese. `pictures` says where those are.
    ManualBook(Language language, Theme& theme, const PicturePlace& pictures);

    [[nodiscard]] const std::vector<ManualPage>& pages() const { return m_pages; }
    /// Null for an id that no page has.
    [[nodiscard]] const ManualPage* page(const QString& id) const;
    [[nodiscard]] bool has(const ManualPlace& place) const;
    /// Sections that have all of these words, whatever their case, in the order of the pages.
    [[nodiscard]] std::vector<ManualHit> find(const QString& words) const;

    /// The ids of all pages in their order: the first is the start page.
    [[nodiscard]] static QStringList pageIds();
    /// Markdown of a page as it is written; empty for one that is not there.
    [[nodiscard]] static QString source(Language language, const QString& id);
    /// Pages and sections as their sources name them, in the order of the pages: what a book has as headings,
    /// without the time that it takes to make one.
    [[nodiscard]] static std::vector<ManualHit> headings(Language language, Theme& theme);
    /// Of the window: the manual has no others.
    [[nodiscard]] static Language languageOfWindow();
    /// The style of the pages on the web.
    [[nodiscard]] static QString styleSheet();

private:
    /// What follows a heading until the next one, as plain text.
    struct Section {
        ManualHit place;
        QString text;
    };
    static std::vector<Section> sectionsOf(const ManualPage& page);

    std::vector<ManualPage> m_pages;
    mutable std::vector<Section> m_sections;  ///< of all pages; made once, since each letter searches anew
};

}  // namespace plumb::ui
