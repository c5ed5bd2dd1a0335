// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

namespace plumb::ui {

/// A heading of a page: the first of its level 1 is the title.
struct PageHeading {
    int level = 1;
    QString text;
    QString anchor;  ///< empty: none was given
};

/// A page as HTML, of the few elements that a browser and QTextBrowser show alike.
struct HtmlPage {
    QString body;
    std::vector<PageHeading> headings;
    QStringList anchors;  ///< of headings and of places in the text, in their order
    QStringList links;    ///< as they are written
    QStringList pictures;
};

/// Width of a picture on a page that is read, whatever its pixels.
inline constexpr int kPictureWidth = 760;

/// Where a picture is to be had, by the name that the page gives it; empty: it is left out.
using PicturePlace = std::function<QString(const QString&)>;

/// Text of a cell of a Markdown table, and of a line that must not begin something else.
[[nodiscard]] QString cellOfMarkdown(QString text);

/// Reads Markdown by Qt's importer. `{#name}` at the end of a heading, or anywhere in a text, is an anchor of
/// that name. A link to a page of Markdown leads to the one of HTML.
[[nodiscard]] HtmlPage htmlOfMarkdown(const QString& markdown, const PicturePlace& pictures);

}  // namespace plumb::ui
