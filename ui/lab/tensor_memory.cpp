// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/tensor_memory.h"

#include "ui/lab/tensor_picture.h"
#include "ui/theme/text.h"
#include "ui/widgets/tone_label.h"

#include <QVBoxLayout>

#include <algorithm>

namespace plumb::ui {

TensorMemory::TensorMemory(Theme& theme, QWidget* parent) : QWidget(parent) {
    m_picture = new TensorPicture(theme, this);
    m_address = new ToneLabel(theme, ColorRole::Text, this);
    m_address->setObjectName(QStringLiteral("tensorAddress"));
    m_address->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_address->setElided();
    m_leftOut = new ToneLabel(theme, ColorRole::TextMuted, this);
    m_leftOut->setObjectName(QStringLiteral("tensorLeftOut"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    column->addWidget(m_address);
    column->addWidget(m_picture, 1);
    column->addWidget(m_leftOut);
    connect(m_picture, &TensorPicture::elementShown, this, &TensorMemory::showAddress);
}

void TensorMemory::showTensor(const TensorState& state, int row) {
    m_layout = state.layout(row);
    m_dtype = state.dtype;
    m_picture->showTensor(m_layout, state.name(row));
    m_leftOut->setText(m_picture->leftOut());
    m_leftOut->setVisible(!m_picture->leftOut().isEmpty());
}

void TensorMemory::showAddress(const std::vector<std::int64_t>& indices, qint64 position) {
    if (indices.size() != m_layout.rank()) {
        m_address->showText(
            tr("place %1 of the storage: no drawn element of this tensor lies there").arg(position),
            ColorRole::TextMuted);
        return;
    }
    const auto address = lab::addressOf(m_layout, indices, m_dtype);
    if (!address.has_value()) return m_address->showText({});
    QStringList numbers;
    for (const std::int64_t index : indices) numbers << QString::number(index);
    const auto positions = lab::storagePositions(m_layout, 1U << 16U);
    const auto here = std::ranges::count(positions, static_cast<std::int64_t>(position));
    QString text =
        tr("element [%1]: %2").arg(numbers.join(QStringLiteral(", ")), coreText((*address).formula));
    if (here > 1) text += tr("   (%1 elements lie here)").arg(static_cast<qint64>(here));
    m_address->showText(text, ColorRole::Text);
    m_address->setToolTip(
        tr("offset + Σ index · stride, in elements; times the size of an element, in bytes"));
    m_picture->setAccessibleDescription(text);
}

}  // namespace plumb::ui
