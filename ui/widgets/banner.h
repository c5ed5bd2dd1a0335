// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <functional>

class QLabel;
class QPushButton;
class QTimer;

namespace plumb::ui {

class Theme;

/// What a message tells of, and so when it is over.
enum class MessageSubject {
    Document,  ///< a file, or what was done with it
    Step,      ///< settings that were to run
    Engine
};

/// One message beside the views: what happened, what can be done, and a button that does it. A newer message
/// replaces it; notices leave by themselves, the others stay until they are closed or end().
class Banner final : public QWidget {
    Q_OBJECT
public:
    enum class Kind { Notice, Ongoing, Error };
    explicit Banner(Theme& theme, QWidget* parent = nullptr);

    void showMessage(Kind kind, const QString& text, const QString& button = {},
                     std::function<void()> action = {}, MessageSubject about = MessageSubject::Document);
    /// A button of the message that is shown.
    void offer(const QString& button, std::function<void()> action);
    /// Hides a message about that, but for an ongoing one: what it tells of is over.
    void end(MessageSubject about);
    [[nodiscard]] Kind kind() const { return m_kind; }
    [[nodiscard]] int count() const { return m_count; }  ///< of messages so far
    /// Another text of the message that is shown, when that is an ongoing one.
    void setOngoingText(const QString& text);
    /// Hides an ongoing message: what it spoke of is over.
    void endOngoing();
    [[nodiscard]] QString text() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Theme& m_theme;
    QLabel* m_text;
    QPushButton* m_button;
    QTimer* m_timer;
    std::function<void()> m_action;
    Kind m_kind = Kind::Notice;
    MessageSubject m_about = MessageSubject::Document;
    int m_count = 0;
};

}  // namespace plumb::ui
