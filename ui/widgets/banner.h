// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <functional>

class QLabel;
class QPushButton;
class QTimer;

namespace plumb::ui {

class Theme;

/// One message above the views: what happened, what can be done, and a button that does it. A newer message
/// replaces it; notices leave by themselves, the others stay until they are closed.
class Banner final : public QWidget {
    Q_OBJECT
public:
    enum class Kind { Notice, Ongoing, Error };
    explicit Banner(Theme& theme, QWidget* parent = nullptr);

    /// Returns the number of the message, for withdraw().
    int showMessage(Kind kind, const QString& text, const QString& button = {},
                    std::function<void()> action = {});
    /// Hides that message where no other one has taken its place: it is true no longer.
    void withdraw(int number);
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
    int m_number = 0;  ///< of the newest message
};

}  // namespace plumb::ui
