// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <functional>

class QMessageBox;
class QWidget;

namespace plumb::ui {

using UsePath = std::function<void(const QString&)>;

/// File choosers that do not block: `use` gets the path, and nothing happens when the dialog is cancelled.
void askOpenPath(QWidget& parent, const QString& title, const QString& folder, const QString& filter,
                 UsePath use);
/// One file or more.
void askOpenPaths(QWidget& parent, const QString& title, const QString& folder, const QString& filter,
                  std::function<void(const QStringList&)> use);
void askSavePath(QWidget& parent, const QString& title, const QString& proposal, const QString& filter,
                 const QString& suffix, UsePath use);
void askFolder(QWidget& parent, const QString& title, const QString& folder, UsePath use);
/// One line of text; `use` gets it on OK.
void askText(QWidget& parent, const QString& title, const QString& question, const QString& value,
             UsePath use);
/// Shows it, and its default with the mark of the keyboard: it may be asked by a key.
void ask(QMessageBox& question);
/// What is asked before something is lost.
struct Question {
    const char* name;  ///< of the box, by which tests and the manual know it
    QString title, text;
    QString more = {};  ///< in smaller letters
    QString act;        ///< on the button that goes on
};
/// A box with that button and Cancel, which Enter takes; `proceed` is called where it goes on. Returned for
/// buttons of its own; it is shown.
QMessageBox& askBefore(QWidget& parent, const Question& question, std::function<void()> proceed);
/// A page to read, rich text, with a Close button.
void showPage(QWidget& parent, const QString& title, const QString& html);

}  // namespace plumb::ui
