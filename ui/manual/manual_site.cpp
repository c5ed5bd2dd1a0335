// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/manual/manual_site.h"

#include "core/io/file.h"
#include "ui/manual/manual_book.h"
#include "ui/theme/text.h"

#include <QDir>
#include <QFileInfo>

#include <array>

namespace plumb::ui {
namespace {

constexpr std::array kSiteLanguages{Language::English, Language::SimplifiedChinese};

QString htmlLanguage(Language language) {
    return language == Language::English ? QStringLiteral("en") : QStringLiteral("zh-Hans");
}

Result<void> writeText(const QString& path, const QString& text) {
    return writeFileAtomically(path.toStdString(), text.toStdString());
}

QString contentsOf(const ManualBook& book, const ManualPage& shown) {
    QString list;
    for (const ManualPage& page : book.pages()) {
        list += QStringLiteral("<li%1><a href=\"%2.html\">%3</a>")
                    .arg(&page == &shown ? QStringLiteral(" class=\"here\"") : QString(), page.id,
                         page.title.toHtmlEscaped());
        QString sections;
        for (const PageHeading& heading : page.html.headings)
            if (&page == &shown && heading.level == 2)
                sections += QStringLiteral("<li><a href=\"#%1\">%2</a></li>")
                                .arg(heading.anchor, heading.text.toHtmlEscaped());
        if (!sections.isEmpty()) list += QStringLiteral("<ul>%1</ul>").arg(sections);
        list += QStringLiteral("</li>\n");
    }
    return list;
}

QString pageDocument(const ManualBook& book, const ManualPage& page, Language language) {
    QString others;
    for (const Language other : kSiteLanguages)
        if (other != language)
            others += QStringLiteral("<a href=\"../%1/%2.html\" lang=\"%3\">%4</a>")
                          .arg(languageId(other), page.id, htmlLanguage(other), languageName(other));
    return QStringLiteral("<!DOCTYPE html>\n<html lang=\"%1\">\n<head>\n<meta charset=\"utf-8\">\n"
                          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                          "<title>%2 – Plumbline</title>\n<link rel=\"stylesheet\" href=\"../style.css\">\n"
                          "</head>\n<body>\n<nav>\n<p class=\"language\">%3</p>\n<ul>\n%4</ul>\n</nav>\n"
                          "<main>\n%5</main>\n</body>\n</html>\n")
        .arg(htmlLanguage(language), page.title.toHtmlEscaped(), others, contentsOf(book, page),
             page.html.body);
}

Result<int> writePages(const QString& folder, Theme& theme, Language language) {
    const QString place = folder + QLatin1Char('/') + languageId(language);
    if (!QDir().mkpath(place))
        return Error{ErrorCode::Io, "the folder " + place.toStdString() + " cannot be made",
                     "choose another"};
    const ManualBook book(language, theme, [&place](const QString& name) {
        return QFileInfo::exists(place + QLatin1Char('/') + name) ? name : QString();
    });
    for (const ManualPage& page : book.pages())
        if (auto written = writeText(QStringLiteral("%1/%2.html").arg(place, page.id),
                                     pageDocument(book, page, language));
            !written.has_value())
            return written.error();
    return static_cast<int>(book.pages().size());
}

}  // namespace

Result<int> writeManualSite(const QString& folder, Theme& theme, Translations& translations) {
    int pages = 0;
    QString links;
    for (const Language language : kSiteLanguages) {
        translations.use(language);
        const Result<int> written = writePages(folder, theme, language);
        if (!written.has_value()) return written;
        pages += *written;
        links += QStringLiteral("<p><a href=\"%1/index.html\" lang=\"%2\">%3</a></p>\n")
                     .arg(languageId(language), htmlLanguage(language), languageName(language));
    }
    const QString first =
        QStringLiteral("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                       "<title>Plumbline</title>\n<link rel=\"stylesheet\" "
                       "href=\"style.css\">\n</head>\n<body>\n<main>\n%1</main>\n</body>\n</html>\n")
            .arg(links);
    if (auto written = writeText(folder + QStringLiteral("/index.html"), first); !written.has_value())
        return written.error();
    if (auto written = writeText(folder + QStringLiteral("/style.css"), ManualBook::styleSheet());
        !written.has_value())
        return written.error();
    return pages;
}

}  // namespace plumb::ui
