// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/presets_dialog.h"

#include "ui/run/run_settings.h"
#include "ui/run/save_preset.h"
#include "ui/theme/error_text.h"
#include "ui/theme/list_text.h"
#include "ui/theme/scaled.h"
#include "ui/theme/text.h"
#include "ui/theme/theme.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/slider_row.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace plumb::ui {
namespace {

enum class Listed { Own, Unread, Example };
constexpr int kKind = Qt::UserRole;
constexpr int kPlace = Qt::UserRole + 1;
constexpr int kName = Qt::UserRole + 2;

Listed kindOf(const QListWidgetItem* item) {
    return item == nullptr ? Listed::Example : static_cast<Listed>(item->data(kKind).toInt());
}

/// What it sets otherwise than the program does by itself: "Batch B 1024, Precision bf16".
QString differencesOf(const RunConfig& config) {
    QStringList parts;
    const RunConfig usual;
    for (const RunSetting& setting : runSettings(config))
        if (setting.value != toText(optionValue(usual, setting.option)))
            parts << PresetsDialog::tr("%1: %2").arg(setting.title, setting.value);
    return parts.isEmpty() ? PresetsDialog::tr("The settings that the program comes with")
                           : parts.join(QLatin1Char('\n'));
}

QString nameOf(const UnreadPreset& preset) {
    return preset.name.isEmpty() ? PresetsDialog::tr("without a name") : preset.name;
}

QString fileFilter() { return PresetsDialog::tr("Presets (*.json);;All files (*)"); }

}  // namespace

PresetsDialog::PresetsDialog(Presets& presets, RunConfig current, QString folder, Theme& theme,
                             QWidget* parent)
    : QDialog(parent),
      m_presets(presets),
      m_current(std::move(current)),
      m_folder(std::move(folder)),
      m_list(new QListWidget(this)),
      m_detail(new QPlainTextEdit(this)),
      m_says(new QLabel(this)) {
    setObjectName(QStringLiteral("presetsDialog"));
    setWindowTitle(tr("Presets"));
    m_list->setObjectName(QStringLiteral("presetsList"));
    m_list->setSpacing(2);
    m_list->setAccessibleName(tr("Presets of the configuration"));
    m_says->setObjectName(QStringLiteral("presetsSays"));
    m_says->setWordWrap(true);
    m_says->setTextFormat(Qt::PlainText);
    followColor(m_says, theme, ColorRole::TextMuted);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(scaled(16), scaled(16), scaled(16), scaled(14));
    layout->setSpacing(scaled(10));
    m_detail->setObjectName(QStringLiteral("presetsDetail"));
    m_detail->setAccessibleName(tr("What the preset sets"));
    m_detail->setReadOnly(true);
    m_detail->setTabChangesFocus(true);
    auto* both = new QHBoxLayout;
    both->addWidget(m_list, 3);
    both->addWidget(m_detail, 2);
    layout->addLayout(both, 1);
    auto* row = new QHBoxLayout;
    m_apply = addButton(*row, tr("&Apply"), "presetsApply",
                        tr("Give the panel these settings; Undo takes them back"), &PresetsDialog::apply);
    m_rename =
        addButton(*row, tr("Re&name…"), "presetsRename", tr("Call it otherwise"), &PresetsDialog::rename);
    m_remove =
        addButton(*row, tr("&Delete"), "presetsDelete", tr("Forget this preset"), &PresetsDialog::remove);
    row->addStretch(1);
    layout->addLayout(row);
    auto* told = new QHBoxLayout;
    told->addWidget(m_says, 1);
    m_undo = addButton(*told, tr("&Undo"), "presetsUndo", tr("Take the deleted preset back"),
                       &PresetsDialog::undo);
    layout->addLayout(told);
    auto* foot = new QHBoxLayout;
    (void)addButton(*foot, tr("&Save the present configuration…"), "presetsSave",
                    tr("Keep the settings of the panel under a name"), &PresetsDialog::save);
    (void)addButton(*foot, tr("&Import…"), "presetsImport", tr("Take presets in from a file"),
                    &PresetsDialog::askImport);
    m_export = addButton(*foot, tr("&Export…"), "presetsExport",
                         tr("Write your own presets to a file, for another computer or person"),
                         &PresetsDialog::askExport);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    foot->addWidget(buttons, 1);
    layout->addLayout(foot);
    connect(m_list, &QListWidget::currentItemChanged, this, &PresetsDialog::updateButtons);
    connect(m_list, &QListWidget::itemActivated, this, &PresetsDialog::apply);
    connect(&m_presets, &Presets::changed, this, [this] {
        const std::optional<Preset> before = chosen();
        fill(before ? before->name : QString());
    });
    say({});
    fill({});
    sayWhatIsUnread();
    resize(scaled(640), scaled(480));
}

QPushButton* PresetsDialog::addButton(QHBoxLayout& row, const QString& text, const char* name,
                                      const QString& tip, void (PresetsDialog::*action)()) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(QString::fromLatin1(name));
    button->setToolTip(tip);
    button->setAutoDefault(false);
    connect(button, &QPushButton::clicked, this, action);
    row.addWidget(button);
    return button;
}

void PresetsDialog::fill(const QString& chosen) {
    const QSignalBlocker quiet(m_list);
    m_list->clear();
    const auto add = [&](Listed kind, const QString& name, const QString& shown, qsizetype place) {
        auto* item = new QListWidgetItem(shown, m_list);
        item->setData(kKind, static_cast<int>(kind));
        item->setData(kPlace, place);
        item->setData(kName, name);
        if (name == chosen && m_list->currentItem() == nullptr) m_list->setCurrentItem(item);
        return item;
    };
    m_own = m_presets.all();
    for (qsizetype i = 0; i < m_own.size(); ++i)
        add(Listed::Own, m_own.at(i).name, m_own.at(i).name, i)
            ->setToolTip(differencesOf(m_own.at(i).config));
    for (const UnreadPreset& one : m_presets.unread())
        add(Listed::Unread, one.name, tr("%1 (cannot be read)").arg(nameOf(one)), -1)
            ->setToolTip(errorSentence(one.why));
    const QList<Preset> examples = builtInPresets();
    for (qsizetype i = 0; i < examples.size(); ++i)
        add(Listed::Example, examples.at(i).name, tr("%1 (example)").arg(examples.at(i).name), i)
            ->setToolTip(differencesOf(examples.at(i).config));
    if (m_list->currentItem() == nullptr) m_list->setCurrentRow(0);
    m_export->setEnabled(!m_own.isEmpty());
    updateButtons();
}

void PresetsDialog::sayWhatIsUnread() {
    if (const std::optional<Error> problem = m_presets.problem()) return sayError(*problem);
    QStringList names;
    for (const UnreadPreset& one : m_presets.unread()) names << tr("“%1”").arg(nameOf(one));
    if (!names.isEmpty())
        say(tr("Cannot be read, and stay as they are: %1. Chosen in the list, they say why.")
                .arg(listText(names)));
}

std::optional<Preset> PresetsDialog::chosen() const {
    const QListWidgetItem* const item = m_list->currentItem();
    if (item == nullptr) return std::nullopt;
    if (kindOf(item) == Listed::Unread) return std::nullopt;
    const QList<Preset> all = kindOf(item) == Listed::Own ? m_own : builtInPresets();
    const auto place = item->data(kPlace).toLongLong();
    return place < all.size() ? std::optional(all.at(place)) : std::nullopt;
}

void PresetsDialog::updateButtons() {
    const QListWidgetItem* const item = m_list->currentItem();
    const bool isOwn = kindOf(item) == Listed::Own;
    m_detail->setPlainText(item == nullptr ? QString() : item->toolTip());
    m_apply->setEnabled(chosen().has_value());
    m_rename->setEnabled(isOwn);
    m_remove->setEnabled(isOwn ||
                         (kindOf(item) == Listed::Unread && !item->data(kName).toString().isEmpty()));
}

void PresetsDialog::apply() {
    if (const std::optional<Preset> preset = chosen()) emit applied(*preset);
}

void PresetsDialog::save() {
    askToSavePreset(*this, m_presets, m_current, [this](const Result<QString>& saved) {
        if (!saved.has_value()) return sayError(saved.error());
        fill(*saved);
        say(tr("“%1” is kept.").arg(*saved));
    });
}

void PresetsDialog::rename() {
    const std::optional<Preset> preset = chosen();
    if (!preset) return;
    askText(*this, tr("Rename the preset"), tr("Name of the preset"), preset->name,
            [this, before = preset->name](const QString& name) {
                if (const Result<void> renamed = m_presets.rename(before, name); !renamed.has_value())
                    return sayError(renamed.error());
                fill(name.trimmed());
            });
}

void PresetsDialog::remove() {
    const QListWidgetItem* const item = m_list->currentItem();
    if (item == nullptr || kindOf(item) == Listed::Example) return;
    const QString name = item->data(kName).toString();
    const Result<RemovedPreset> removed = m_presets.remove(name);
    if (!removed.has_value()) return sayError(removed.error());
    m_removed = *removed;
    say(tr("“%1” is deleted.").arg(name), true);
}

void PresetsDialog::undo() {
    if (!m_removed) return;
    const Result<QString> name = m_presets.putBack(*m_removed);
    if (!name.has_value()) return say(errorSentence(name.error()), true);
    m_removed.reset();
    fill(*name);
    say(tr("“%1” is back.").arg(*name));
}

void PresetsDialog::askImport() {
    askOpenPath(*this, tr("Import presets"), m_folder, fileFilter(),
                [this](const QString& path) { importFrom(path); });
}

void PresetsDialog::askExport() {
    askSavePath(*this, tr("Export presets"), m_folder + QStringLiteral("/presets.json"), fileFilter(),
                QStringLiteral("json"), [this](const QString& path) { exportTo(path); });
}

void PresetsDialog::importFrom(const QString& path) {
    const Result<qsizetype> added = m_presets.import(path);
    if (!added.has_value()) return sayError(added.error());
    say(tr("Presets that were added: %1.").arg(countText(*added)));
}

void PresetsDialog::exportTo(const QString& path) {
    if (const Result<void> written = Presets::exportTo(path, m_presets.all()); !written.has_value())
        return sayError(written.error());
    say(tr("Written to %1.").arg(path));
}

void PresetsDialog::say(const QString& text, bool canUndo) {
    m_says->setText(text);
    m_undo->setVisible(canUndo);
}

void PresetsDialog::sayError(const Error& error) {
    fill(m_list->currentItem() == nullptr ? QString() : m_list->currentItem()->data(kName).toString());
    say(errorSentence(error));
}

}  // namespace plumb::ui
