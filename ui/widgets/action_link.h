// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

class QAction;

namespace plumb::ui {

/// A button for an action of the window, which it finds by its id when it is shown: so a view that has
/// nothing to show offers what would change that, and knows nothing of the house. Disabled while the action
/// is, and says why it would be pressed in the action's words.
class ActionLink final : public QPushButton {
    Q_OBJECT
public:
    /// `action`: "run.run".
    ActionLink(const QString& text, const char* action, QWidget* parent);

    /// Stands in the middle of `picture`, below the sentence that says why it is empty, at any size of it.
    void standBelowMiddle(QWidget& picture);
    /// Why the action cannot be taken, where it says so in place of its status tip; to be shown in place of
    /// the button.
    [[nodiscard]] const QString& whyNot() const { return m_whyNot; }

signals:
    void whyNotChanged();

protected:
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void find();
    void follow();
    void place();

    QString m_id;
    QString m_whyNot;
    QAction* m_action = nullptr;
    QWidget* m_picture = nullptr;
};

}  // namespace plumb::ui
