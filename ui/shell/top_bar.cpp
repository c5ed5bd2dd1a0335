// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/top_bar.h"

#include "ui/theme/house_style.h"
#include "ui/theme/scaled.h"
#include "ui/theme/theme.h"
#include "ui/widgets/glyph_button.h"
#include "ui/widgets/slider_row.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QPushButton>
#include <QShortcut>

#include <algorithm>

namespace plumb::ui {
namespace {

constexpr int kBarHeight = 44;
constexpr int kLeft = 12, kRight = 12, kPartGap = 10;
constexpr int kTabGap = 4;
constexpr int kLeastWidth = 320;

int hintOf(const QWidget* widget) { return widget->sizeHint().width(); }

}  // namespace

TopBar::TopBar(Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_theme(theme),
      m_menus(new QMenuBar(this)),
      m_name(new QLabel(QStringLiteral("Plumbline"), this)),
      m_tabRow(new QWidget(this)),
      m_tabLayout(new QHBoxLayout(m_tabRow)),
      m_moreTabs(new QMenu(this)),
      m_allMenus(new QMenu(this)),
      m_device(new QLabel(this)) {
    setObjectName(QStringLiteral("topBar"));
    setFixedHeight(scaled(kBarHeight));
    QFont bold = m_name->font();
    bold.setPointSizeF(bold.pointSizeF() + 1.5);
    bold.setWeight(QFont::Bold);
    m_name->setFont(bold);
    followColor(m_name, theme, ColorRole::TextStrong);
    m_menus->setNativeMenuBar(false);
    m_menus->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_tabRow->setAutoFillBackground(false);
    m_tabRow->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    m_tabLayout->setContentsMargins(0, 0, 0, 0);
    m_tabLayout->setSpacing(kTabGap);
    m_device->setObjectName(QStringLiteral("deviceLabel"));
    m_device->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_device->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    followColor(m_device, theme, ColorRole::TextMuted);
    buildButtons();
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(kLeft, 0, kRight, 0);
    layout->setSpacing(kPartGap);
    for (QWidget* each : {static_cast<QWidget*>(m_menuButton), static_cast<QWidget*>(m_name),
                          static_cast<QWidget*>(m_menus), m_tabRow})
        layout->addWidget(each);
    layout->addWidget(m_device, 1);
    layout->addWidget(m_search);
    layout->addWidget(m_searchGlyph);
    connect(&theme, &Theme::changed, this, qOverload<>(&QWidget::update));
}

void TopBar::buildButtons() {
    m_menuButton = new GlyphButton(m_theme, Glyph::Menu, tr("Menus (F10)"), this);
    m_menuButton->setObjectName(QStringLiteral("menuButton"));
    connect(m_menuButton, &QPushButton::clicked, this, &TopBar::popUpMenus);
    connect(new QShortcut(QKeySequence(Qt::Key_F10), this), &QShortcut::activated, this, [this] {
        popUpMenus();
        // The arrows go on from the first menu, as they do in the bar; to set it would open it, too.
        QKeyEvent down(QEvent::KeyPress, Qt::Key_Down, Qt::NoModifier);
        if (m_allMenus->isVisible()) QCoreApplication::sendEvent(m_allMenus, &down);
    });

    m_moreButton = new QPushButton(tr("More"), m_tabRow);
    m_moreButton->setObjectName(QStringLiteral("moreTabs"));
    m_moreButton->setProperty(kQuietButton, true);
    m_moreButton->setToolTip(tr("Views that have no room beside the others"));
    m_moreButton->setMenu(m_moreTabs);
    m_tabLayout->addWidget(m_moreButton);
    connect(m_moreTabs, &QMenu::aboutToShow, this, &TopBar::fillMore);

    m_search = new QPushButton(tr("Search…  Ctrl+K"), this);
    m_search->setObjectName(QStringLiteral("searchButton"));
    m_search->setToolTip(tr("Find and run any action"));
    m_search->setProperty(kQuietButton, true);
    m_search->setFocusPolicy(Qt::TabFocus);
    m_searchGlyph = new GlyphButton(m_theme, Glyph::Search, tr("Find and run any action (Ctrl+K)"), this);
    m_searchGlyph->setObjectName(QStringLiteral("searchGlyph"));
    connect(m_search, &QPushButton::clicked, this, &TopBar::searchRequested);
    connect(m_searchGlyph, &QPushButton::clicked, this, &TopBar::searchRequested);
}

void TopBar::addTab(const QString& id, const QString& text) {
    auto* tab = new QPushButton(text, m_tabRow);
    tab->setObjectName(id + QStringLiteral("Tab"));
    tab->setProperty(kQuietButton, true);
    tab->setCheckable(true);
    tab->setAutoExclusive(true);
    tab->setAutoDefault(true);  // Enter shows it, as Space does
    tab->setFocusPolicy(Qt::TabFocus);
    QFont font = tab->font();
    font.setWeight(QFont::Medium);
    tab->setFont(font);
    const int index = static_cast<int>(m_tabs.size());
    connect(tab, &QPushButton::clicked, this, [this, index] { emit tabChosen(index); });
    tab->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(tab, &QWidget::customContextMenuRequested, this,
            [this, tab, index](const QPoint& at) { emit tabMenuWanted(index, tab->mapToGlobal(at)); });
    m_tabLayout->insertWidget(index, tab);
    m_tabs.push_back({tab});
}

void TopBar::setCurrentTab(int index) {
    m_tabs.at(static_cast<std::size_t>(index)).button->setChecked(true);
    fit();
}

void TopBar::setTabVisible(int index, bool visible) {
    m_tabs.at(static_cast<std::size_t>(index)).isThere = visible;
    fit();
}

void TopBar::setDevice(const QString& text, const QString& shortText, const QString& toolTip) {
    m_deviceText = text;
    m_shortDeviceText = shortText;
    m_device->setToolTip(toolTip);
    m_device->setAccessibleName(text);
    fit();
}

QWidget& TopBar::menus() const {
    return m_menus->isHidden() ? static_cast<QWidget&>(*m_menuButton) : static_cast<QWidget&>(*m_menus);
}

QSize TopBar::minimumSizeHint() const { return {kLeastWidth, height()}; }

int TopBar::tabsWidth() const {
    int width = 0;
    for (const Tab& tab : m_tabs)
        if (tab.isThere) width += hintOf(tab.button) + kTabGap;
    return width;
}

void TopBar::fit() {
    const int inside = width() - kLeft - kRight;
    const int name = hintOf(m_name) + kPartGap;
    const int tabs = tabsWidth() + kPartGap;
    const int search = hintOf(m_search) + kPartGap;
    const int glyph = hintOf(m_searchGlyph) + kPartGap;
    const int button = hintOf(m_menuButton) + kPartGap;
    const int menus = hintOf(m_menus) + kPartGap;
    int room = inside - name - tabs;
    const bool asBar = room >= menus + search;
    room -= asBar ? menus : button;
    const bool isSearchWhole = room >= search;
    room -= isSearchWhole ? search : glyph;
    const bool isNamed = room >= 0;
    if (!isNamed) room += name;
    showMenus(asBar);
    m_search->setVisible(isSearchWhole);
    m_searchGlyph->setVisible(!isSearchWhole);
    m_name->setVisible(isNamed);
    showTabs(room + tabs - kPartGap);
    showDevice(room - kPartGap);
}

void TopBar::showMenus(bool asBar) {
    m_menus->setVisible(asBar);
    m_menuButton->setVisible(!asBar);
    if (!asBar && m_menuKeys.empty()) makeMenuKeys();
    for (QShortcut* key : m_menuKeys) key->setEnabled(!asBar);
}

void TopBar::makeMenuKeys() {
    for (QAction* menu : m_menus->actions()) {
        const QKeySequence letter = QKeySequence::mnemonic(menu->text());
        if (letter.isEmpty()) continue;
        m_menuKeys.push_back(new QShortcut(letter, this));
        connect(m_menuKeys.back(), &QShortcut::activated, this, [this, menu] { popUpMenu(*menu); });
    }
}

// The current view is among those that are shown, whatever its place.
void TopBar::showTabs(int room) {
    const bool doAllFit = tabsWidth() <= room;
    m_moreButton->setVisible(!doAllFit);
    if (!doAllFit) room -= hintOf(m_moreButton) + kTabGap;
    for (const Tab& tab : m_tabs)
        if (tab.isThere && tab.button->isChecked()) room -= hintOf(tab.button) + kTabGap;
    bool isFull = false;
    for (const Tab& tab : m_tabs) {
        bool isShown = tab.isThere && (doAllFit || tab.button->isChecked());
        if (tab.isThere && !isShown && !isFull) {
            const int width = hintOf(tab.button) + kTabGap;
            isFull = width > room;
            isShown = !isFull;
            if (isShown) room -= width;
        }
        tab.button->setVisible(isShown);
    }
}

void TopBar::showDevice(int room) {
    const QFontMetrics metrics = m_device->fontMetrics();
    const auto fits = [&](const QString& text) { return metrics.horizontalAdvance(text) <= room; };
    // "A..." names no device: its tool tip and the run panel do.
    m_device->setText(fits(m_deviceText)        ? m_deviceText
                      : fits(m_shortDeviceText) ? m_shortDeviceText
                                                : QString());
}

void TopBar::fillMore() {
    m_moreTabs->clear();
    for (std::size_t i = 0; i < m_tabs.size(); ++i) {
        const Tab& tab = m_tabs[i];
        if (!tab.isThere || !tab.button->isHidden()) continue;
        connect(m_moreTabs->addAction(tab.button->text()), &QAction::triggered, this,
                [this, i] { emit tabChosen(static_cast<int>(i)); });
    }
}

void TopBar::popUpMenus() {
    if (!m_menus->isHidden()) {
        m_menus->setFocus(Qt::MenuBarFocusReason);
        if (!m_menus->actions().isEmpty()) m_menus->setActiveAction(m_menus->actions().front());
        return;
    }
    m_allMenus->clear();
    m_allMenus->addActions(m_menus->actions());
    m_allMenus->popup(m_menuButton->mapToGlobal(QPoint(0, m_menuButton->height())));
}

// As the bar does: with the first entry chosen.
void TopBar::popUpMenu(QAction& menu) {
    popUpMenus();
    m_allMenus->setActiveAction(&menu);
    QKeyEvent down(QEvent::KeyPress, Qt::Key_Down, Qt::NoModifier);
    if (menu.menu() != nullptr && menu.menu()->isVisible()) QCoreApplication::sendEvent(menu.menu(), &down);
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
