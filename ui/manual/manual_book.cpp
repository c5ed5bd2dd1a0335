// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/manual/manual_book.h"

#include "core/base/words.h"
#include "ui/manual/figure_page.h"
#include "ui/manual/manual_values.h"
#include "ui/manual/planner_page.h"
#include "ui/widgets/search_words.h"

#include <QFile>
#include <QRegularExpression>
#include <QTextDocumentFragment>

#include <algorithm>
#include <iterator>

// Outside of all namespaces, as the macro asks for.
static void initManual() { Q_INIT_RESOURCE(manual); }

namespace plumb::ui {
namespace {

// In the order in which one would read them.
constexpr std::array kPageIds{
    "index",    "window",       "run-panel", "overview",    "memory",     "operations", "modules",
    "roofline", "timeline",     "devices",   "training",    "checkpoint", "planner",    "lab",
    "findings", "notes",        "history",   "compare",     "trace",      "allocator",  "dialogs",
    "files",    "command-line", "gpu",       "predictions", "engines",    "figures",    "glossary"};

QString resourceText(const QString& name) {
    initManual();
    QFile file(QStringLiteral(":/manual/") + name);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// A page as it is read, with what the program adds to it.
QString markdownOf(Language language, const QString& id, Theme& theme) {
    QString markdown = withManualValues(ManualBook::source(language, id));
    if (id == QLatin1String("figures")) markdown += QLatin1Char('\n') + figurePageMarkdown(theme);
    if (id == QLatin1String("planner")) markdown += QLatin1Char('\n') + plannerInputsMarkdown();
    return markdown;
}

}  // namespace

ManualPlace manualPlaceOf(const QString& text) {
    ManualPlace place{text.section(QLatin1Char('#'), 0, 0), text.section(QLatin1Char('#'), 1)};
    for (const char* ending : {".html", ".md"})
        if (place.page.endsWith(QLatin1String(ending)))
            place.page.chop(static_cast<qsizetype>(qstrlen(ending)));
    return place;
}

QStringList ManualBook::pageIds() {
    QStringList ids;
    for (const char* id : kPageIds) ids << QLatin1String(id);
    return ids;
}

QString ManualBook::source(Language language, const QString& id) {
    return resourceText(QStringLiteral("%1/%2.md").arg(languageId(language), id));
}

QString ManualBook::styleSheet() { return resourceText(QStringLiteral("style.css")); }

ManualBook::ManualBook(Language language, Theme& theme, const PicturePlace& pictures) {
    for (const QString& id : pageIds()) {
        ManualPage& page = m_pages.emplace_back();
        page.id = id;
        page.html = htmlOfMarkdown(markdownOf(language, id, theme), pictures);
        page.title = page.html.headings.empty() ? id : page.html.headings.front().text;
    }
}

std::vector<ManualHit> ManualBook::headings(Language language, Theme& theme) {
    static const QRegularExpression heading(
        QStringLiteral("^#{1,3} (.*?)(?:\\s*\\{#([A-Za-z0-9_.-]+)\\})?$"));
    std::vector<ManualHit> all;
    for (const QString& id : pageIds()) {
        bool isCode = false;
        const QString markdown = markdownOf(language, id, theme);
        for (const QString& line : markdown.split(QLatin1Char('\n'))) {
            if (line.startsWith(QStringLiteral("```"))) isCode = !isCode;
            if (isCode || !line.startsWith(QLatin1Char('#'))) continue;
            if (const QRegularExpressionMatch match = heading.match(line); match.hasMatch())
                all.push_back({{id, match.captured(2)}, match.captured(1)});
        }
    }
    return all;
}

Language ManualBook::languageOfWindow() {
    return wordsLanguage().empty() ? Language::English : Language::SimplifiedChinese;
}

const ManualPage* ManualBook::page(const QString& id) const {
    const auto found = std::ranges::find(m_pages, id, &ManualPage::id);
    return found == m_pages.end() ? nullptr : &*found;
}

bool ManualBook::has(const ManualPlace& place) const {
    const ManualPage* const found = page(place.page);
    return found != nullptr && (place.anchor.isEmpty() || found->html.anchors.contains(place.anchor));
}

std::vector<ManualBook::Section> ManualBook::sectionsOf(const ManualPage& page) {
    std::vector<Section> sections;
    const QString& body = page.html.body;
    qsizetype at = 0;
    for (const PageHeading& heading : page.html.headings) {
        const qsizetype begin = body.indexOf(QStringLiteral("<h%1>").arg(heading.level), at);
        if (!sections.empty()) sections.back().text = body.mid(at - 1, begin - at + 1);
        sections.push_back({{{page.id, heading.anchor}, heading.text}, {}});
        at = begin + 1;
    }
    if (!sections.empty()) sections.back().text = body.mid(at - 1);
    for (Section& section : sections)
        section.text = QTextDocumentFragment::fromHtml(section.text).toPlainText();
    return sections;
}

std::vector<ManualHit> ManualBook::find(const QString& words) const {
    std::vector<ManualHit> hits;
    const SearchWords search(words);
    if (search.isEmpty()) return hits;
    if (m_sections.empty())
        for (const ManualPage& page : m_pages)
            std::ranges::move(sectionsOf(page), std::back_inserter(m_sections));
    for (const Section& section : m_sections)
        if (search.areAll(search.in(section.text))) hits.push_back(section.place);
    return hits;
}

}  // namespace plumb::ui
