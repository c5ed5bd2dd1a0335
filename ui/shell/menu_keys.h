// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMenuBar;

namespace plumb::ui {

/// Gives each entry of a menu, of those below it and of the bar itself a key (the letter behind &) that no
/// other entry there has. An entry keeps its own where it is the first that wants it; else it gets another
/// letter of its words, or any that is free where it stands behind them ("打开(&O)"); or none. What stands in
/// several menus keeps its key.
void giveEachKeyOnce(QMenuBar& bar);

}  // namespace plumb::ui
