// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QPushButton;

namespace plumb::ui {

class Card;
class OpRange;

/// A button in the header of a card that takes the range of operations away from all views, and is there
/// while there is one. `range` outlives the card.
QPushButton* addRangeButton(Card& card, OpRange& range, const QString& name);

}  // namespace plumb::ui
