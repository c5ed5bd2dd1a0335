// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <optional>

namespace plumb::ui {

class Theme;

/// A bar that fills with a share: green, yellow from 90 %, red when it does not fit.
class Meter final : public QWidget {
    Q_OBJECT
public:
    explicit Meter(Theme& theme, QWidget* parent = nullptr);
    void setShare(std::optional<double> share);  ///< absent: an empty bar
    [[nodiscard]] std::optional<double> share() const { return m_share; }
    [[nodiscard]] QSize sizeHint() const override { return {200, 14}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Theme& m_theme;
    std::optional<double> m_share;
};

}  // namespace plumb::ui
