// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>

#include <memory>
#include <vector>

namespace plumb::ui {

/// Parts beside each other, in as many lines as it takes to cut none: what has no room beside the others goes
/// on below. What a line has left goes to the parts in it that can use it.
class WrapLayout final : public QLayout {
    Q_OBJECT
public:
    explicit WrapLayout(QWidget* parent = nullptr, int spacing = 8);
    ~WrapLayout() override;

    void addItem(QLayoutItem* item) override;
    void addLayout(QLayout* part);  ///< what stays together in one line
    [[nodiscard]] int count() const override { return static_cast<int>(m_items.size()); }
    [[nodiscard]] QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    [[nodiscard]] Qt::Orientations expandingDirections() const override { return Qt::Horizontal; }
    [[nodiscard]] bool hasHeightForWidth() const override { return true; }
    [[nodiscard]] int heightForWidth(int width) const override;
    /// All in one line.
    [[nodiscard]] QSize sizeHint() const override;
    /// The widest alone.
    [[nodiscard]] QSize minimumSize() const override;
    void setGeometry(const QRect& rect) override;

private:
    struct Line {
        std::vector<QLayoutItem*> items;
        int width = 0, height = 0;  ///< as they want to be
    };
    [[nodiscard]] std::vector<Line> lines(int width) const;
    void place(const Line& line, const QRect& room) const;

    std::vector<std::unique_ptr<QLayoutItem>> m_items;
};

}  // namespace plumb::ui
