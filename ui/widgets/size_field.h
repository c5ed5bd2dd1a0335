// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineEdit>

#include <cstdint>

namespace plumb::ui {

/// A box for one size: takes 4096, 4k, 4Ki, 1e6; shows "4 096". What cannot be read stays in the box and is
/// reported; Esc brings the last valid text back.
class SizeField final : public QLineEdit {
    Q_OBJECT
public:
    explicit SizeField(QWidget* parent = nullptr);

    void showValue(std::int64_t value);  ///< leaves text alone that the user is typing
    /// Takes what was typed, as Enter does; false while what stands in the box cannot be used.
    bool commit();
    [[nodiscard]] bool isInvalid() const { return m_invalid; }
    /// Shown behind the number while nobody types: " layers".
    void setSuffix(const QString& suffix);

signals:
    void valueEntered(qint64 value);
    void rejected(const QString& sentence);
    void accepted();  ///< what stands in the box is valid again

protected:
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void submit();
    void render();

    QString m_suffix;
    std::int64_t m_value = 0;
    bool m_invalid = false;
};

/// Digits in groups of three, as the fields show them: "4 096" with a thin space.
[[nodiscard]] QString groupedDigits(std::int64_t value);

}  // namespace plumb::ui
