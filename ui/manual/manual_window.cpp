// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/manual/manual_window.h"

#include "ui/manual/manual_contents.h"
#include "ui/manual/markdown_html.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/focus_ring.h"
#include "ui/widgets/keys.h"
#include "ui/widgets/screen_room.h"

#include <QCoreApplication>
#include <QDir>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QShortcut>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace plumb::ui {
namespace {

const auto kPages = QStringLiteral("qrc:/manual-pages/");
constexpr double kScaleStep = 1.1;
constexpr int kMostScaleSteps = 8;

QUrl urlOf(const ManualPlace& place) {
    QUrl url(kPages + place.page + QStringLiteral(".html"));
    if (!place.anchor.isEmpty()) url.setFragment(place.anchor);
    return url;
}

QString styleOf(const Theme& theme) {
    return QStringLiteral("body, p, li, td { color: %1; }"
                          "p, li { line-height: 135%; }"
                          "h1, h2, h3 { color: %2; }"
                          "h1 { margin-top: 4px; } h2 { margin-top: 22px; } h3 { margin-top: 16px; }"
                          "a { color: %3; text-decoration: none; }"
                          "table { border-collapse: collapse; border-color: %4; margin-bottom: 12px; }"
                          "th { background-color: %5; color: %2; text-align: left; }"
                          "code, pre { font-family: 'DejaVu Sans Mono', monospace; color: %2; }"
                          "pre { background-color: %5; margin-top: 8px; margin-bottom: 14px; }"
                          "blockquote { color: %6; }")
        .arg(theme.color(ColorRole::Text).name(), theme.color(ColorRole::TextStrong).name(),
             theme.color(ColorRole::Accent).name(), theme.color(ColorRole::CardBorder).name(),
             theme.color(ColorRole::Hover).name(), theme.color(ColorRole::TextMuted).name());
}

}  // namespace

/// Shows the pages of the book; links to other addresses are the desktop's.
class ManualWindow::Browser final : public QTextBrowser {
public:
    explicit Browser(const ManualWindow& window) : m_window(window) {
        // A bar that comes and goes with the height of the pictures would change their width.
        setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    }

    QVariant loadResource(int type, const QUrl& name) override {
        if (type != QTextDocument::HtmlResource || name.scheme() != QLatin1String("qrc"))
            return QTextBrowser::loadResource(type, name);
        const ManualPage* const page = m_window.book().page(manualPlaceOf(name.fileName()).page);
        if (page == nullptr) return {};
        const auto width = [](int pixels) { return QStringLiteral(" width=\"%1\">").arg(pixels); };
        return QString(page->html.body).replace(width(kPictureWidth), width(widthOfPictures()));
    }

protected:
    void resizeEvent(QResizeEvent* event) override {
        QTextBrowser::resizeEvent(event);
        for (QTextBlock block = document()->begin(); block.isValid(); block = block.next()) {
            if (block.begin().atEnd()) continue;
            const QTextFragment first = block.begin().fragment();  // a picture is a paragraph of its own
            QTextImageFormat format = first.charFormat().toImageFormat();
            if (!format.isValid() || format.width() == widthOfPictures()) continue;
            format.setWidth(widthOfPictures());
            QTextCursor picture(document());
            picture.setPosition(first.position());
            picture.setPosition(first.position() + first.length(), QTextCursor::KeepAnchor);
            picture.setCharFormat(format);
        }
    }

private:
    /// No wider than the text.
    [[nodiscard]] int widthOfPictures() const {
        const int room = viewport()->width() - 2 * static_cast<int>(document()->documentMargin());
        return std::clamp(room, 1, kPictureWidth);
    }

    const ManualWindow& m_window;
};

ManualWindow::ManualWindow(Theme& theme)
    : QWidget(nullptr, Qt::Window),
      m_theme(theme),
      m_browser(new Browser(*this)),
      m_contents(new ManualContents(this)),
      m_search(new QLineEdit(this)),
      m_found(new QLabel(this)),
      m_back(new QPushButton(QStringLiteral("←"), this)),
      m_forward(new QPushButton(QStringLiteral("→"), this)),
      m_smaller(new QPushButton(QStringLiteral("A−"), this)),
      m_larger(new QPushButton(QStringLiteral("A+"), this)) {
    setObjectName(QStringLiteral("manualWindow"));
    setAttribute(Qt::WA_QuitOnClose, false);
    build();
    buildKeys();
    new FocusRing(theme, *this);
    connect(m_contents, &ManualContents::chosen, this,
            [this](const ManualPlace& place) { m_browser->setSource(urlOf(place)); });
    connect(m_search, &QLineEdit::textChanged, this, &ManualWindow::search);
    connect(m_search, &QLineEdit::returnPressed, this, &ManualWindow::openFirstHit);
    connect(m_back, &QPushButton::clicked, m_browser, &QTextBrowser::backward);
    connect(m_forward, &QPushButton::clicked, m_browser, &QTextBrowser::forward);
    connect(m_smaller, &QPushButton::clicked, this, [this] { scaleBy(-1); });
    connect(m_larger, &QPushButton::clicked, this, [this] { scaleBy(1); });
    // Told behind the change, when source() says it.
    connect(m_browser, &QTextBrowser::historyChanged, this, &ManualWindow::follow);
    connect(m_browser, &QTextBrowser::backwardAvailable, m_back, &QWidget::setEnabled);
    connect(m_browser, &QTextBrowser::forwardAvailable, m_forward, &QWidget::setEnabled);
    connect(&theme, &Theme::changed, this, &ManualWindow::restyle);
    readBook();
}

ManualWindow::~ManualWindow() = default;

void ManualWindow::build() {
    m_browser->setObjectName(QStringLiteral("manualPage"));
    m_browser->setFrameShape(QFrame::NoFrame);
    m_browser->setOpenExternalLinks(true);
    m_browser->document()->setDocumentMargin(22);
    m_search->setObjectName(QStringLiteral("manualSearch"));
    m_search->setClearButtonEnabled(true);
    m_found->setObjectName(QStringLiteral("manualFound"));
    m_back->setObjectName(QStringLiteral("manualBack"));
    m_forward->setObjectName(QStringLiteral("manualForward"));
    m_smaller->setObjectName(QStringLiteral("manualSmaller"));
    m_larger->setObjectName(QStringLiteral("manualLarger"));
    auto* bar = new QHBoxLayout;
    for (QPushButton* button : {m_back, m_forward}) bar->addWidget(button);
    bar->addStretch(1);
    for (QPushButton* button : {m_smaller, m_larger}) bar->addWidget(button);
    m_back->setEnabled(false);
    m_forward->setEnabled(false);
    auto* left = new QWidget(this);
    auto* leftLayout = new QVBoxLayout(left);
    leftLayout->setContentsMargins(0, 0, 0, 0);
    leftLayout->addWidget(m_search);
    leftLayout->addWidget(m_found);
    leftLayout->addWidget(m_contents, 1);
    auto* right = new QWidget(this);
    auto* rightLayout = new QVBoxLayout(right);
    rightLayout->setContentsMargins(0, 0, 0, 0);
    rightLayout->addLayout(bar);
    rightLayout->addWidget(m_browser, 1);
    auto* splitter = new QSplitter(Qt::Horizontal, this);
    splitter->addWidget(left);
    splitter->addWidget(right);
    splitter->setStretchFactor(1, 1);
    splitter->setChildrenCollapsible(false);
    constexpr int kContentsWidth = 250, kPageWidth = 790, kHeight = 760, kMargin = 12;
    splitter->setSizes({kContentsWidth, kPageWidth});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
    layout->addWidget(splitter);
    resize(QSize(kContentsWidth + kPageWidth + 2 * kMargin, kHeight).boundedTo(screenRoom(*this)));
    QWidget* before = m_search;
    for (QWidget* next :
         std::initializer_list<QWidget*>{m_contents, m_back, m_forward, m_smaller, m_larger, m_browser}) {
        setTabOrder(before, next);
        before = next;
    }
}

void ManualWindow::buildKeys() {
    const auto on = [this](const QList<QKeySequence>& with, auto&& act) {
        for (const QKeySequence& one : with)
            connect(new QShortcut(one, this), &QShortcut::activated, this, act);
    };
    on({keys("Esc")}, [this] { close(); });
    on({keys("Ctrl+F")}, [this] {
        m_search->setFocus(Qt::ShortcutFocusReason);
        m_search->selectAll();
    });
    on({keys("Alt+Left")}, [this] { m_browser->backward(); });
    on({keys("Alt+Right")}, [this] { m_browser->forward(); });
    on({keys("F1"), keys("Alt+Home")}, [this] { open({ManualBook::pageIds().first(), {}}); });
    on({keys("Ctrl++"), keys("Ctrl+=")}, [this] { scaleBy(1); });
    on({keys("Ctrl+-")}, [this] { scaleBy(-1); });
    on({keys("Ctrl+0")}, [this] { scaleBy(-m_scale); });
}

QString ManualWindow::pictureFolder(Language language) {
    // Where it is installed, and where it was built.
    for (const char* folder : {"../share/doc/plumbline/manual/", "../../manual/", "../../../manual/"}) {
        QString path = QDir::cleanPath(QCoreApplication::applicationDirPath() + QLatin1Char('/') +
                                       QLatin1String(folder) + languageId(language));
        if (QDir(path + QStringLiteral("/pictures")).exists()) return path;
    }
    return {};
}

void ManualWindow::readBook() {
    const Language language = ManualBook::languageOfWindow();
    const QString folder = pictureFolder(language);
    m_book = std::make_unique<ManualBook>(language, m_theme, [&folder](const QString& name) {
        const QString path = folder + QLatin1Char('/') + name;
        return !folder.isEmpty() && QFileInfo::exists(path) ? QUrl::fromLocalFile(path).toString()
                                                            : QString();
    });
    m_search->setPlaceholderText(tr("Search the manual"));
    m_search->setAccessibleName(tr("Search the manual"));
    m_contents->setAccessibleName(tr("Contents of the manual"));
    m_browser->setAccessibleName(tr("Page of the manual"));
    const auto name = [](QPushButton* button, const QString& text, const QString& with) {
        button->setAccessibleName(text);
        button->setToolTip(tr("%1 (%2)").arg(text, with));
    };
    name(m_back, tr("Back"), keys("Alt+Left").toString(QKeySequence::NativeText));
    name(m_forward, tr("Forward"), keys("Alt+Right").toString(QKeySequence::NativeText));
    name(m_smaller, tr("Smaller letters"), keys("Ctrl+-").toString(QKeySequence::NativeText));
    name(m_larger, tr("Larger letters"), keys("Ctrl++").toString(QKeySequence::NativeText));
    search();
    restyle();
}

void ManualWindow::restyle() {
    QFont font = this->font();
    font.setPointSizeF(font.pointSizeF() * std::pow(kScaleStep, m_scale));
    m_browser->setFont(font);
    m_browser->document()->setDefaultStyleSheet(styleOf(m_theme));
    QPalette palette = this->palette();
    palette.setColor(QPalette::Base, m_theme.color(ColorRole::Card));
    palette.setColor(QPalette::Link, m_theme.color(ColorRole::Accent));
    m_browser->setPalette(palette);
    if (!m_browser->source().isEmpty()) m_browser->reload();
    follow();
}

void ManualWindow::scaleBy(int steps) {
    m_scale = std::clamp(m_scale + steps, -kMostScaleSteps / 2, kMostScaleSteps);
    restyle();
}

void ManualWindow::search() {
    const QString words = m_search->text();
    m_found->setVisible(!words.trimmed().isEmpty());
    if (words.trimmed().isEmpty()) {
        m_contents->showAll(*m_book);
        follow();
        return;
    }
    const std::vector<ManualHit> hits = m_book->find(words);
    m_contents->showHits(*m_book, hits);
    m_found->setText(hits.empty()
                         ? tr("Nothing was found: try fewer words")
                         : tr("Sections with all of it: %1").arg(countText(static_cast<int>(hits.size()))));
    markWords();
}

void ManualWindow::openFirstHit() {
    const std::vector<ManualHit> hits = m_book->find(m_search->text());
    if (hits.empty()) return;
    // Enter again goes to the next one.
    const auto at = std::ranges::find(hits, place(), &ManualHit::place);
    const ManualHit& next = at == hits.end() || std::next(at) == hits.end() ? hits.front() : *std::next(at);
    m_browser->setSource(urlOf(next.place));
}

void ManualWindow::markWords() {
    QList<QTextEdit::ExtraSelection> marks;
    for (const QString& word : m_search->text().split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        QTextCursor at(m_browser->document());
        while (!(at = m_browser->document()->find(word, at)).isNull()) {
            QTextEdit::ExtraSelection mark;
            mark.cursor = at;
            mark.format.setBackground(m_theme.color(ColorRole::Selection));
            marks << mark;
        }
    }
    m_browser->setExtraSelections(marks);
}

void ManualWindow::follow() {
    const ManualPage* const page = m_book->page(place().page);
    if (page == nullptr) return;
    setWindowTitle(tr("%1 – manual of Plumbline").arg(page->title));
    m_contents->setPlace(place());
    markWords();
}

ManualPlace ManualWindow::place() const {
    const QUrl url = m_browser->source();
    return {manualPlaceOf(url.fileName()).page, url.fragment()};
}

void ManualWindow::open(const ManualPlace& place) {
    ManualPlace there = place;
    if (!m_book->has(there)) there.anchor.clear();
    if (!m_book->has(there)) there.page = ManualBook::pageIds().first();
    m_search->clear();  // what was sought is another matter
    m_browser->setSource(urlOf(there));
    if (isMinimized()) showNormal();
    show();
    raise();
    activateWindow();
    m_browser->setFocus(Qt::OtherFocusReason);
}

void ManualWindow::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (!m_book) return;
    if (event->type() == QEvent::LanguageChange) {
        m_search->clear();  // words of the language before
        readBook();
    }
    if (event->type() == QEvent::FontChange) restyle();
}

}  // namespace plumb::ui
