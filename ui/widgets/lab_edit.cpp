// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/lab_edit.h"

#include <QUndoCommand>

#include <utility>

namespace plumb::ui {
namespace {

class LabEdit final : public QUndoCommand {
public:
    LabEdit(QObject* owner, const QString& text, std::function<void()> apply, std::function<void()> revert,
            int gesture)
        : QUndoCommand(text),
          m_owner(owner),
          m_apply(std::move(apply)),
          m_revert(std::move(revert)),
          m_gesture(gesture) {}

    void undo() override { run(m_revert); }
    void redo() override { run(m_apply); }
    [[nodiscard]] int id() const override { return m_gesture == 0 ? -1 : kDrag; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto& next = static_cast<const LabEdit&>(*other);
        if (next.m_owner != m_owner || next.m_gesture != m_gesture || next.text() != text()) return false;
        m_apply = next.m_apply;
        return true;
    }

private:
    static constexpr int kDrag = 0x1ab;  // of the kinds of commands on the stack

    void run(const std::function<void()>& what) {
        if (m_owner)
            what();
        else
            setObsolete(true);
    }

    QPointer<QObject> m_owner;
    std::function<void()> m_apply;
    std::function<void()> m_revert;
    int m_gesture;
};

}  // namespace

void pushEdit(QUndoStack& stack, QObject* owner, const QString& text, std::function<void()> apply,
              std::function<void()> revert, int gesture) {
    stack.push(new LabEdit(owner, text, std::move(apply), std::move(revert), gesture));
}

}  // namespace plumb::ui
