// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <functional>

class QLabel;
class QLineEdit;
class QToolButton;

namespace plumb::ui {

class FixButton;
class Theme;

/// A label, a field and, below it, where the value is from or what is wrong with what was typed, with a
/// button that puts it right where that is known.
///
/// What is typed is reported when the field is left or Enter is pressed; Escape takes it back. While an error
/// stands, the text stays as typed.
class FieldRow final : public QWidget {
    Q_OBJECT
public:
    /// Children: "NAMEField", "NAMEReset", "NAMENote" (also the error), "NAMENoteFix".
    FieldRow(Theme& theme, const QString& label, const QString& name, QWidget* parent = nullptr);

    void setFieldWidth(int pixels);            ///< default: what a number with its unit needs
    void alignText(Qt::Alignment horizontal);  ///< default: at the right, as numbers are
    void setHelp(const QString& text);
    void setPlaceholder(const QString& text);
    void setReadOnly(bool readOnly);
    void setLabel(const QString& text);

    void showText(const QString& text);  ///< also takes back an error; not while the user types
    void showNote(const QString& text);  ///< muted, one line or more; empty: none
    void showError(const QString& sentence);
    /// Beside the error that is shown; another one takes it away.
    void offer(const QString& value, std::function<void()> action);
    void setResettable(bool resettable);  ///< shows the button that puts the default back
    [[nodiscard]] QString text() const;
    [[nodiscard]] bool hasError() const { return !m_error.isEmpty(); }
    void focusField();

signals:
    void entered(const QString& text);
    void edited();  ///< every key
    void resetRequested();
    void cancelled();  ///< Escape took back what was typed, and its error

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void submit();
    void showBelow();

    Theme& m_theme;
    QLabel* m_label;
    QLineEdit* m_field;
    QToolButton* m_reset;
    QLabel* m_below;
    FixButton* m_fix = nullptr;
    QString m_shown, m_note, m_error;
};

}  // namespace plumb::ui
