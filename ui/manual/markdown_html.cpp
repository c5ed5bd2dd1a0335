// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/manual/markdown_html.h"

#include <QRegularExpression>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextFrame>
#include <QTextList>
#include <QTextTable>

namespace plumb::ui {
namespace {

const QRegularExpression& anchorPattern() {
    static const QRegularExpression pattern(QStringLiteral("\\s*\\{#([A-Za-z0-9_.-]+)\\}"));
    return pattern;
}

/// Writes a document as HTML. Qt's own writer says the fonts and colours of the moment with every word.
class HtmlWriter {
public:
    HtmlWriter(HtmlPage& page, const PicturePlace& pictures) : m_page(page), m_pictures(pictures) {}

    void write(const QTextDocument& document) {
        writeFrame(document.rootFrame()->begin());
        closeLists(0);
    }

private:
    void writeFrame(QTextFrame::iterator at) {
        for (; !at.atEnd(); ++at) {
            if (const auto* table = qobject_cast<QTextTable*>(at.currentFrame())) {
                closeLists(0);
                writeTable(*table);
            } else if (at.currentFrame() != nullptr) {
                writeFrame(at.currentFrame()->begin());
            } else if (at.currentBlock().isValid()) {
                writeBlock(at.currentBlock());
            }
        }
        closeCode();
    }

    void writeBlock(const QTextBlock& block) {
        const QTextBlockFormat format = block.blockFormat();
        const bool isCode = format.hasProperty(QTextFormat::BlockCodeFence) ||
                            format.hasProperty(QTextFormat::BlockCodeLanguage);
        if (isCode) return writeCode(block);
        closeCode();
        if (format.hasProperty(QTextFormat::BlockTrailingHorizontalRulerWidth)) {
            closeLists(0);
            m_page.body += QStringLiteral("<hr>\n");
            return;
        }
        if (block.text().trimmed().isEmpty()) return;
        if (QTextList* const list = block.textList()) return writeItem(block, *list);
        closeLists(0);
        if (format.headingLevel() > 0) return writeHeading(block, format.headingLevel());
        const bool isQuote = format.intProperty(QTextFormat::BlockQuoteLevel) > 0;
        const QString text = inlineOf(block);
        if (text.isEmpty()) return;  // a picture that is not there
        m_page.body +=
            (isQuote ? QStringLiteral("<blockquote><p>%1</p></blockquote>\n") : QStringLiteral("<p>%1</p>\n"))
                .arg(text);
    }

    void writeHeading(const QTextBlock& block, int level) {
        PageHeading heading{.level = level, .text = block.text().remove(anchorPattern())};
        const QRegularExpressionMatch match = anchorPattern().match(block.text());
        heading.anchor = match.captured(1);
        QString text = inlineOf(block, false);
        if (!heading.anchor.isEmpty()) {
            m_page.anchors << heading.anchor;
            text.prepend(anchorTag(heading.anchor));
        }
        m_page.body += QStringLiteral("<h%1>%2</h%1>\n").arg(level).arg(text);
        m_page.headings.push_back(std::move(heading));
    }

    void writeItem(const QTextBlock& block, QTextList& list) {
        const auto open = std::find(m_lists.begin(), m_lists.end(), &list);
        if (open == m_lists.end()) {
            const int indent = list.format().indent();
            while (!m_lists.empty() && m_lists.back()->format().indent() >= indent) closeList();
            m_page.body += tagOf(list, false);
            m_lists.push_back(&list);
        } else {
            closeLists(static_cast<std::size_t>(open - m_lists.begin()) + 1);
            m_page.body += QStringLiteral("</li>");
        }
        m_page.body += QStringLiteral("<li>") + inlineOf(block);
    }

    static QString tagOf(const QTextList& list, bool isEnd) {
        const bool isNumbered = list.format().style() <= QTextListFormat::ListDecimal;
        return QStringLiteral("<%1%2>\n")
            .arg(isEnd ? QStringLiteral("/") : QString(),
                 isNumbered ? QStringLiteral("ol") : QStringLiteral("ul"));
    }

    void closeList() {
        m_page.body += QStringLiteral("</li>") + tagOf(*m_lists.back(), true);
        m_lists.pop_back();
    }
    void closeLists(std::size_t left) {
        while (m_lists.size() > left) closeList();
    }

    void writeCode(const QTextBlock& block) {
        if (!m_isInCode) {
            closeLists(0);
            m_page.body += QStringLiteral("<pre>");
        }
        m_isInCode = true;
        m_page.body += block.text().toHtmlEscaped() + QLatin1Char('\n');
    }
    void closeCode() {
        if (m_isInCode) m_page.body += QStringLiteral("</pre>\n");
        m_isInCode = false;
    }

    void writeTable(const QTextTable& table) {
        m_page.body += QStringLiteral("<table border=\"1\" cellspacing=\"0\" cellpadding=\"5\">\n");
        for (int row = 0; row < table.rows(); ++row) {
            const QString tag = row == 0 ? QStringLiteral("th") : QStringLiteral("td");
            m_page.body += QStringLiteral("<tr>");
            for (int column = 0; column < table.columns(); ++column) {
                QStringList texts;
                const QTextTableCell cell = table.cellAt(row, column);
                for (auto at = cell.begin(); !at.atEnd(); ++at)
                    texts << (row == 0 ? withoutBold(inlineOf(at.currentBlock()))
                                       : inlineOf(at.currentBlock()));
                m_page.body += QStringLiteral("<%1>%2</%1>").arg(tag, texts.join(QStringLiteral("<br>")));
            }
            m_page.body += QStringLiteral("</tr>\n");
        }
        m_page.body += QStringLiteral("</table>\n");
    }

    /// Titles of columns are strong as they are.
    static QString withoutBold(QString html) {
        return html.remove(QStringLiteral("<b>")).remove(QStringLiteral("</b>"));
    }

    static QString anchorTag(const QString& name) {
        return QStringLiteral("<a id=\"%1\" name=\"%1\"></a>").arg(name);
    }

    QString inlineOf(const QTextBlock& block, bool withAnchors = true) {
        QString html;
        for (auto at = block.begin(); !at.atEnd(); ++at) html += fragmentOf(at.fragment());
        if (!withAnchors) return html.remove(anchorPattern());
        for (QRegularExpressionMatch match; (match = anchorPattern().match(html)).hasMatch();) {
            m_page.anchors << match.captured(1);
            // A blank between the words before and behind it stays.
            const bool isBetween = html[match.capturedStart()].isSpace() &&
                                   match.capturedEnd() < html.size() && !html[match.capturedEnd()].isSpace();
            html.replace(match.capturedStart(), match.capturedLength(),
                         (isBetween ? QStringLiteral(" ") : QString()) + anchorTag(match.captured(1)));
        }
        return html;
    }

    QString fragmentOf(const QTextFragment& fragment) {
        const QTextCharFormat format = fragment.charFormat();
        if (format.isImageFormat()) return pictureOf(format.toImageFormat());
        QString text = fragment.text().toHtmlEscaped();
        text.replace(QChar::LineSeparator, QStringLiteral("<br>"));
        const auto wrap = [&text](bool isSo, const char* tag) {
            if (isSo) text = QStringLiteral("<%1>%2</%1>").arg(QLatin1String(tag), text);
        };
        wrap(format.fontFixedPitch(), "code");
        wrap(format.fontItalic(), "i");
        wrap(format.hasProperty(QTextFormat::FontWeight) && format.fontWeight() > QFont::Medium &&
                 !format.hasProperty(QTextFormat::FontSizeAdjustment),
             "b");
        if (!format.isAnchor() || format.anchorHref().isEmpty()) return text;
        m_page.links << format.anchorHref();
        return QStringLiteral("<a href=\"%1\">%2</a>").arg(linkOf(format.anchorHref()).toHtmlEscaped(), text);
    }

    QString pictureOf(const QTextImageFormat& format) {
        m_page.pictures << format.name();
        const QString place = m_pictures(format.name());
        if (place.isEmpty()) return {};
        return QStringLiteral("<img src=\"%1\" alt=\"%2\" width=\"%3\">")
            .arg(place.toHtmlEscaped(), format.property(QTextFormat::ImageAltText).toString().toHtmlEscaped())
            .arg(kPictureWidth);
    }

    static QString linkOf(QString link) {
        static const QRegularExpression page(QStringLiteral("^([a-z-]+)\\.md(?=#|$)"));
        return link.replace(page, QStringLiteral("\\1.html"));
    }

    HtmlPage& m_page;
    const PicturePlace& m_pictures;
    std::vector<QTextList*> m_lists;  ///< that are open, the outermost first
    bool m_isInCode = false;
};

}  // namespace

QString cellOfMarkdown(QString text) {
    return text.replace(QLatin1Char('|'), QStringLiteral("\\|")).replace(QLatin1Char('\n'), QLatin1Char(' '));
}

HtmlPage htmlOfMarkdown(const QString& markdown, const PicturePlace& pictures) {
    QTextDocument document;
    document.setMarkdown(markdown, QTextDocument::MarkdownDialectGitHub);
    HtmlPage page;
    HtmlWriter(page, pictures).write(document);
    return page;
}

}  // namespace plumb::ui
