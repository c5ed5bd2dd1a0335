# SPDX-License-Identifier: Apache-2.0
# Headers that are read once per family of targets instead of once per source: those of Qt and of GoogleTest took
# two thirds of the time of the sources that include them. Core and kernels have none, since the smaller ones of
# the standard library take less time than loading what is precompiled. Every source includes what it uses all the
# same: clang-tidy reads it without.
set(plumb_common_headers <algorithm> <cmath> <functional> <memory> <optional> <string> <string_view> <vector>)
set(plumb_gtest_headers <gmock/gmock.h> <gtest/gtest.h>)
set(plumb_window_headers
  <QAbstractTableModel> <QAction> <QApplication> <QCheckBox> <QClipboard> <QComboBox> <QCoreApplication> <QDir> <QEvent>
  <QFileInfo> <QFont> <QGridLayout> <QGuiApplication> <QHBoxLayout> <QHeaderView> <QJsonObject> <QKeyEvent> <QLabel>
  <QLineEdit> <QListWidget> <QMenu> <QMenuBar> <QMouseEvent> <QObject> <QPainter> <QPainterPath> <QPointer> <QPushButton>
  <QScrollArea> <QSplitter> <QStackedWidget> <QStandardItemModel> <QString> <QStringList> <QTableView> <QTimer> <QToolTip>
  <QUndoStack> <QVBoxLayout> <QVector> <QWidget>)
