// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/dialogs.h"

#include "ui/theme/text.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QInputDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <utility>

namespace plumb::ui {
namespace {

void open(QFileDialog* dialog, UsePath use) {
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &QFileDialog::fileSelected, dialog->parentWidget(),
                     [use = std::move(use)](const QString& path) { use(path); });
    dialog->open();
}

}  // namespace

void askOpenPath(QWidget& parent, const QString& title, const QString& folder, const QString& filter,
                 UsePath use) {
    auto* dialog = new QFileDialog(&parent, title, folder, filter);
    dialog->setFileMode(QFileDialog::ExistingFile);
    open(dialog, std::move(use));
}

void askOpenPaths(QWidget& parent, const QString& title, const QString& folder, const QString& filter,
                  std::function<void(const QStringList&)> use) {
    auto* dialog = new QFileDialog(&parent, title, folder, filter);
    dialog->setFileMode(QFileDialog::ExistingFiles);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &QFileDialog::filesSelected, &parent, std::move(use));
    dialog->open();
}

void askSavePath(QWidget& parent, const QString& title, const QString& proposal, const QString& filter,
                 const QString& suffix, UsePath use) {
    auto* dialog = new QFileDialog(&parent, title, proposal, filter);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix);
    open(dialog, std::move(use));
}

void askFolder(QWidget& parent, const QString& title, const QString& folder, UsePath use) {
    auto* dialog = new QFileDialog(&parent, title, folder);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    open(dialog, std::move(use));
}

void askText(QWidget& parent, const QString& title, const QString& question, const QString& value,
             UsePath use) {
    auto* dialog = new QInputDialog(&parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    dialog->setLabelText(question);
    dialog->setTextValue(value);
    dialog->resize(520, dialog->sizeHint().height());
    QObject::connect(dialog, &QInputDialog::textValueSelected, &parent,
                     [use = std::move(use)](const QString& text) { use(text); });
    dialog->open();
}

void ask(QMessageBox& question) {
    question.open();
    question.setAttribute(Qt::WA_KeyboardFocusChange);
}

QMessageBox& askBefore(QWidget& parent, const Question& question, std::function<void()> proceed) {
    auto* box =
        new QMessageBox(QMessageBox::Question, question.title, question.text, QMessageBox::Cancel, &parent);
    box->setObjectName(QLatin1String(question.name));
    box->setTextFormat(Qt::PlainText);  // it has what was typed, and names of files
    box->setInformativeText(question.more);
    box->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton* act = box->addButton(question.act, QMessageBox::DestructiveRole);
    act->setObjectName(QStringLiteral("questionGo"));
    box->button(QMessageBox::Cancel)->setText(tr("&Cancel"));
    box->setDefaultButton(QMessageBox::Cancel);
    QObject::connect(act, &QPushButton::clicked, &parent, std::move(proceed));
    ask(*box);
    return *box;
}

void showPage(QWidget& parent, const QString& title, const QString& html) {
    auto* dialog = new QDialog(&parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(title);
    auto* text = new QTextBrowser(dialog);
    text->setFrameShape(QFrame::NoFrame);
    text->setOpenExternalLinks(true);
    text->setHtml(html);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(text, 1);
    layout->addWidget(buttons);
    dialog->resize(620, 520);
    dialog->open();
}

}  // namespace plumb::ui
