// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/save_form.h"

#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/file_picker.h"
#include "ui/widgets/size_field.h"
#include "ui/widgets/slider_row.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace plumb::ui {
namespace {

QLabel* addLabelled(QVBoxLayout& layout, Theme& theme, const QString& text, QWidget* widget, int stretch) {
    auto* row = new QHBoxLayout;
    auto* label = new QLabel(text);
    label->setBuddy(widget);
    followColor(label, theme, ColorRole::TextMuted);
    widget->setAccessibleName(text);
    row->addWidget(label, 1 - stretch);
    row->addWidget(widget, stretch);
    layout.addLayout(row);
    return label;
}

/// The engine may have another working folder.
QString absolute(const QString& path) { return path.isEmpty() ? path : QFileInfo(path).absoluteFilePath(); }

}  // namespace

SaveForm::SaveForm(Theme& theme, RunController& controller, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_controller(controller),
      m_folder(new FilePicker(tr("not saved (choose…)"), QStringLiteral("saveFolder"), this)),
      m_resume(new FilePicker(tr("a new training"), QStringLiteral("resumeFrom"), this)),
      m_details(new QWidget(this)),
      m_error(new QLabel(this)),
      m_newest(new QLabel(this)) {
    setObjectName(QStringLiteral("saveForm"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(7);
    auto* title = new QLabel(tr("Training checkpoints"), this);
    QFont font = title->font();
    font.setWeight(QFont::DemiBold);
    title->setFont(font);
    title->setContentsMargins(0, 6, 0, 0);
    layout->addWidget(title);
    m_folder->setToolTip(
        tr("Folder for .safetensors files with weights, optimizer state and step, from which a "
           "training goes on bit for bit"));
    m_resume->setToolTip(tr("A training checkpoint, or a folder whose newest is taken; Steps then counts the "
                            "whole training"));
    addLabelled(*layout, theme, tr("Save in"), m_folder, 1);
    auto* details = new QVBoxLayout(m_details);
    details->setContentsMargins(0, 0, 0, 0);
    details->setSpacing(7);
    m_saveEvery = addSize(*details, tr("Every"), "saveEvery", tr("Optimizer steps; 0 saves only at the end"),
                          0, &CheckpointOptions::saveEvery);
    m_keep = addSize(*details, tr("Keep the last"), "keepLast",
                     tr("Older ones are deleted once a newer one is safe on the disk"), 1,
                     &CheckpointOptions::keepLast);
    layout->addWidget(m_details);
    addLabelled(*layout, theme, tr("Go on from"), m_resume, 1);
    for (QLabel* line : {m_error, m_newest}) {
        line->setWordWrap(true);
        line->setTextFormat(Qt::PlainText);
        layout->addWidget(line);
        line->hide();
    }
    m_error->setObjectName(QStringLiteral("saveError"));
    m_newest->setObjectName(QStringLiteral("newestCheckpoint"));
    followColor(m_error, theme, ColorRole::Bad);
    followColor(m_newest, theme, ColorRole::TextMuted);

    connect(m_folder, &FilePicker::pickRequested, this, [this] {
        emit folderWanted(tr("folder for training checkpoints"),
                          [this](const QString& path) { chooseFolder(path); });
    });
    connect(m_folder, &FilePicker::cleared, this, [this] { chooseFolder({}); });
    connect(m_resume, &FilePicker::pickRequested, this, [this] {
        emit checkpointWanted(tr("training checkpoint"), [this](const QString& path) { chooseResume(path); });
    });
    connect(m_resume, &FilePicker::cleared, this, [this] { chooseResume({}); });
    connect(&controller, &RunController::changed, this, &SaveForm::refresh);
    refresh();
}

SizeField* SaveForm::addSize(QVBoxLayout& layout, const QString& label, const char* name,
                             const QString& toolTip, std::int64_t least,
                             std::int64_t CheckpointOptions::*field) {
    auto* box = new SizeField(m_details);
    box->setObjectName(QString::fromLatin1(name));
    box->setToolTip(toolTip);
    addLabelled(layout, m_theme, label, box, 0);
    const auto say = [this](const QString& sentence) {
        m_error->setText(sentence);
        m_error->setVisible(!sentence.isEmpty());
    };
    connect(box, &SizeField::valueEntered, this, [this, label, least, field, say](qint64 value) {
        if (value < least)
            return say(tr("%1 is too small (%2): give at least %3").arg(label).arg(value).arg(least));
        say({});
        CheckpointOptions options = m_controller.next().checkpoints();
        options.*field = value;
        m_controller.next().setCheckpoints(options);
        refresh();
    });
    connect(box, &SizeField::rejected, this, say);
    connect(box, &SizeField::accepted, this, [say] { say({}); });
    return box;
}

void SaveForm::chooseFolder(const QString& path) {
    CheckpointOptions options = m_controller.next().checkpoints();
    options.folder = absolute(path).toStdString();
    m_controller.next().setCheckpoints(options);
    refresh();
}

void SaveForm::chooseResume(const QString& path) {
    m_controller.next().setResumeFrom(absolute(path));
    refresh();
}

void SaveForm::refresh() {
    const CheckpointOptions& options = m_controller.next().checkpoints();
    m_folder->showPath(toText(options.folder));
    m_resume->showPath(m_controller.next().resumeFrom());
    m_details->setVisible(!options.folder.empty());
    m_saveEvery->showValue(options.saveEvery);
    m_saveEvery->setSuffix(options.saveEvery == 1 ? tr(" step") : tr(" steps"));
    m_keep->showValue(options.keepLast);
    const auto& newest = m_controller.work().newestCheckpoint();
    m_newest->setVisible(newest.has_value());
    if (!newest) return;
    const auto quantity = [](double value, const char* unit) { return quantityText(value, unit); };
    m_newest->setText(tr("Saved at step %1: %2 in %3")
                          .arg(groupedDigits(newest->step), quantity(static_cast<double>(newest->bytes), "B"),
                               quantity(newest->writeSeconds, "s")));
    m_newest->setToolTip(
        tr("%1\nTraining stood still for %2").arg(toText(newest->path), quantity(newest->copySeconds, "s")));
}

}  // namespace plumb::ui
