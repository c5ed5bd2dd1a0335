// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <cstdint>
#include <optional>
#include <vector>

class QLabel;

namespace plumb::ui {

class SizeField;
class StopSlider;
class Theme;
enum class ColorRole;

/// What one slider row shows.
struct SliderState {
    std::int64_t value = 1;
    std::vector<std::int64_t> stops{1};
    std::optional<std::int64_t> ghost;  ///< value of the run that goes on, when it differs
    bool operator==(const SliderState&) const = default;
};

/// Name, number field and slider of one size; what is wrong with an entry stands below in one sentence.
class SliderRow final : public QWidget {
    Q_OBJECT
public:
    /// Children: "NAMEField", "NAMESlider", "NAMEError".
    SliderRow(Theme& theme, const QString& label, const QString& name, QWidget* parent = nullptr);

    void show(const SliderState& state);
    using QWidget::show;
    void setSuffix(const QString& suffix);
    void showError(const QString& sentence);  ///< empty: hides it
    void setHelp(const QString& text);

signals:
    /// `gesture` numbers the drags of this slider; 0: chosen without one.
    void chosen(qint64 value, int gesture);

private:
    Theme& m_theme;
    QLabel* m_label;
    SizeField* m_field;
    StopSlider* m_slider;
    QLabel* m_error;
    int m_gesture = 0;
};

/// Gives a label text of this colour from the theme, now and after every change of it.
void followColor(QWidget* widget, Theme& theme, ColorRole role);

}  // namespace plumb::ui
