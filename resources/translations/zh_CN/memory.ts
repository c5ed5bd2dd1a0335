<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source> + </source>
        <translation> + </translation>
    </message>
    <message>
        <source>%1 = %2 × %3, predicted from the plan</source>
        <translation>%1 = %2 × %3，按计划预测</translation>
    </message>
    <message>
        <source>%1 in %2 tensors, predicted (%3)</source>
        <translation>%2 个张量共 %1，预测（%3）</translation>
    </message>
    <message>
        <source>%1 of %2 tensors shown</source>
        <translation>显示 %2 个张量中的 %1 个</translation>
    </message>
    <message>
        <source>%1 of the %2 in memory during this operation</source>
        <translation>该算子执行期间存活 %2，其中 %1</translation>
    </message>
    <message>
        <source>%1 of them shown, %2</source>
        <translation>显示其中 %1 个，%2</translation>
    </message>
    <message>
        <source>%1 · Esc in the curve lets go</source>
        <translation>%1 · 在曲线上按 Esc 取消</translation>
    </message>
    <message>
        <source>%1 · a click keeps it</source>
        <translation>%1 · 单击可固定</translation>
    </message>
    <message>
        <source>%1 · point at the curve for another one</source>
        <translation>%1 · 将指针移到曲线上可查看其他算子</translation>
    </message>
    <message>
        <source>%1 · run: %2</source>
        <translation>%1 · 运行：%2</translation>
    </message>
    <message>
        <source>%1, of the whole storage</source>
        <translation>%1，整块存储</translation>
    </message>
    <message numerus="yes">
        <source>%n byte(s)</source>
        <translation>
            <numerusform>%n 字节</numerusform>
        </translation>
    </message>
    <message>
        <source>All of the step</source>
        <translation>整个步</translation>
    </message>
    <message>
        <source>All tensors of the step</source>
        <translation>该步的全部张量</translation>
    </message>
    <message>
        <source>Arrow keys select an operation. W and S zoom, A and D move, 0 shows all. Shift with an arrow chooses a range of operations, M the selected one, Esc lets go.</source>
        <translation>方向键选择算子。W、S 缩放，A、D 移动，0 显示全部。Shift 加方向键选择算子区间，M 选择当前算子，Esc 取消。</translation>
    </message>
    <message>
        <source>Bookmark: %1</source>
        <translation>书签：%1</translation>
    </message>
    <message>
        <source>Each operation is as wide as any other</source>
        <translation>所有算子宽度相同</translation>
    </message>
    <message>
        <source>Each operation is as wide as the time that it takes</source>
        <translation>算子的宽度与其用时成正比</translation>
    </message>
    <message>
        <source>Every tensor of the step, whenever it is in memory</source>
        <translation>该步的每个张量，不论何时在内存中</translation>
    </message>
    <message>
        <source>Filter by name or category</source>
        <translation>按名称或类别筛选</translation>
    </message>
    <message>
        <source>Filter tensors</source>
        <translation>筛选张量</translation>
    </message>
    <message>
        <source>In memory at the operation under the pointer</source>
        <translation>在指针所指的算子处存活</translation>
    </message>
    <message>
        <source>In memory at the peak</source>
        <translation>在峰值处存活</translation>
    </message>
    <message>
        <source>In memory at the peak of the range</source>
        <translation>在区间的峰值处存活</translation>
    </message>
    <message>
        <source>In memory at the selected operation</source>
        <translation>在所选算子处存活</translation>
    </message>
    <message numerus="yes">
        <source>In memory during the range of %n operation(s)</source>
        <translation>
            <numerusform>在 %n 个算子的区间内存活</numerusform>
        </translation>
    </message>
    <message>
        <source>In memory here</source>
        <translation>此处存活</translation>
    </message>
    <message>
        <source>In use on the device, measured: %1 = %2</source>
        <translation>设备占用，实测：%1 = %2</translation>
    </message>
    <message>
        <source>Memory over one step, %1: %2</source>
        <translation>单步显存变化，%1：%2</translation>
    </message>
    <message>
        <source>Not every operation has a time: calibrate this machine, or run the step</source>
        <translation>并非每个算子都有时间：请校准本机，或运行该步</translation>
    </message>
    <message>
        <source>Plain sum: %1; %2</source>
        <translation>简单求和：%1；%2</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Shows the whole step again (0, or a double click in the curve)</source>
        <translation>重新显示整个步（0，或双击曲线）</translation>
    </message>
    <message>
        <source>This step says nothing of memory: it was made of a trace without allocations (profile_memory=True records them)</source>
        <translation>该步没有显存信息：它来自一份不含分配记录的追踪（profile_memory=True 会记录分配）</translation>
    </message>
    <message>
        <source>Those that are in memory during the selected operation, else the one under the pointer, else the one of the peak: together they are the height of the curve there</source>
        <translation>所选算子执行期间存活的张量；未选择时取指针所指的算子，再否则取峰值处的算子：它们合起来就是曲线在该处的高度</translation>
    </message>
    <message>
        <source>What parameters, gradients, optimizer states and activations take, each whole and all at once, and why the predicted peak differs from their sum</source>
        <translation>参数、梯度、优化器状态和激活各自完整且同时存在时占用多少，以及预测峰值为何与它们之和不同</translation>
    </message>
    <message>
        <source>What the driver reports as used between two steps, by what it is for:</source>
        <translation>驱动程序报告的两步之间的占用，按用途划分：</translation>
    </message>
    <message>
        <source>What the horizontal axis is</source>
        <translation>横轴的含义</translation>
    </message>
    <message>
        <source>Which tensors the table has</source>
        <translation>表中列出哪些张量</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>backward + recompute</source>
        <translation>反向 + 重计算</translation>
    </message>
    <message>
        <source>before the first operation</source>
        <translation>在第一个算子之前</translation>
    </message>
    <message>
        <source>before the step</source>
        <translation>该步之前</translation>
    </message>
    <message>
        <source>beyond the step</source>
        <translation>该步之外</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>dashed: what-if · filled: %1</source>
        <translation>虚线：假设 · 实心：%1</translation>
    </message>
    <message>
        <source>dtype</source>
        <translation>数据类型</translation>
    </message>
    <message>
        <source>exactly</source>
        <translation>精确值</translation>
    </message>
    <message>
        <source>filled: measured · dashed: predicted</source>
        <translation>实心：实测 · 虚线：预测</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>freed after</source>
        <translation>释放前算子</translation>
    </message>
    <message>
        <source>made by</source>
        <translation>创建算子</translation>
    </message>
    <message>
        <source>measured %1</source>
        <translation>实测 %1</translation>
    </message>
    <message>
        <source>memory %1</source>
        <translation>显存 %1</translation>
    </message>
    <message>
        <source>micro-batches %1–%2, shown once</source>
        <translation>微批 %1–%2，只显示一次</translation>
    </message>
    <message>
        <source>op %1 of %2</source>
        <translation>算子 %1 / %2</translation>
    </message>
    <message>
        <source>operations, in the order in which they run</source>
        <translation>算子，按运行次序</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>peak %1 at %2</source>
        <translation>峰值 %1：%2</translation>
    </message>
    <message>
        <source>peak %1 · %2</source>
        <translation>峰值 %1 · %2</translation>
    </message>
    <message>
        <source>predicted; nothing measured yet</source>
        <translation>预测；尚无实测</translation>
    </message>
    <message>
        <source>run, measured</source>
        <translation>运行，实测</translation>
    </message>
    <message>
        <source>they are not all in memory at once</source>
        <translation>它们并非同时存活</translation>
    </message>
    <message>
        <source>time, measured</source>
        <translation>时间，实测</translation>
    </message>
    <message>
        <source>time, predicted</source>
        <translation>时间，预测</translation>
    </message>
    <message>
        <source>time: of the what-if predicted, of the run measured</source>
        <translation>时间：假设为预测值，运行为实测值</translation>
    </message>
    <message>
        <source>together: %1</source>
        <translation>合计：%1</translation>
    </message>
    <message>
        <source>total</source>
        <translation>总计</translation>
    </message>
    <message>
        <source>what-if</source>
        <translation>假设</translation>
    </message>
    <message>
        <source>what-if %1</source>
        <translation>假设 %1</translation>
    </message>
</context>
</TS>
