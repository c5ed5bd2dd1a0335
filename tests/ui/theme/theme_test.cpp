// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include "tests/ui/support.h"
#include "ui/theme/house_style.h"
#include "ui/theme/one_line.h"

#include <QApplication>
#include <QHash>
#include <QLabel>
#include <QListWidget>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace plumb::ui {
namespace {

using test::FailOnQtWarnings;

double linear(double channel) {
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

/// WCAG 2.1, relative luminance and contrast ratio.
double luminance(const QColor& color) {
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}
double contrast(const QColor& a, const QColor& b) {
    const double high = std::max(luminance(a), luminance(b));
    const double low = std::min(luminance(a), luminance(b));
    return (high + 0.05) / (low + 0.05);
}

struct Lab {
    double l, a, b;
};

Lab lab(double red, double green, double blue) {
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const double x = f((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047);
    const double y = f(0.2126 * red + 0.7152 * green + 0.0722 * blue);
    const double z = f((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

/// Machado, Oliveira and Fernandes 2009, full severity, on linear RGB: rows of the matrix.
using Matrix = std::array<std::array<double, 3>, 3>;
constexpr Matrix kNormal{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix kProtan{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix kDeutan{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};

Lab seen(const QColor& color, const Matrix& m) {
    const double r = linear(color.redF()), g = linear(color.greenF()), b = linear(color.blueF());
    const auto row = [&](int i) {
        return std::clamp(m[static_cast<std::size_t>(i)][0] * r + m[static_cast<std::size_t>(i)][1] * g +
                              m[static_cast<std::size_t>(i)][2] * b,
                          0.0, 1.0);
    };
    return lab(row(0), row(1), row(2));
}

double distance(const Lab& a, const Lab& b) { return std::hypot(a.l - b.l, a.a - b.a, a.b - b.b); }

class EachTheme : public testing::TestWithParam<Theme::Look> {
protected:
    EachTheme() { theme.setLook(GetParam()); }
    FailOnQtWarnings guard;
    Theme theme;
};

TEST_P(EachTheme, TextHasContrastOnEverySurfaceThatCarriesIt) {
    // WCAG 2.1: 4.5 for all, 7 for those who ask for more (1.4.3 and 1.4.6).
    const double least = GetParam().highContrast ? 7 : 4.5;
    for (const ColorRole surface : {ColorRole::Window, ColorRole::Panel, ColorRole::Card, ColorRole::Field,
                                    ColorRole::Button, ColorRole::Selection, ColorRole::Hover})
        for (const ColorRole text : {ColorRole::Text, ColorRole::TextMuted, ColorRole::TextStrong,
                                     ColorRole::Axis, ColorRole::Predicted, ColorRole::Measured})
            EXPECT_GE(contrast(theme.color(text), theme.color(surface)), least)
                << colorRoleName(text).toStdString() << " on " << colorRoleName(surface).toStdString();
    for (const ColorRole surface : {ColorRole::Panel, ColorRole::Card})
        for (const ColorRole text : {ColorRole::Good, ColorRole::Warning, ColorRole::Bad, ColorRole::Accent})
            EXPECT_GE(contrast(theme.color(text), theme.color(surface)), least)
                << colorRoleName(text).toStdString() << " on " << colorRoleName(surface).toStdString();
    EXPECT_GE(contrast(theme.color(ColorRole::AccentText), theme.color(ColorRole::Accent)), least);
}

TEST_P(EachTheme, HighContrastShowsTheEdgesOfWhatCanBeUsed) {
    if (!GetParam().highContrast) return;
    // WCAG 2.1, 1.4.11: 3 for what has to be seen to be used, and for the parts of a picture.
    for (const ColorRole edge : {ColorRole::FieldBorder, ColorRole::CardBorder, ColorRole::Track,
                                 ColorRole::Ghost, ColorRole::Accent})
        for (const ColorRole surface : {ColorRole::Window, ColorRole::Panel, ColorRole::Card})
            EXPECT_GE(contrast(theme.color(edge), theme.color(surface)), 3)
                << colorRoleName(edge).toStdString() << " on " << colorRoleName(surface).toStdString();
    for (const Category category : kAllCategories)
        EXPECT_GE(contrast(theme.categoryColor(category), theme.color(ColorRole::Card)), 3)
            << categoryLabel(category);
    for (const Phase phase : kEnumerators<Phase>)
        EXPECT_GE(contrast(theme.phaseColor(phase), theme.color(ColorRole::Card)), 3) << phaseName(phase);
}

TEST_P(EachTheme, TheMarkedRowOfAListCanBeRead) {
    HouseStyle style(theme);
    QListWidget list;  // as in the command palette, which never has the focus
    list.setStyle(&style);
    list.setPalette(theme.palette());
    QFont large = list.font();
    large.setPixelSize(32);  // strokes wider than a pixel, so that some are of the text's own colour
    large.setBold(true);
    list.setFont(large);
    list.addItem(QStringLiteral("HHHH"));
    list.setCurrentRow(0);
    list.resize(300, 100);
    const QImage picture =
        list.viewport()->grab(list.visualItemRect(list.item(0)).adjusted(2, 2, -2, -2)).toImage();
    QHash<QRgb, int> counts;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x) ++counts[picture.pixel(x, y)];
    ASSERT_GT(counts.size(), 1) << "nothing is written";
    const QColor ground = theme.color(ColorRole::Selection);
    EXPECT_GT(counts.value(ground.rgb()), picture.width() * picture.height() / 4);
    double best = 0;
    for (auto it = counts.cbegin(); it != counts.cend(); ++it)
        best = std::max(best, contrast(QColor(it.key()), ground));
    EXPECT_GE(best, 4.5);
}

TEST_P(EachTheme, CategoriesDifferForReadersWithAndWithoutColourBlindness) {
    // A difference of 2.3 is just noticeable side by side; 10 is plain at a glance.
    const bool safe = GetParam().safeColors || GetParam().highContrast;
    const double least = safe ? 28 : 10;
    for (const Matrix& eyes : {kNormal, kProtan, kDeutan})
        for (std::size_t i = 0; i < kCategoryCount; ++i)
            for (std::size_t j = i + 1; j < kCategoryCount; ++j)
                EXPECT_GE(distance(seen(theme.categoryColor(kAllCategories[i]), eyes),
                                   seen(theme.categoryColor(kAllCategories[j]), eyes)),
                          least)
                    << categoryLabel(kAllCategories[i]) << " and " << categoryLabel(kAllCategories[j]);
}

TEST_P(EachTheme, KindsOfBitsDifferAndCarryTheirDigits) {
    const std::array kinds{ColorRole::BitSign, ColorRole::BitExponent, ColorRole::BitMantissa};
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        // A set bit has its digit in the colour of the card.
        EXPECT_GE(contrast(theme.color(kinds[i]), theme.color(ColorRole::Card)), 4.5);
        for (std::size_t j = i + 1; j < kinds.size(); ++j)
            for (const Matrix& eyes : {kNormal, kProtan, kDeutan})
                EXPECT_GE(distance(seen(theme.color(kinds[i]), eyes), seen(theme.color(kinds[j]), eyes)),
                          20.0)
                    << colorRoleName(kinds[i]).toStdString() << " and "
                    << colorRoleName(kinds[j]).toStdString();
    }
}

TEST_P(EachTheme, CategoryAreasStandOutFromTheCard) {
    for (const Category category : kAllCategories)
        EXPECT_GE(contrast(theme.categoryColor(category), theme.color(ColorRole::Card)), 1.4)
            << categoryLabel(category);
}

TEST_P(EachTheme, EveryPhaseHasItsOwnColour) {
    std::set<QRgb> colors;
    for (const Phase phase : kEnumerators<Phase>) colors.insert(theme.phaseColor(phase).rgb());
    EXPECT_EQ(colors.size(), kEnumCount<Phase>);
}

TEST_P(EachTheme, SafePhasesAndVerdictsDifferForEveryEye) {
    if (!GetParam().safeColors && !GetParam().highContrast) return;
    const std::array verdicts{theme.color(ColorRole::Good), theme.color(ColorRole::Warning),
                              theme.color(ColorRole::Bad)};
    for (const Matrix& eyes : {kNormal, kProtan, kDeutan}) {
        for (const Phase a : kEnumerators<Phase>)
            for (const Phase b : kEnumerators<Phase>) {
                if (a >= b) continue;
                EXPECT_GE(distance(seen(theme.phaseColor(a), eyes), seen(theme.phaseColor(b), eyes)), 35)
                    << phaseName(a) << " and " << phaseName(b);
            }
        for (std::size_t i = 0; i < verdicts.size(); ++i)
            for (std::size_t j = i + 1; j < verdicts.size(); ++j)
                EXPECT_GE(distance(seen(verdicts[i], eyes), seen(verdicts[j], eyes)), 20)
                    << i << " and " << j;
    }
}

std::string nameOf(const testing::TestParamInfo<Theme::Look>& look) {
    return std::string(look.param.mode == Theme::Mode::Dark ? "Dark" : "Light") +
           (look.param.highContrast ? "Contrast" : "") + (look.param.safeColors ? "Safe" : "");
}

std::vector<Theme::Look> everyLook() {
    std::vector<Theme::Look> looks;
    for (const Theme::Mode mode : {Theme::Mode::Light, Theme::Mode::Dark})
        for (const bool contrast : {false, true})
            for (const bool safe : {false, true})
                looks.push_back({.mode = mode, .highContrast = contrast, .safeColors = safe});
    return looks;
}

INSTANTIATE_TEST_SUITE_P(Themes, EachTheme, testing::ValuesIn(everyLook()), nameOf);

TEST(Theme, ChangesColoursAndSaysSo) {
    Theme theme;
    theme.setMode(Theme::Mode::Light);
    QSignalSpy changed(&theme, &Theme::changed);
    const QColor light = theme.color(ColorRole::Card);
    theme.setMode(Theme::Mode::Dark);
    EXPECT_EQ(changed.size(), 1);
    EXPECT_TRUE(theme.isDark());
    EXPECT_NE(theme.color(ColorRole::Card), light);
}

TEST(Theme, TakesOtherColoursAtOnceAndSaysSo) {
    Theme theme;
    theme.setMode(Theme::Mode::Dark);
    const QColor card = theme.color(ColorRole::Card), category = theme.categoryColor(Category::Activations);
    QSignalSpy changed(&theme, &Theme::changed);
    Theme::Look look = theme.look();
    look.safeColors = true;
    theme.setLook(look);
    EXPECT_EQ(changed.size(), 1);
    EXPECT_EQ(theme.color(ColorRole::Card), card);
    EXPECT_NE(theme.categoryColor(Category::Activations), category);
    look.highContrast = true;
    theme.setLook(look);
    EXPECT_EQ(changed.size(), 2);
    EXPECT_NE(theme.color(ColorRole::Card), card);
    theme.setLook({.mode = Theme::Mode::Dark});
    EXPECT_EQ(theme.categoryColor(Category::Activations), category);
}

TEST(Theme, ScalesTheLettersOfTheApplication) {
    const QFont before = QApplication::font();
    {
        Theme theme;
        theme.apply(*qobject_cast<QApplication*>(QCoreApplication::instance()));
        const double usual = QApplication::font().pointSizeF();
        theme.setLook({.fontScale = 1.5});
        EXPECT_DOUBLE_EQ(QApplication::font().pointSizeF(), 1.5 * usual);
        theme.setLook({});
        EXPECT_DOUBLE_EQ(QApplication::font().pointSizeF(), usual);
    }
    QApplication::setFont(before);
}

TEST(Theme, FollowsTheLightnessOfTheSystemsPalette) {
    QPalette dark;
    dark.setColor(QPalette::Window, Qt::black);
    dark.setColor(QPalette::WindowText, Qt::white);
    const QPalette before = QGuiApplication::palette();
    QApplication::setPalette(dark);
    EXPECT_TRUE(Theme().isDark());
    QApplication::setPalette(before);
    EXPECT_FALSE(Theme().isDark());
}

TEST(HouseStyle, LeavesTheApplicationBeforeItsThemeIsGone) {
    const FailOnQtWarnings guard;
    QPointer<HouseStyle> style;
    QPushButton button(QStringLiteral("outlives the theme"));
    {
        Theme theme;
        theme.apply(*qobject_cast<QApplication*>(QCoreApplication::instance()));
        style = qobject_cast<HouseStyle*>(QApplication::style());
        ASSERT_NE(style, nullptr);
        Theme later;
        later.apply(*qobject_cast<QApplication*>(QCoreApplication::instance()));
        style = qobject_cast<HouseStyle*>(QApplication::style());
        ASSERT_NE(style, nullptr);
    }
    EXPECT_EQ(style, nullptr);
    EXPECT_EQ(qobject_cast<HouseStyle*>(QApplication::style()), nullptr);
    EXPECT_FALSE(button.grab().isNull());

    Theme theme;
    theme.apply(*qobject_cast<QApplication*>(QCoreApplication::instance()));
    { const Theme neverApplied; }  // takes nothing off
    EXPECT_NE(qobject_cast<HouseStyle*>(QApplication::style()), nullptr);
}

TEST(HouseStyle, CutsNoLettersOfSegments) {
    const FailOnQtWarnings guard;
    const Theme theme;
    HouseStyle style(theme);
    for (const double larger : {1.0, 2.0}) {
        QPushButton segment(QStringLiteral("gradient"));
        segment.setProperty(kSegmentButton, true);
        segment.setStyle(&style);
        QFont font = segment.font();
        font.setPointSizeF(font.pointSizeF() * larger);
        segment.setFont(font);
        EXPECT_GT(segment.sizeHint().height(), QFontMetrics(segment.font()).height()) << larger;
    }
}

TEST(HouseStyle, TakesNoTextForMarkup) {
    const FailOnQtWarnings guard;
    const Theme theme;
    HouseStyle style(theme);
    QLabel label(QStringLiteral("<img src='file:///etc/passwd'><b>bold</b>"));
    label.setStyle(&style);
    label.ensurePolished();
    EXPECT_EQ(label.textFormat(), Qt::PlainText);
    QLabel ours;
    ours.setTextFormat(Qt::RichText);
    ours.setStyle(&style);
    ours.ensurePolished();
    EXPECT_EQ(ours.textFormat(), Qt::RichText);
}

TEST(HouseStyle, ShowsToolTipsAsTheyAreWritten) {
    const FailOnQtWarnings guard{{QStringLiteral("raise()")}};  // not part of the offscreen platform
    const Theme theme;
    QWidget window;
    window.show();
    const QString text = QStringLiteral("<b>a name</b> of a <i>file</i>");
    QToolTip::showText({10, 10}, text, &window);
    QLabel* tip = nullptr;
    for (QWidget* widget : QApplication::topLevelWidgets())
        if (widget->inherits("QTipLabel")) tip = qobject_cast<QLabel*>(widget);
    ASSERT_NE(tip, nullptr);
    tip->setTextFormat(Qt::AutoText);
    HouseStyle style(theme);
    tip->setStyle(&style);
    EXPECT_EQ(tip->textFormat(), Qt::PlainText);
    EXPECT_EQ(tip->text(), text);
    QToolTip::hideText();
    delete tip;
}

TEST(OneLine, LeavesOutTheBracketsOfANameBeforeTheNameIsCut) {
    const QFont font = QApplication::font();
    const QFontMetrics metrics(font);
    const QString name = QStringLiteral("AdamW (fused, 262 k parameters)");
    EXPECT_EQ(nameWithin(name, metrics, metrics.horizontalAdvance(name)), name);
    EXPECT_EQ(nameWithin(name, metrics, metrics.horizontalAdvance(name) - 1), QStringLiteral("AdamW"));
    EXPECT_EQ(nameWithin(QStringLiteral("AdamW（融合，262 k 个参数）"), metrics, 60),
              QStringLiteral("AdamW"));
    EXPECT_EQ(nameWithin(QStringLiteral("(h w) of it"), metrics, 5), QStringLiteral("(h w) of it"));
}

}  // namespace
}  // namespace plumb::ui
