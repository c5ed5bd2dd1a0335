// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine/device_choices.h"

#include "core/machine/local_cpu.h"
#include "ui/run/run_panel_state.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace plumb::ui::test {
namespace {

/// Two cards of one kind, and the processor.
std::vector<protocol::DeviceEntry> twoCards() {
    std::vector<protocol::DeviceEntry> listed;
    for (int index = 0; index < 2; ++index) {
        protocol::DeviceEntry card;
        card.target.machine.id = "cuda-card-132";
        card.target.machine.name = "Card";
        card.target.machine.backend = "cuda";
        card.target.machine.computeCapability = 90;
        card.target.machine.index = index;
        card.target.machine.uuid = "GPU-" + std::to_string(index);
        card.target.traits = traitsFor("cuda", 90);
        listed.push_back(card);
    }
    listed.push_back({{localCpu(), cpuTraits()}, true, "", {}});
    return listed;
}

TEST(DeviceChoices, TellTwoCardsOfOneKindApart) {
    Workbench workbench;
    DeviceChoices choices(workbench);
    choices.offer(twoCards());
    choices.choose(1);
    EXPECT_EQ(workbench.scene()->whatIf.machine().uuid, "GPU-1");
    ASSERT_NE(choices.ofEngine(), nullptr);
    EXPECT_EQ(choices.ofEngine()->target.machine.uuid, "GPU-1");
    choices.offer(twoCards());
    EXPECT_EQ(choices.current().target.machine.uuid, "GPU-1")
        << "the choice stays when devices are listed anew";

    // A calibration of one is that of both, and neither becomes the other.
    Machine calibrated = twoCards()[0].target.machine;
    calibrated.bandwidthBytesPerSecond = 4e12;
    choices.recalibrate(calibrated);
    EXPECT_EQ(workbench.scene()->whatIf.machine().uuid, "GPU-1");
    EXPECT_EQ(workbench.scene()->whatIf.machine().bandwidthBytesPerSecond, 4e12);
    EXPECT_EQ(choices.all()[0].target.machine.uuid, "GPU-0");
}

TEST(DeviceChoices, HaveNamesThatThePanelHasRoomFor) {
    Workbench workbench;
    DeviceChoices choices(workbench);
    auto listed = twoCards();
    listed.back().target.machine.name = "Intel(R) Xeon(R) Processor, 2 cores";
    choices.offer(listed);
    const auto state = makeRunPanelState({.scene = workbench.scene(), .devices = &choices.all()});
    const auto found =
        std::ranges::find(state.devices, QStringLiteral("Intel Xeon, 2 cores"), &DeviceItem::text);
    ASSERT_NE(found, state.devices.end());
    EXPECT_TRUE(found->toolTip.startsWith(QStringLiteral("Intel(R) Xeon(R) Processor, 2 cores")));
}

TEST(DeviceChoices, AFileOfAnotherCardRunsOnTheOneThatIsHere) {
    Workbench workbench;
    DeviceChoices choices(workbench);
    choices.offer(twoCards());
    Target elsewhere = twoCards()[0].target;
    elsewhere.machine.uuid = "GPU-elsewhere";
    choices.chooseFor(elsewhere);
    EXPECT_EQ(choices.current().target.machine.uuid, "GPU-elsewhere");
    ASSERT_NE(choices.ofEngine(), nullptr);
    EXPECT_EQ(choices.ofEngine()->target.machine.uuid, "GPU-0");
}

/// The processor, with PyTorch on it or without.
std::vector<protocol::DeviceEntry> processor(bool withPyTorch) {
    std::vector<protocol::DeviceEntry> listed{{{localCpu(), cpuTraits()}, true, "", {}}};
    if (!withPyTorch) return listed;
    listed.push_back(listed.front());
    listed.back().target.machine.id += "-pytorch-eager";
    listed.back().target.traits = traitsFor("pytorch-eager", {});
    return listed;
}

TEST(DeviceChoices, TheProcessorOfAnotherComputerIsNotTheOneHere) {
    Workbench workbench;
    DeviceChoices choices(workbench);
    choices.offer(twoCards());
    Machine other = localCpu();
    other.name = "AMD EPYC 9654, 96 cores";
    other.peakFlopPerSecond = {{Dtype::Fp32, 5e12}};
    other.bandwidthBytesPerSecond = 4e11;
    choices.chooseFor({other, cpuTraits()});
    EXPECT_EQ(choices.current().target.machine.name, other.name);
    EXPECT_EQ(choices.runnable(), nullptr) << "what runs here would be filed under its name";
    EXPECT_EQ(choices.ofEngine(), nullptr);
    EXPECT_FALSE(choices.calibrated()) << "the machine here has no ceilings";
    choices.recalibrate(localCpu());
    EXPECT_EQ(choices.current().target.machine.bandwidthBytesPerSecond, 4e11);

    Machine same = localCpu();
    same.bandwidthBytesPerSecond = 1e10;
    choices.chooseFor({same, cpuTraits()});
    EXPECT_NE(choices.runnable(), nullptr);
}

TEST(DeviceChoices, PyTorchStaysChosenWhenAnEngineBeginsAnewUnlessTheUserChoosesMeanwhile) {
    for (const bool chooses : {false, true}) {
        Workbench workbench;
        DeviceChoices choices(workbench);
        choices.offer(processor(true));
        choices.choose(1);
        EXPECT_EQ(workbench.traits().backend, "pytorch-eager");
        choices.offer(processor(false));  // the first list of another engine
        EXPECT_EQ(choices.currentIndex(), 0);
        if (chooses) choices.choose(1);
        const std::string chosen =
            chooses ? choices.current().target.machine.id : localCpu().id + "-pytorch-eager";
        choices.offer(processor(true));
        EXPECT_EQ(choices.current().target.machine.id, chosen);
    }
}

}  // namespace
}  // namespace plumb::ui::test
