// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/preferences/preferences_dialog.h"

#include "core/base/entry_at.h"
#include "ui/theme/scaled.h"
#include "ui/theme/text.h"
#include "ui/widgets/slider_row.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <cmath>

namespace plumb::ui {
namespace {

/// Of the letters; a choice for each, since every one makes the window anew.
constexpr std::array kScales{0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0};
constexpr int kSwatchHeight = 16;
constexpr int kSpaceBetween = 3;
constexpr double kCorner = 3;

int nearestScale(double scale) {
    const auto* const found =
        std::ranges::min_element(kScales, {}, [scale](double one) { return std::abs(one - scale); });
    return static_cast<int>(found - kScales.begin());
}

/// The colours of the categories beside each other, as a bar of memory has them.
class ColorSample final : public QWidget {
public:
    explicit ColorSample(Theme& theme, QWidget* parent) : QWidget(parent), m_theme(theme) {
        setObjectName(QStringLiteral("colorSample"));
        setAccessibleName(PreferencesDialog::tr("Colours of the categories of memory"));
        setMinimumHeight(scaled(kSwatchHeight));
        connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
    }

protected:
    void paintEvent(QPaintEvent* /*event*/) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        const double each = static_cast<double>(width()) / static_cast<double>(kAllCategories.size());
        double left = 0;
        for (const Category category : kAllCategories) {
            painter.setBrush(m_theme.categoryColor(category));
            painter.drawRoundedRect(QRectF(left, 0, each - kSpaceBetween, height()), kCorner, kCorner);
            left += each;
        }
    }

private:
    Theme& m_theme;
};

}  // namespace

PreferencesDialog::PreferencesDialog(const Preferences& now, const Preferences& before, Theme& theme,
                                     QWidget* parent)
    : QDialog(parent), m_now(now), m_before(before) {
    setObjectName(QStringLiteral("preferencesDialog"));
    setWindowTitle(tr("Preferences"));
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setHorizontalSpacing(scaled(16));
    form->setVerticalSpacing(scaled(10));
    buildLooks(*form, theme);
    buildNumbers(*form);
    auto* buttons = new QDialogButtonBox(
        QDialogButtonBox::Ok | QDialogButtonBox::Cancel | QDialogButtonBox::RestoreDefaults, this);
    QPushButton* const reset = buttons->button(QDialogButtonBox::RestoreDefaults);
    reset->setObjectName(QStringLiteral("preferencesReset"));
    reset->setAutoDefault(false);
    connect(reset, &QPushButton::clicked, this, [this] { set({}); });
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &PreferencesDialog::reject);
    auto* says = new QLabel(tr("Changes apply at once."), this);
    followColor(says, theme, ColorRole::TextMuted);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(scaled(20), scaled(18), scaled(20), scaled(16));
    layout->setSpacing(scaled(14));
    layout->addLayout(form);
    layout->addStretch(1);
    layout->addWidget(says);
    layout->addWidget(buttons);
    show(now);
    setMinimumWidth(scaled(460));
}

void PreferencesDialog::buildLooks(QFormLayout& form, Theme& theme) {
    m_theme = addChoice(form, tr("&Theme:"), "preferencesTheme",
                        {tr("As the system"), tr("Light"), tr("Dark")}, tr("Light or dark surfaces"));
    m_contrast = addCheck(form, tr("High &contrast"), "preferencesContrast",
                          tr("Black on white or white on black, with lines that stand out"));
    m_safe = addCheck(form, tr("Colours that colour-blind &eyes tell apart"), "preferencesSafe",
                      tr("Categories, phases and verdicts in colours that differ in lightness too; those of "
                         "high contrast always do"));
    form.addRow(QString(), new ColorSample(theme, this));
    QStringList scales;
    for (const double scale : kScales)
        scales << tr("%1 %").arg(countText(static_cast<std::int64_t>(std::lround(scale * 100))));
    m_scale = addChoice(form, tr("Te&xt size:"), "preferencesScale", scales,
                        tr("Size of all letters, and of what is sized for them"));
    m_language = addChoice(
        form, tr("&Language:"), "preferencesLanguage",
        {tr("As the system"), languageName(Language::English), languageName(Language::SimplifiedChinese)},
        tr("The words of the window"));
}

void PreferencesDialog::buildNumbers(QFormLayout& form) {
    m_decimal = addChoice(form, tr("&Decimal mark:"), "preferencesDecimal",
                          {tr("As the system"), tr("Point"), tr("Comma")},
                          tr("What parts whole numbers from fractions; both can be typed everywhere"));
    m_group = addChoice(form, tr("&Groups of digits:"), "preferencesGroup",
                        {tr("Thin space"), tr("Comma"), tr("Apostrophe"), tr("Nothing")},
                        tr("What parts thousands; all of them can be typed everywhere"));
    m_bytes =
        addChoice(form, tr("&Bytes:"), "preferencesBytes",
                  {tr("kB, MB, GB (powers of 1000)"), tr("KiB, MiB, GiB (powers of 1024)")},
                  tr("Prefixes of sizes in bytes; rates keep powers of 1000, as data sheets have them"));
    m_sample = new QLabel(this);
    m_sample->setObjectName(QStringLiteral("preferencesSample"));
    form.addRow(tr("Sample:"), m_sample);
}

QComboBox* PreferencesDialog::addChoice(QFormLayout& form, const QString& label, const char* name,
                                        const QStringList& choices, const QString& tip) {
    auto* choice = new QComboBox(this);
    choice->setObjectName(QString::fromLatin1(name));
    choice->addItems(choices);
    choice->setToolTip(tip);
    choice->setAccessibleName(withoutMnemonic(label).remove(QLatin1Char(':')).remove(QStringLiteral("：")));
    form.addRow(label, choice);
    connect(choice, &QComboBox::currentIndexChanged, this, &PreferencesDialog::take);
    return choice;
}

QCheckBox* PreferencesDialog::addCheck(QFormLayout& form, const QString& text, const char* name,
                                       const QString& tip) {
    auto* check = new QCheckBox(text, this);
    check->setObjectName(QString::fromLatin1(name));
    check->setToolTip(tip);
    form.addRow(QString(), check);
    connect(check, &QCheckBox::toggled, this, &PreferencesDialog::take);
    return check;
}

void PreferencesDialog::show(const Preferences& preferences) {
    const std::array<QSignalBlocker, 8> quiet{QSignalBlocker(m_theme),    QSignalBlocker(m_contrast),
                                              QSignalBlocker(m_safe),     QSignalBlocker(m_scale),
                                              QSignalBlocker(m_decimal),  QSignalBlocker(m_bytes),
                                              QSignalBlocker(m_language), QSignalBlocker(m_group)};
    m_theme->setCurrentIndex(static_cast<int>(preferences.look.mode));
    m_contrast->setChecked(preferences.look.highContrast);
    m_safe->setChecked(preferences.look.safeColors);
    m_scale->setCurrentIndex(nearestScale(preferences.look.fontScale));
    m_decimal->setCurrentIndex(static_cast<int>(preferences.decimal));
    m_group->setItemText(static_cast<int>(GroupMark::Mark),
                         preferences.numberStyle().decimal == "," ? tr("Point") : tr("Comma"));
    m_group->setCurrentIndex(static_cast<int>(preferences.group));
    m_bytes->setCurrentIndex(static_cast<int>(preferences.bytes));
    m_language->setCurrentIndex(static_cast<int>(preferences.language));
    showSample();
}

void PreferencesDialog::take() {
    Preferences wanted = m_now;
    wanted.look.mode = static_cast<Theme::Mode>(m_theme->currentIndex());
    wanted.look.highContrast = m_contrast->isChecked();
    wanted.look.safeColors = m_safe->isChecked();
    // A scale between two choices stays while nobody chooses another.
    if (m_scale->currentIndex() != nearestScale(m_now.look.fontScale))
        wanted.look.fontScale = entryAt(kScales, m_scale->currentIndex());
    wanted.decimal = static_cast<DecimalMark>(m_decimal->currentIndex());
    wanted.group = static_cast<GroupMark>(m_group->currentIndex());
    wanted.bytes = static_cast<ByteUnits>(m_bytes->currentIndex());
    wanted.language = static_cast<Language>(m_language->currentIndex());
    set(wanted);
}

void PreferencesDialog::set(const Preferences& preferences) {
    if (m_now == preferences) return;
    m_now = preferences;
    emit changed(preferences);
    show(preferences);  // once it is in force
}

void PreferencesDialog::reject() {
    set(m_before);
    QDialog::reject();
}

void PreferencesDialog::showSample() {
    constexpr double kFigure = -123.4, kSmall = 2.5e-7;  // whole numbers alone have groups
    constexpr Bytes kSize = Bytes(80) * 1024 * 1024 * 1024;
    m_sample->setText(
        QStringList{numberText(kFigure), numberText(kSmall), countText(kSize / 1024), bytesText(kSize)}.join(
            QStringLiteral("   ")));
}

}  // namespace plumb::ui
