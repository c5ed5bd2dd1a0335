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
    /// A vertical one fills from below.
    explicit Meter(Theme& theme, QWidget* parent = nullptr, Qt::Orientation orientation = Qt::Horizontal);
    void setShare(std::optional<double> share);  ///< absent: an empty bar
    [[nodiscard]] std::optional<double> share() const { return m_share; }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Theme& m_theme;
    Qt::Orientation m_orientation;
    std::optional<double> m_share;
};

}  // namespace plumb::ui
