// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/top_bar.h"

#include "ui/theme/house_style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/slider_row.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenuBar>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>

#include <algorithm>

namespace plumb::ui {
namespace {

constexpr int kLeastLetters = 8;  // of a device that does not fit, its dots among them
constexpr int kBarHeight = 44;
constexpr int kLeft = 20, kRight = 12, kGap = 10, kBeforeTabs = 8;
constexpr int kLeastMenus = 34;
constexpr int kLeastTabs = 200;
constexpr int kLeastWidth = 640;

/// As wide as its tabs where there is room, else it scrolls.
class TabStrip final : public QScrollArea {
public:
    using QScrollArea::QScrollArea;
    [[nodiscard]] QSize sizeHint() const override { return widget()->sizeHint(); }
    [[nodiscard]] QSize minimumSizeHint() const override {
        return {std::min(kLeastTabs, sizeHint().width()), sizeHint().height()};
    }
};
}  // namespace

TopBar::TopBar(Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_menus(new QMenuBar(this)),
      m_device(new QLabel(this)),
      m_tabRow(new QWidget(this)) {
    setObjectName(QStringLiteral("topBar"));
    setFixedHeight(kBarHeight);
    auto* name = m_name = new QLabel(QStringLiteral("Plumbline"), this);
    QFont bold = name->font();
    bold.setPointSizeF(bold.pointSizeF() + 1.5);
    bold.setWeight(QFont::Bold);
    name->setFont(bold);
    followColor(name, theme, ColorRole::TextStrong);
    m_menus->setNativeMenuBar(false);
    m_menus->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_strip = new TabStrip(this);
    m_strip->setFrameShape(QFrame::NoFrame);
    m_strip->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_strip->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_strip->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    m_strip->setFocusPolicy(Qt::NoFocus);
    m_strip->setWidgetResizable(true);
    m_strip->setWidget(m_tabRow);
    m_strip->viewport()->setAutoFillBackground(false);
    m_tabRow->setAutoFillBackground(false);
    auto* tabs = new QHBoxLayout(m_tabRow);
    tabs->setContentsMargins(0, 0, 0, 0);
    tabs->setSpacing(4);
    m_device->setObjectName(QStringLiteral("deviceLabel"));
    m_device->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_device->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    followColor(m_device, theme, ColorRole::TextMuted);
    auto* search = m_search = new QPushButton(tr("Search…  Ctrl+K"), this);
    search->setObjectName(QStringLiteral("searchButton"));
    search->setToolTip(tr("Find and run any action"));
    search->setProperty(kQuietButton, true);
    search->setFocusPolicy(Qt::TabFocus);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(kLeft, 0, kRight, 0);
    layout->setSpacing(kGap);
    layout->addWidget(name);
    layout->addWidget(m_menus);
    layout->addSpacing(kBeforeTabs);
    layout->addWidget(m_strip);
    layout->addWidget(m_device, 1);
    layout->addWidget(search);
    connect(search, &QPushButton::clicked, this, &TopBar::searchRequested);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void TopBar::addTab(const QString& id, const QString& text) {
    auto* tab = new QPushButton(text, m_tabRow);
    tab->setObjectName(id + QStringLiteral("Tab"));
    tab->setProperty(kQuietButton, true);
    tab->setCheckable(true);
    tab->setAutoExclusive(true);
    tab->setFocusPolicy(Qt::TabFocus);
    QFont font = tab->font();
    font.setWeight(QFont::Medium);
    tab->setFont(font);
    const int index = static_cast<int>(m_tabs.size());
    connect(tab, &QPushButton::clicked, this, [this, index] { emit tabChosen(index); });
    m_tabRow->layout()->addWidget(tab);
    m_tabs.push_back(tab);
}

void TopBar::setCurrentTab(int index) {
    QPushButton* tab = m_tabs.at(static_cast<std::size_t>(index));
    tab->setChecked(true);
    m_strip->ensureWidgetVisible(tab, 4, 0);
}

QSize TopBar::minimumSizeHint() const { return {kLeastWidth, kBarHeight}; }

// The device goes first; then the menus are behind the button at their end, then the name goes, and at last
// the tabs scroll.
void TopBar::fit() {
    const auto spare = [this](int menus, bool isNamed) {
        int taken = menus + m_tabRow->sizeHint().width() + m_search->sizeHint().width() +
                    (isNamed ? m_name->sizeHint().width() + kGap : 0);
        taken += kLeft + kRight + kBeforeTabs + 4 * kGap;
        return width() - taken;
    };
    const int whole = m_menus->sizeHint().width();
    m_menus->setFixedWidth(spare(whole, true) >= 0 ? whole : kLeastMenus);
    m_name->setVisible(spare(kLeastMenus, true) >= 0);
    layout()->activate();
    for (QPushButton* tab : m_tabs)
        if (tab->isChecked()) m_strip->ensureWidgetVisible(tab, 4, 0);
    elideDevice();
}

void TopBar::setTabVisible(int index, bool visible) {
    m_tabs.at(static_cast<std::size_t>(index))->setVisible(visible);
    m_strip->updateGeometry();
    fit();
}

void TopBar::setDevice(const QString& text, const QString& toolTip) {
    m_deviceText = text;
    m_device->setToolTip(toolTip);
    m_device->setAccessibleName(text);
    elideDevice();
}

void TopBar::elideDevice() {
    const QFontMetrics metrics = m_device->fontMetrics();
    const QString text = metrics.elidedText(m_deviceText, Qt::ElideRight, m_device->width());
    // "A..." names no device: its tool tip and the run panel do.
    m_device->setText(text == m_deviceText || text.size() >= kLeastLetters ? text : QString());
}

void TopBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void TopBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.color(ColorRole::Panel));
    painter.fillRect(0, height() - 1, width(), 1, m_theme.color(ColorRole::CardBorder));
}

}  // namespace plumb::ui
