// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/lab_edit.h"

#include <QUndoCommand>

#include <utility>

namespace plumb::ui {
namespace {

class LabEdit final : public QUndoCommand {
public:
    LabEdit(QObject* owner, const QString& text, std::function<void()> apply, std::function<void()> revert)
        : QUndoCommand(text), m_owner(owner), m_apply(std::move(apply)), m_revert(std::move(revert)) {}

    void undo() override { run(m_revert); }
    void redo() override { run(m_apply); }

private:
    void run(const std::function<void()>& what) {
        if (m_owner)
            what();
        else
            setObsolete(true);
    }

    QPointer<QObject> m_owner;
    std::function<void()> m_apply;
    std::function<void()> m_revert;
};

}  // namespace

void pushEdit(QUndoStack& stack, QObject* owner, const QString& text, std::function<void()> apply,
              std::function<void()> revert) {
    stack.push(new LabEdit(owner, text, std::move(apply), std::move(revert)));
}

}  // namespace plumb::ui
