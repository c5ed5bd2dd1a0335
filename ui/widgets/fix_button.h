// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

#include <functional>

class QLabel;

namespace plumb::ui {

/// The remedy of an error, below the sentence that names it: a button that does
/// it. Hidden while there is none.
class FixButton final : public QPushButton {
    Q_OBJECT
public:
    /// Belongs to the parent of `line`, whose name it has with "Fix" behind it;
    /// the caller gives it a place.
    explicit FixButton(QLabel& line);
    /// That of a line; null: it has none.
    [[nodiscard]] static FixButton* of(const QLabel& line);

    void offer(const QString& text, const QString& toolTip, std::function<void()> action);
    /// "Use 128": puts that in the place of what was typed.
    void offerUse(const QString& value, std::function<void()> action);
    void withdraw();
    /// A long remedy is cut, not what stands beside it: the tool tip has all of it.
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::function<void()> m_action;
};

}  // namespace plumb::ui
