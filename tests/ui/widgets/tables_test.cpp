// SPDX-License-Identifier: GPL-3.0-or-later
// What trees and tables do in a shorter way than Qt: it shows the same.
#include "tests/ui/support.h"
#include "ui/theme/house_style.h"
#include "ui/theme/one_line.h"
#include "ui/theme/theme.h"
#include "ui/widgets/column_fit.h"
#include "ui/widgets/note_label.h"
#include "ui/widgets/tree_table.h"

#include <QHeaderView>
#include <QImage>
#include <QLabel>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyleOptionViewItem>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include <gtest/gtest.h>

#include <algorithm>

namespace plumb::ui {
namespace {

using test::waitFor;

template <class Paint>
QImage painted(const Paint& paint) {
    QImage image(240, 40, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::white);
    QPainter painter(&image);
    paint(painter);
    return image;
}

TEST(OneLine, StandsWhereTheRectangleOfAPainterHasIt) {
    const QString texts[]{QStringLiteral("layer 7 · forward"), QStringLiteral("1 024 × 64"), QString(),
                          QStringLiteral("a text that is longer than the room that there is for it, by far")};
    for (const QString& text : texts)
        for (const Qt::AlignmentFlag side : {Qt::AlignLeft, Qt::AlignHCenter, Qt::AlignRight})
            for (const int height : {20, 21, 27}) {
                const QRect room(11, 3, 200, height);
                const QImage ours = painted(
                    [&](QPainter& painter) { drawOneLine(painter, room, side, text, Qt::ElideMiddle); });
                const QImage theirs = painted([&](QPainter& painter) {
                    painter.drawText(room, static_cast<int>(side | Qt::AlignVCenter),
                                     painter.fontMetrics().elidedText(text, Qt::ElideMiddle, room.width()));
                });
                EXPECT_EQ(ours, theirs) << text.toStdString() << ", " << height << " high";
            }
}

TEST(HouseStyle, ACellOfOneLineLooksAsTheOneWithTheLayoutOfAParagraph) {
    const Theme theme;
    const HouseStyle style(theme);
    QStandardItemModel model(1, 1);
    QTableView table;
    table.setModel(&model);
    for (const QStyle::State state :
         {QStyle::State(QStyle::State_Enabled | QStyle::State_Active),
          QStyle::State(QStyle::State_Enabled | QStyle::State_Selected), QStyle::State(QStyle::State_None)})
        for (const Qt::AlignmentFlag side : {Qt::AlignLeft, Qt::AlignRight}) {
            QStyleOptionViewItem cell;
            cell.rect = QRect(0, 0, 160, 26);
            cell.state = state;
            cell.text = QStringLiteral("9.31 MB and so on and on");
            cell.features = QStyleOptionViewItem::HasDisplay;
            cell.displayAlignment = side | Qt::AlignVCenter;
            cell.textElideMode = Qt::ElideRight;
            cell.palette = theme.palette();
            cell.index = model.index(0, 0);
            cell.widget = &table;
            const auto draw = [&](QPainter& painter) {
                style.drawControl(QStyle::CE_ItemViewItem, &cell, &painter, &table);
            };
            const QImage oneLine = painted(draw);
            EXPECT_NE(oneLine, painted([](QPainter&) {}));
            cell.features |= QStyleOptionViewItem::Alternate;  // of a row: for a cell it makes Qt's own one
            EXPECT_EQ(oneLine, painted(draw));
        }
}

TEST(TreeTable, PaintsWhatHasChanged) {
    const Theme theme;
    QStandardItemModel model(3, 2);
    TreeTable table(theme);
    table.setModel(&model);
    table.resize(300, 200);
    table.show();
    struct Paints final : QObject {
        int count = 0;
        bool eventFilter(QObject* watched, QEvent* event) override {
            count += event->type() == QEvent::Paint ? 1 : 0;
            return QObject::eventFilter(watched, event);
        }
    } paints;
    table.viewport()->installEventFilter(&paints);
    ASSERT_TRUE(waitFor([&] { return paints.count > 0; }));
    QCoreApplication::processEvents();
    const int before = paints.count;
    model.setData(model.index(1, 1), QStringLiteral("42 µs"));
    EXPECT_TRUE(waitFor([&] { return paints.count > before; }));
}

TEST(ColumnFit, AColumnHasRoomForItsWidestTextAmongEqualOnes) {
    QStandardItemModel model(40, 3);
    for (int row = 0; row < model.rowCount(); ++row) {
        model.setData(model.index(row, 0), QStringLiteral("tensor %1").arg(row));
        model.setData(model.index(row, 1),
                      row % 5 == 3 ? QStringLiteral("a much longer category") : QStringLiteral("fp32"));
        model.setData(model.index(row, 2), QStringLiteral("%1").arg(row * 1'000'003));
    }
    QTableView table;
    table.setModel(&model);
    table.resize(900, 400);
    new ColumnFit(table, 0, {2});
    table.show();
    QCoreApplication::processEvents();
    for (int column = 1; column < model.columnCount(); ++column)
        for (int row = 0; row < model.rowCount(); ++row)
            EXPECT_GE(table.columnWidth(column),
                      table.fontMetrics().horizontalAdvance(model.index(row, column).data().toString()))
                << row << ", " << column;
    // One that grows makes room for itself when the rows are others.
    model.setData(model.index(7, 2), QStringLiteral("a number of very many digits"));
    emit model.layoutChanged();
    EXPECT_GE(table.columnWidth(2),
              table.fontMetrics().horizontalAdvance(model.index(7, 2).data().toString()));
}

TEST(ColumnFit, SaysWhichColumnsHaveNoRoom) {
    QStandardItemModel model(3, 3);
    model.setHorizontalHeaderLabels(
        {QStringLiteral("name"), QStringLiteral("bytes"), QStringLiteral("bandwidth")});
    for (int row = 0; row < model.rowCount(); ++row)
        for (int column = 0; column < model.columnCount(); ++column)
            model.setData(model.index(row, column), QStringLiteral("some text of it"));
    QTableView table;
    table.setModel(&model);
    table.resize(900, 200);
    new ColumnFit(table, 0, {2});
    table.show();
    QCoreApplication::processEvents();
    EXPECT_EQ(table.findChild<QLabel*>(QStringLiteral("goneColumns")), nullptr);
    table.resize(table.columnWidth(1) * 5 / 2, 200);
    QCoreApplication::processEvents();
    ASSERT_TRUE(table.isColumnHidden(2));
    auto* const more = table.findChild<QLabel*>(QStringLiteral("goneColumns"));
    ASSERT_TRUE(more != nullptr && more->isVisible());
    EXPECT_EQ(more->text(), QStringLiteral("+1"));
    EXPECT_TRUE(more->toolTip().contains(QStringLiteral("bandwidth")));
    EXPECT_LE(table.horizontalHeader()->length(), more->x()) << "it stands on no title";
    table.resize(900, 200);
    QCoreApplication::processEvents();
    EXPECT_FALSE(table.isColumnHidden(2));
    EXPECT_FALSE(more->isVisible());
}

TEST(ColumnFit, TheSignOfWhatHasGoneLiesUnderNoScrollBar) {
    QStandardItemModel model(40, 3);
    for (int row = 0; row < model.rowCount(); ++row)
        for (int column = 0; column < model.columnCount(); ++column)
            model.setData(model.index(row, column), QStringLiteral("some text of it"));
    QTableView table;
    table.setModel(&model);
    new ColumnFit(table, 0, {2});
    table.resize(table.fontMetrics().horizontalAdvance(QStringLiteral("some text of it")) * 5 / 2, 200);
    table.show();
    QCoreApplication::processEvents();
    const auto* const more = table.findChild<QLabel*>(QStringLiteral("goneColumns"));
    ASSERT_TRUE(more != nullptr && more->isVisible());
    EXPECT_EQ(more->geometry().right(), table.horizontalHeader()->width() - 1);
    EXPECT_GE(more->width(), more->sizeHint().width());
}

/// Counts the cells that are measured.
class CountedCells final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const override {
        ++measured;
        return QStyledItemDelegate::sizeHint(option, index);
    }
    mutable int measured = 0;
};

TEST(ColumnFit, ATextIsMeasuredOnceAndAgainInAnotherFont) {
    QStandardItemModel model(30, 2);
    for (int row = 0; row < model.rowCount(); ++row) {
        model.setData(model.index(row, 0), QStringLiteral("tensor %1").arg(row));
        model.setData(model.index(row, 1), QStringLiteral("%1").arg(row * 1'000'003));
    }
    QTableView table;
    table.setModel(&model);
    CountedCells cells;
    table.setItemDelegate(&cells);
    table.resize(900, 400);
    auto* fit = new ColumnFit(table, 0, {});
    table.show();
    QCoreApplication::processEvents();
    EXPECT_GT(cells.measured, 0);
    cells.measured = 0;
    emit model.layoutChanged();
    EXPECT_EQ(cells.measured, 0) << "the rows are the same";
    model.setData(model.index(3, 1), QStringLiteral("another number"));
    emit model.layoutChanged();
    EXPECT_EQ(cells.measured, 1);
    const int before = table.columnWidth(1);
    QFont large = table.font();
    large.setPointSizeF(2 * large.pointSizeF());
    table.setFont(large);
    fit->fit();
    EXPECT_GT(table.columnWidth(1), before);
}

TEST(NoteLabel, IsAsHighAsItsTextAtTheWidthOfItsColumn) {
    QWidget page;
    auto* column = new QVBoxLayout(&page);
    auto* table = new QTableView(&page);
    auto* note = new NoteLabel(&page);
    note->setContentsMargins(6, 2, 6, 0);
    column->addWidget(table, 1);
    column->addWidget(note);
    const QString sentence =
        QStringLiteral("parameters 4 MB + gradients 4 MB + optimizer state 8 MB = 16 MB. ");
    const auto isRight = [&] {
        QLabel plain;
        plain.setTextFormat(Qt::PlainText);
        plain.setWordWrap(true);
        plain.setContentsMargins(note->contentsMargins());
        plain.setText(note->text());
        return waitFor([&] { return note->height() == plain.heightForWidth(note->width()); });
    };
    page.resize(300, 400);
    page.show();
    for (const int sentences : {1, 8, 2}) {
        note->setText(sentence.repeated(sentences).trimmed());
        for (const int width : {300, 900, 400}) {
            page.resize(width, 400);
            EXPECT_TRUE(isRight()) << sentences << " at " << width;
            EXPECT_GE(note->width(), width - 40);
        }
    }
    note->setText({});
    EXPECT_TRUE(waitFor([&] { return note->height() <= note->fontMetrics().height() + 2; }));
}

}  // namespace
}  // namespace plumb::ui
