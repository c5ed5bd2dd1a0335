// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace plumb::ui {

/// Tells screen readers what our own controls are, from the first call on: segments are radio buttons in a
/// group (check boxes where several may be on), tabs are page tabs, and charts are charts with what they show
/// in words.
void installAccessibleRoles();

}  // namespace plumb::ui
