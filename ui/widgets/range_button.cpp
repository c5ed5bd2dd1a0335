// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/range_button.h"

#include "ui/theme/text.h"
#include "ui/widgets/card.h"
#include "ui/workbench/op_range.h"

#include <QPushButton>

namespace plumb::ui {

QPushButton* addRangeButton(Card& card, OpRange& range, const QString& name) {
    QPushButton* const button = card.addHeaderButton({}, name, tr("Shows all operations again in all views"));
    const auto follow = [button, &range] {
        button->setText(QObject::tr("Clear the range of %n operation(s)", nullptr, range.ops().count()));
        button->setVisible(range.isChosen());
    };
    QObject::connect(button, &QPushButton::clicked, &range, &OpRange::clear);
    QObject::connect(&range, &OpRange::changed, button, follow);
    follow();
    return button;
}

}  // namespace plumb::ui
