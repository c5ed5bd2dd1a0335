// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lesson_panel.h"

#include "core/base/entry_at.h"
#include "ui/settings/settings.h"
#include "ui/theme/house_style.h"
#include "ui/theme/scaled.h"
#include "ui/theme/text.h"
#include "ui/widgets/tone_label.h"
#include "ui/widgets/wrap_layout.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QListWidget>
#include <QPainter>
#include <QPushButton>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextList>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace plumb::ui {
namespace {

constexpr int kWidth = 350, kMostWidth = 440;  // with large letters, which leave the views little
constexpr int kLeastViews = 430;               // which have that beside it before it is wider than usual
constexpr int kLeastRows = 4;                  // of the list in sight at once
constexpr int kLeastText = 230;                // which the list leaves to the text, where it has more rows

/// The block of text in which step `index` begins; the steps are the last list of a lesson.
QTextBlock blockOf(const QTextDocument& document, int index) {
    QTextBlock found;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
        if (QTextList* list = block.textList(); list && list->itemNumber(block) == index) found = block;
    return found;
}

bool isStepKey(const QKeyEvent& pressed) {
    return pressed.modifiers() == Qt::AltModifier &&
           (pressed.key() == Qt::Key_Left || pressed.key() == Qt::Key_Right);
}

}  // namespace

LessonPanel::LessonPanel(Theme& theme, Settings& settings, const std::vector<lab::Lesson>& lessons,
                         QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_settings(settings),
      m_lessons(lessons),
      m_progress(new ToneLabel(theme, ColorRole::TextMuted, this)),
      m_lessonsDone(new ToneLabel(theme, ColorRole::TextMuted, this)),
      m_title(new ToneLabel(theme, ColorRole::TextStrong, this)),
      m_list(new QListWidget(this)),
      m_text(new QTextBrowser(this)) {
    setObjectName(QStringLiteral("lessonPanel"));
    setAccessibleName(tr("Lessons"));
    fitWidth();
    if (parent != nullptr) parent->installEventFilter(this);
    build();
    const auto [open, kept] = m_settings.lessons();
    for (int i = 0; i < count(); ++i) {
        const QString id = toText(entryAt(m_lessons, i).id);
        if (kept.contains(id)) m_done << id;
        if (id == open) m_lesson = i;
        m_list->addItem(QString());
    }
    showLesson();
}

void LessonPanel::build() {
    auto* heading = new ToneLabel(m_theme, ColorRole::TextStrong, this);
    heading->setText(tr("Lessons"));
    heading->setStrong(1);
    m_progress->setObjectName(QStringLiteral("lessonProgress"));
    m_lessonsDone->setObjectName(QStringLiteral("lessonsDone"));
    const auto button = [this](const QString& text, const char* name, const QString& tip) {
        auto* made = new QPushButton(text, this);
        made->setObjectName(QLatin1String(name));
        made->setToolTip(tip);
        return made;
    };
    auto* close =
        button(QStringLiteral("×"), "lessonClose", tr("Close the lessons (Esc); where you are is kept"));
    close->setProperty(kQuietButton, true);
    close->setAccessibleName(tr("Close the lessons"));
    close->setFixedWidth(30);
    m_list->setObjectName(QStringLiteral("lessonList"));
    m_list->setAccessibleName(tr("All lessons"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setTextElideMode(Qt::ElideRight);
    m_title->setObjectName(QStringLiteral("lessonTitle"));
    m_title->setStrong(2);
    m_title->setWordWrap(true);
    m_text->setObjectName(QStringLiteral("lessonText"));
    m_text->setAccessibleName(tr("Text of the lesson"));
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setOpenLinks(false);
    m_text->viewport()->setAutoFillBackground(false);
    m_text->document()->setIndentWidth(16);
    m_show = button(tr("Show me where"), "lessonShow", tr("Puts a ring around what this step speaks of"));
    m_show->setMinimumWidth(m_show->fontMetrics().horizontalAdvance(m_show->text()) + 28);
    m_back = button(tr("Back"), "lessonBack", tr("The step before (Alt+Left)"));
    m_skip = button(tr("Skip"), "lessonSkip", tr("On to the next lesson; this one does not count as done"));
    m_next = button(tr("Next"), "lessonNext", tr("The next step (Alt+Right)"));
    m_next->setProperty(kPrimaryButton, true);

    auto* told = new WrapLayout;
    told->addWidget(heading);
    told->addWidget(m_progress);
    told->addWidget(m_lessonsDone);
    auto* top = new QHBoxLayout;
    top->addLayout(told, 1);
    top->addWidget(close, 0, Qt::AlignTop);
    m_next->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* foot = new WrapLayout;
    for (QPushButton* way : {m_back, m_skip, m_next}) foot->addWidget(way);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 10, 16, 14);
    column->setSpacing(8);
    column->addLayout(top);
    column->addWidget(m_list);
    column->addSpacing(4);
    column->addWidget(m_title);
    column->addWidget(m_text, 1);
    column->addWidget(m_show, 0, Qt::AlignLeft);
    column->addLayout(foot);

    connect(close, &QPushButton::clicked, this, &LessonPanel::closed);
    connect(m_list, &QListWidget::currentRowChanged, this, &LessonPanel::setLesson);
    connect(m_back, &QPushButton::clicked, this, &LessonPanel::goBack);
    connect(m_next, &QPushButton::clicked, this, &LessonPanel::goOn);
    connect(m_skip, &QPushButton::clicked, this, [this] { setLesson(m_lesson + 1); });
    connect(m_show, &QPushButton::clicked, this, [this] { want(controls()); });
    connect(m_text, &QTextBrowser::anchorClicked, this,
            [this](const QUrl& link) { want({link.path()}); });  // control:NAME
    connect(&m_theme, &Theme::changed, this, [this] {
        update();
        showLesson();
    });
}

void LessonPanel::fitWidth() {
    const int most = std::max(kWidth, std::min(scaled(kWidth), kMostWidth));
    const int room = parentWidget() != nullptr ? parentWidget()->width() - scaled(kLeastViews) : most;
    setFixedWidth(std::clamp(room, kWidth, most));
}

bool LessonPanel::isDone(int lesson) const {
    return m_done.contains(toText(m_lessons.at(static_cast<std::size_t>(lesson)).id));
}

void LessonPanel::setLesson(int index) {
    if (m_lessons.empty()) return;
    const int wanted = std::clamp(index, 0, count() - 1);
    if (wanted == m_lesson) return;
    m_lesson = wanted;
    m_step = 0;
    m_settings.setLessons({toText(current().id), m_done});
    showLesson();
    if (isVisible()) point();
}

void LessonPanel::setStep(int index) {
    if (m_lessons.empty()) return;
    m_step = std::clamp(index, 0, steps() - 1);
    showStep();
    if (isVisible()) point();
}

void LessonPanel::goOn() {
    if (m_lessons.empty()) return;
    if (m_step + 1 < steps()) return setStep(m_step + 1);
    markDone();
    if (m_lesson + 1 < count()) return setLesson(m_lesson + 1);
    showLesson();
    emit closed();
}

void LessonPanel::goBack() {
    if (m_lessons.empty()) return;
    if (m_step > 0) return setStep(m_step - 1);
    if (m_lesson == 0) return;
    setLesson(m_lesson - 1);
    setStep(steps() - 1);
}

void LessonPanel::markDone() {
    const QString id = toText(current().id);
    if (m_done.contains(id)) return;
    m_done << id;
    m_settings.setLessons({id, m_done});
}

void LessonPanel::showLesson() {
    showList();
    if (m_lessons.empty()) {
        m_title->setText(tr("No lessons"));
        m_text->setPlainText(tr("The program was built without its lessons."));
        for (QPushButton* button : {m_show, m_back, m_skip, m_next}) button->setEnabled(false);
        return;
    }
    m_title->setText(toText(current().title));
    m_text->setMarkdown(toText(current().markdown));
    showStep();
}

void LessonPanel::showStep() {
    m_step = std::clamp(m_step, 0, steps() - 1);
    const QTextBlock block = blockOf(*m_text->document(), m_step);
    QList<QTextEdit::ExtraSelection> marked;
    if (block.isValid()) {
        QTextEdit::ExtraSelection step;
        step.cursor = QTextCursor(block);
        step.format.setBackground(m_theme.color(ColorRole::Selection));
        step.format.setProperty(QTextFormat::FullWidthSelection, true);
        // The cursor spans the step: a full-width selection covers the lines between its ends.
        step.cursor.movePosition(QTextCursor::EndOfBlock, QTextCursor::KeepAnchor);
        marked << step;
        QTextCursor there(block);
        there.movePosition(QTextCursor::EndOfBlock);
        m_text->setTextCursor(there);
        m_text->ensureCursorVisible();
        there.movePosition(QTextCursor::StartOfBlock);
        m_text->setTextCursor(there);
        m_text->ensureCursorVisible();
    }
    m_text->setExtraSelections(marked);
    const bool lastStep = m_step + 1 == steps();
    m_progress->setText(tr("step %1 of %2").arg(m_step + 1).arg(steps()));
    m_lessonsDone->setText(tr("%1 of %2 lessons done").arg(m_done.size()).arg(count()));
    m_show->setEnabled(!entryAt(current().steps, m_step).controls.empty());
    m_back->setEnabled(m_lesson > 0 || m_step > 0);
    m_skip->setEnabled(m_lesson + 1 < count());
    m_next->setText(!lastStep                 ? tr("Next")
                    : m_lesson + 1 == count() ? tr("Finish")
                                              : tr("Done, next lesson"));
}

void LessonPanel::showList() {
    const QSignalBlocker quiet(m_list);
    for (int i = 0; i < m_list->count(); ++i) {
        const QString title = toText(entryAt(m_lessons, i).title);
        m_list->item(i)->setText(QStringLiteral("%1  %2. %3")
                                     .arg(isDone(i) ? QStringLiteral("✓") : QStringLiteral("·"))
                                     .arg(i + 1)
                                     .arg(title));
        m_list->item(i)->setToolTip(isDone(i) ? tr("%1 (done)").arg(title) : title);
    }
    m_list->setCurrentRow(m_lesson);
    if (m_list->currentItem()) m_list->scrollToItem(m_list->currentItem());
}

QStringList LessonPanel::controls() const {
    QStringList names;
    if (m_lessons.empty()) return names;
    for (const std::string& name : entryAt(current().steps, m_step).controls) names << toText(name);
    return names;
}

void LessonPanel::want(const QStringList& controls) {
    emit pointed(controls);
    emit wanted(controls);
}

// Its keys are the planner's too. While it is open they are its own wherever in the window the focus is: what
// a lesson asks for is done outside of the panel.
bool LessonPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parent() && event->type() == QEvent::Resize) fitWidth();
    const bool isKey = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride;
    if (isHidden() || !isKey || !isStepKey(*static_cast<QKeyEvent*>(event)))
        return QWidget::eventFilter(watched, event);
    const auto* widget = qobject_cast<QWidget*>(watched);
    if (widget == nullptr || widget->window() != window()) return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::ShortcutOverride)
        event->accept();
    else
        keyPressEvent(static_cast<QKeyEvent*>(event));
    return true;
}

void LessonPanel::keyPressEvent(QKeyEvent* event) {
    const bool alt = event->modifiers().testFlag(Qt::AltModifier);
    if (event->key() == Qt::Key_Escape) {
        emit closed();
        return;
    }
    if (alt && event->key() == Qt::Key_Left) return goBack();
    if (alt && event->key() == Qt::Key_Right) return goOn();
    QWidget::keyPressEvent(event);
}

// All of it where the text keeps enough below it, else so many whole lines.
void LessonPanel::fitList() {
    const int line = m_list->sizeHintForRow(0);
    if (line <= 0) return;
    const int others = minimumSizeHint().height() - m_list->height() - m_text->minimumSizeHint().height();
    const int room = height() - others - scaled(kLeastText);
    const int frame = m_list->height() - m_list->viewport()->height();
    const int rows = std::clamp((room - frame) / line, std::min(kLeastRows, count()), count());
    m_list->setFixedHeight(rows * line + frame);
    if (m_list->currentItem()) m_list->scrollToItem(m_list->currentItem());
}

void LessonPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitList();
}

void LessonPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    QCoreApplication::instance()->installEventFilter(this);
    fitList();
    point();
    // Later: what was pointed at may unfold first, and take the keyboard.
    QMetaObject::invokeMethod(m_next, qOverload<>(&QWidget::setFocus), Qt::QueuedConnection);
}

void LessonPanel::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    QCoreApplication::instance()->removeEventFilter(this);
    emit pointed({});
}

void LessonPanel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(ColorRole::Panel));
    painter.fillRect(0, 0, 1, height(), m_theme.color(ColorRole::CardBorder));
}

}  // namespace plumb::ui
