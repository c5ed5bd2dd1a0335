// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>

#include "ui/theme/theme.h"

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    plumb::ui::Theme theme;
    theme.apply(application);
    return 0;
}
