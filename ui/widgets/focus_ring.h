// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointer>
#include <QWidget>

namespace plumb::ui {

class HighlightRing;
class Theme;

/// Set on a widget of one's own that does not show by itself that it has the keyboard.
inline constexpr const char* kWantsFocusRing = "plumbWantsFocusRing";

/// Shows where the keyboard is, in the windows below `root`: a thin ring around tables, lists, texts that can
/// be selected and other areas, which no style marks. Controls of the style draw it themselves. It comes with
/// Tab and goes with the mouse, as the marks of the style do. What has the keyboard is scrolled into sight.
class FocusRing final : public QObject {
    Q_OBJECT
public:
    FocusRing(Theme& theme, QWidget& root);

    /// Whether `widget` gets a ring rather than showing focus itself.
    [[nodiscard]] static bool isFor(const QWidget& widget);

private:
    void follow(QWidget* focused);
    [[nodiscard]] bool isByKeyboard(const QWidget& focused) const;

    Theme& m_theme;
    QWidget& m_root;
    QPointer<HighlightRing> m_ring;  ///< a child of the window of what it surrounds
};

}  // namespace plumb::ui
