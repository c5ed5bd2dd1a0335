// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lab/lesson.h"

#include <QString>
#include <QStringList>
#include <QWidget>

#include <vector>

class QListWidget;
class QPushButton;
class QTextBrowser;
class QTextDocument;

namespace plumb::ui {

class Settings;
class Theme;
class ToneLabel;

/// The guided lessons beside the views: a list with what is done, the text with the step at hand marked, and
/// back, skip and next. What a step points at is asked for by pointed(); so is what a link in the text names.
class LessonPanel final : public QWidget {
    Q_OBJECT
public:
    /// `lessons` outlive it.
    LessonPanel(Theme& theme, Settings& settings, const std::vector<lab::Lesson>& lessons,
                QWidget* parent = nullptr);

    [[nodiscard]] int lesson() const { return m_lesson; }
    [[nodiscard]] int step() const { return m_step; }  ///< index in the lesson, from 0
    void setLesson(int index);
    void setStep(int index);
    void goOn();    ///< to the next step, or, done with this lesson, to the next one
    void goBack();  ///< to the step before, or to the last one of the lesson before
    [[nodiscard]] bool isDone(int lesson) const;

signals:
    /// The window shows these controls, the first one with a ring around it; empty: no ring.
    void pointed(const QStringList& controls);
    /// The reader asked for them: behind pointed(), the first one gets the keyboard.
    void wanted(const QStringList& controls);
    void closed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    void fitWidth();
    void fitList();
    [[nodiscard]] const lab::Lesson& current() const {
        return m_lessons.at(static_cast<std::size_t>(m_lesson));
    }
    [[nodiscard]] int count() const { return static_cast<int>(m_lessons.size()); }
    [[nodiscard]] int steps() const { return static_cast<int>(current().steps.size()); }
    void markDone();
    void showLesson();
    void showStep();
    void showList();
    [[nodiscard]] QStringList controls() const;  ///< that the step at hand speaks of
    void point() { emit pointed(controls()); }
    void want(const QStringList& controls);

    Theme& m_theme;
    Settings& m_settings;
    const std::vector<lab::Lesson>& m_lessons;
    QStringList m_done;  ///< ids
    int m_lesson = 0;
    int m_step = 0;
    ToneLabel *m_progress, *m_lessonsDone, *m_title;
    QListWidget* m_list;
    QTextBrowser* m_text;
    QPushButton *m_back, *m_skip, *m_next, *m_show;
};

}  // namespace plumb::ui
