// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include "ui/theme/house_style.h"
#include "ui/theme/text.h"

#include <QApplication>
#include <QEvent>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QScopedValueRollback>

// Resources of a static library are linked only when somebody asks for them; the macro wants no namespace.
static void initThemeResources() { Q_INIT_RESOURCE(themes); }

namespace plumb::ui {
namespace {

constexpr double kUsualPoints = 10.0;

constexpr EnumArray<ColorRole, const char*> kRoleNames{
    "window",      "panel",    "card",        "cardBorder", "field",     "fieldBorder", "grid",
    "axis",        "text",     "textMuted",   "textStrong", "accent",    "accentText",  "selection",
    "hover",       "good",     "warning",     "bad",        "predicted", "measured",    "ghost",
    "track",       "button",   "buttonHover", "knob",       "shadow",    "bitSign",     "bitExponent",
    "bitMantissa", "baseline", "compared"};

/// The application's own palette would answer for the system's: it is lifted for the moment of the question.
bool systemIsDark(QApplication* application) {
    QPalette system = QGuiApplication::palette();
    if (application) {
        QApplication::setPalette(QPalette());
        system = QGuiApplication::palette();
    }
    return system.color(QPalette::Window).lightness() < system.color(QPalette::WindowText).lightness();
}

}  // namespace

QString colorRoleName(ColorRole role) { return QString::fromLatin1(kRoleNames[role]); }

Theme::Colors Theme::load(bool dark, const Look& look) {
    initThemeResources();
    const QString path = QStringLiteral(":/plumbline/themes/%1%2.json")
                             .arg(dark ? QStringLiteral("dark") : QStringLiteral("light"),
                                  look.highContrast ? QStringLiteral("-contrast") : QString());
    QFile file(path);
    Colors colors;
    if (!file.open(QIODevice::ReadOnly)) {
        qWarning("theme %s is missing from the program", qPrintable(path));
        return colors;
    }
    const QJsonObject root = QJsonDocument::fromJson(file.readAll()).object();
    // Those of high contrast are safe as they are.
    const QJsonObject safe = look.safeColors ? root.value(QStringLiteral("safe")).toObject() : QJsonObject();
    const auto read = [&](const char* group, const QString& key) {
        const QJsonValue usual = root.value(QLatin1String(group)).toObject().value(key);
        const QJsonValue other = safe.value(QLatin1String(group)).toObject().value(key);
        const QColor color((other.isString() ? other : usual).toString());
        if (!color.isValid()) qWarning("theme %s has no colour %s", qPrintable(path), qPrintable(key));
        return color;
    };
    for (const ColorRole role : kEnumerators<ColorRole>)
        colors.roles[role] = read("roles", colorRoleName(role));
    for (const Category category : kAllCategories)
        colors.categories[category] = read("categories", toText(categoryName(category)));
    for (const Phase phase : kEnumerators<Phase>)
        colors.phases[phase] = read("phases", toText(phaseName(phase)));
    return colors;
}

Theme::Theme(QObject* parent)
    : QObject(parent), m_dark(systemIsDark(nullptr)), m_colors(load(m_dark, m_look)) {}

void Theme::setLook(const Look& look) {
    if (m_look == look) return;
    const bool resized = m_look.fontScale != look.fontScale;
    m_look = look;
    if (m_application && resized) setFont();
    refresh();
}

void Theme::setMode(Mode mode) {
    Look look = m_look;
    look.mode = mode;
    setLook(look);
}

void Theme::refresh() {
    const QScopedValueRollback<bool> guard(m_readingSystem, true);
    const bool dark = m_look.mode == Mode::System ? systemIsDark(m_application) : m_look.mode == Mode::Dark;
    const bool different = dark != m_dark || m_look.highContrast != m_loaded.highContrast ||
                           m_look.safeColors != m_loaded.safeColors;
    m_dark = dark;
    if (different) m_colors = load(dark, m_look);
    m_loaded = m_look;
    if (m_application) QApplication::setPalette(palette());
    if (different) emit changed();
}

QPalette Theme::palette() const {
    QPalette result;
    const auto set = [&](QPalette::ColorRole role, ColorRole ours) { result.setColor(role, color(ours)); };
    set(QPalette::Window, ColorRole::Window);
    set(QPalette::WindowText, ColorRole::Text);
    set(QPalette::Base, ColorRole::Field);
    set(QPalette::AlternateBase, ColorRole::Hover);
    set(QPalette::Text, ColorRole::Text);
    set(QPalette::Button, ColorRole::Button);
    set(QPalette::ButtonText, ColorRole::Text);
    set(QPalette::BrightText, ColorRole::Bad);
    set(QPalette::Highlight, ColorRole::Accent);
    set(QPalette::HighlightedText, ColorRole::AccentText);
    set(QPalette::Link, ColorRole::Accent);
    set(QPalette::LinkVisited, ColorRole::Accent);
    set(QPalette::ToolTipBase, ColorRole::Card);
    set(QPalette::ToolTipText, ColorRole::Text);
    set(QPalette::PlaceholderText, ColorRole::TextMuted);
    set(QPalette::Light, ColorRole::ButtonHover);
    set(QPalette::Midlight, ColorRole::Hover);
    set(QPalette::Mid, ColorRole::Track);
    set(QPalette::Dark, ColorRole::CardBorder);
    set(QPalette::Shadow, ColorRole::Shadow);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        result.setColor(QPalette::Disabled, role, color(ColorRole::Ghost));
    result.setColor(QPalette::Disabled, QPalette::Highlight, color(ColorRole::Track));
    return result;
}

void Theme::setFont() const {
    QFont font;
    font.setFamilies({QStringLiteral("Inter"), QStringLiteral("Noto Sans"), QStringLiteral("DejaVu Sans"),
                      QStringLiteral("Noto Sans CJK SC"), QStringLiteral("Source Han Sans SC"),
                      QStringLiteral("WenQuanYi Micro Hei")});
    font.setPointSizeF(kUsualPoints * m_look.fontScale);
    // Inter has other forms of signs beside digits and capitals. A PDF cannot say what these mean: a minus
    // copied out of a report was lost.
    font.setStyleStrategy(QFont::PreferNoShaping);
    QApplication::setFont(font);
}

void Theme::apply(QApplication& application) {
    m_application = &application;
    setFont();
    m_style = new HouseStyle(*this);
    application.setStyle(m_style);
    application.installEventFilter(this);
    refresh();
}

Theme::~Theme() {
    if (m_application && m_style && QApplication::style() == m_style)
        QApplication::setStyle(QStringLiteral("Fusion"));
}

bool Theme::eventFilter(QObject* watched, QEvent* event) {
    // A desktop that switches tells its windows (ThemeChange): the application's palette stays ours.
    const bool switched = event->type() == QEvent::ThemeChange ||
                          (event->type() == QEvent::ApplicationPaletteChange && watched == m_application);
    if (switched && !m_readingSystem && m_look.mode == Mode::System) refresh();
    return QObject::eventFilter(watched, event);
}

}  // namespace plumb::ui
