<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source>%1 · filled: measured</source>
        <translation>%1 · 实心：实测</translation>
    </message>
    <message>
        <source>%1; nothing measured yet</source>
        <translation>%1；尚无实测</translation>
    </message>
    <message>
        <source>10 % to 90 % of the steps</source>
        <translation>各步的 10 % 至 90 % 分位</translation>
    </message>
    <message>
        <source>Checkpointing</source>
        <translation>检查点（激活重计算）</translation>
    </message>
    <message>
        <source>Click a point, or walk with the arrow keys, to put its policy into force.</source>
        <translation>单击一个点，或用方向键移动，即可采用它的策略。</translation>
    </message>
    <message>
        <source>Measure this curve</source>
        <translation>测量这条曲线</translation>
    </message>
    <message>
        <source>No ceilings for this machine yet. Calibrate, or measure this curve</source>
        <translation>本机还没有性能上限。请校准，或测量这条曲线</translation>
    </message>
    <message>
        <source>None of these policies fits into the memory of this device.</source>
        <translation>这些策略都放不进该设备的显存。</translation>
    </message>
    <message>
        <source>Peak memory and step time of %1 checkpoint policies: %2</source>
        <translation>%1 种检查点策略的峰值显存和步耗时：%2</translation>
    </message>
    <message>
        <source>Peak memory over the checkpoint interval</source>
        <translation>峰值显存随检查点间隔的变化</translation>
    </message>
    <message>
        <source>Profiles %1, one after another, %2 steps each.</source>
        <translation>依次分析：%1；每种 %2 步。</translation>
    </message>
    <message>
        <source>Step time over the checkpoint interval</source>
        <translation>步耗时随检查点间隔的变化</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop measuring</source>
        <translation>停止测量</translation>
    </message>
    <message>
        <source>Stops; what was measured until now is kept</source>
        <translation>停止；到目前为止测得的结果会保留</translation>
    </message>
    <message>
        <source>What does not fit is left out.</source>
        <translation>略去放不下的策略。</translation>
    </message>
    <message>
        <source>all fit the %1 of the device</source>
        <translation>都放得进设备的 %1</translation>
    </message>
    <message>
        <source>budget of fit %1</source>
        <translation>自动策略的预算 %1</translation>
    </message>
    <message>
        <source>device memory %1</source>
        <translation>设备显存 %1</translation>
    </message>
    <message>
        <source>does not fit the %1 of the device</source>
        <translation>放不进设备的 %1</translation>
    </message>
    <message>
        <source>every %1: keeps all</source>
        <translation>每 %1 层：全部保留</translation>
    </message>
    <message>
        <source>fit</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>hollow: predicted</source>
        <translation>空心：预测</translation>
    </message>
    <message>
        <source>k: every k-th activation is kept, the others are recomputed</source>
        <translation>k：每 k 个激活保留一个，其余重计算</translation>
    </message>
    <message>
        <source>measured, with 10 % to 90 % of its steps</source>
        <translation>实测，竖线为各步的 10 % 至 90 % 分位</translation>
    </message>
    <message>
        <source>measured: median of %1 steps</source>
        <translation>实测：%1 步的中位数</translation>
    </message>
    <message>
        <source>no ceilings to predict times with: calibrate</source>
        <translation>没有用于预测时间的性能上限：请校准</translation>
    </message>
    <message>
        <source>none fits the %1 of the device</source>
        <translation>都放不进设备的 %1</translation>
    </message>
    <message>
        <source>of it recomputation</source>
        <translation>其中重计算</translation>
    </message>
    <message>
        <source>peak = %1 live h × %2 + %3 of all else</source>
        <translation>峰值 = %1 个存活的 h × %2 + 其余 %3</translation>
    </message>
    <message>
        <source>recomputed</source>
        <translation>重计算量</translation>
    </message>
    <message>
        <source>recomputed = %1 layers × 2·B·D² = %1 × %2</source>
        <translation>重计算 = %1 层 × 2·B·D² = %1 × %2</translation>
    </message>
    <message>
        <source>sqrt: every %1</source>
        <translation>√L：每 %1 层</translation>
    </message>
    <message>
        <source>the time is</source>
        <translation>时间为</translation>
    </message>
    <message>
        <source>time = %1 + %2 of recomputation, each predicted as the step time is</source>
        <translation>时间 = %1 + 重计算 %2，各项的预测方式与步耗时相同</translation>
    </message>
</context>
</TS>
