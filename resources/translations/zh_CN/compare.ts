<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source> · machine's speed differs by %1 %</source>
        <translation> · 机器速度相差 %1 %</translation>
    </message>
    <message>
        <source>%1 (environment)</source>
        <translation>%1（环境）</translation>
    </message>
    <message>
        <source>%1 chosen or found differently</source>
        <translation>%1 项设置或环境不同</translation>
    </message>
    <message>
        <source>%1 exceeds %2 of %3 limits of %4</source>
        <translation>%1 超出了 %4 的 %3 项限制中的 %2 项</translation>
    </message>
    <message>
        <source>%1 files could not be read, the first of them: %2</source>
        <translation>%1 个文件无法读取，第一个是：%2</translation>
    </message>
    <message>
        <source>%1 in one step only</source>
        <translation>%1 个只存在于一个步中</translation>
    </message>
    <message>
        <source>%1 keeps %2</source>
        <translation>%1 符合 %2</translation>
    </message>
    <message>
        <source>%1 of %2 shown</source>
        <translation>显示 %2 行中的 %1 行</translation>
    </message>
    <message>
        <source>%1 really differ</source>
        <translation>%1 项有真实差异</translation>
    </message>
    <message>
        <source>%1 steps are compared at most; left out: %2</source>
        <translation>最多对比 %1 个步；未纳入 %2 个</translation>
    </message>
    <message>
        <source>%1: %2 pieces of work in %3</source>
        <translation>%1：%3 内有 %2 项工作</translation>
    </message>
    <message>
        <source>%1: baseline %2, other %3, %4, %5</source>
        <translation>%1：基线 %2，对比项 %3，%4，%5</translation>
    </message>
    <message>
        <source>%1: chosen for the step</source>
        <translation>%1：为该步所选</translation>
    </message>
    <message>
        <source>%1: what the step ran on</source>
        <translation>%1：该步的运行环境</translation>
    </message>
    <message>
        <source>&amp;Files…</source>
        <translation>文件(&amp;F)…</translation>
    </message>
    <message>
        <source>+ Add…</source>
        <translation>+ 添加…</translation>
    </message>
    <message>
        <source>Add a file, or a step of this session</source>
        <translation>添加文件，或本次会话的一个步</translation>
    </message>
    <message>
        <source>Also what is the same, or no real change</source>
        <translation>也显示相同的，或没有真实变化的</translation>
    </message>
    <message>
        <source>As &amp;Markdown</source>
        <translation>复制为 Markdown(&amp;M)</translation>
    </message>
    <message>
        <source>As &amp;text</source>
        <translation>复制为文本(&amp;T)</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>Baseline: %1, %2</source>
        <translation>基线：%1，%2</translation>
    </message>
    <message>
        <source>Budget</source>
        <translation>预算</translation>
    </message>
    <message>
        <source>Bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Choose a budget…</source>
        <translation>选择预算文件…</translation>
    </message>
    <message>
        <source>Choose files…</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>对比</translation>
    </message>
    <message>
        <source>Compare in detail: %1, %2</source>
        <translation>详细对比：%1，%2</translation>
    </message>
    <message>
        <source>Compared in detail: %1, %2</source>
        <translation>正在详细对比：%1，%2</translation>
    </message>
    <message>
        <source>Comparing %1 steps: %2 %</source>
        <translation>正在对比 %1 个步：%2 %</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>Copy what plumbline-cli compare writes</source>
        <translation>复制 plumbline-cli compare 的输出</translation>
    </message>
    <message>
        <source>Curves</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Difference as a share of the baseline; sorted by its size</source>
        <translation>差值占基线的比例；按其大小排序</translation>
    </message>
    <message>
        <source>Difference beside the largest of the table, with its noise</source>
        <translation>差值与表中最大差值相比的大小，附其噪声</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差异</translation>
    </message>
    <message>
        <source>Export the table as &amp;CSV…</source>
        <translation>将表格导出为 CSV(&amp;C)…</translation>
    </message>
    <message>
        <source>FLOPs</source>
        <translation>FLOP</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Filter  /</source>
        <translation>筛选  /</translation>
    </message>
    <message>
        <source>Give it up; what was compared before stays</source>
        <translation>放弃本次对比；此前对比的结果会保留</translation>
    </message>
    <message>
        <source>Hold the step in detail to limits of memory, time and FLOPs</source>
        <translation>用显存、时间和 FLOP 的限制检查详细对比的步</translation>
    </message>
    <message>
        <source>In the baseline</source>
        <translation>基线中的值</translation>
    </message>
    <message>
        <source>In the step that is compared with it</source>
        <translation>与之对比的步中的值</translation>
    </message>
    <message>
        <source>Key figures</source>
        <translation>关键指标</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Make %1 the baseline</source>
        <translation>将 %1 设为基线</translation>
    </message>
    <message>
        <source>Make it the baseline</source>
        <translation>将其设为基线</translation>
    </message>
    <message>
        <source>Memory over one step</source>
        <translation>单步显存变化</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Neither step has operations.</source>
        <translation>两个步都没有算子。</translation>
    </message>
    <message>
        <source>Neither step has such numbers: of none of its %1 rows they were measured or predicted.</source>
        <translation>两个步都没有这类数值：其 %1 行均既未测量也未预测。</translation>
    </message>
    <message>
        <source>Neither step names its tensors.</source>
        <translation>两个步都没有给出张量的名称。</translation>
    </message>
    <message>
        <source>No operation has FLOPs, bytes and a time in both steps</source>
        <translation>没有任何算子在两个步中同时具有 FLOP、字节数和时间</translation>
    </message>
    <message>
        <source>No operation really moved. "Everything" shows where they stand</source>
        <translation>没有算子有真实变化。“全部”显示它们的数值</translation>
    </message>
    <message>
        <source>No row has “%1” in its name.</source>
        <translation>没有名称含“%1”的行。</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>噪声</translation>
    </message>
    <message>
        <source>Nothing is compared yet. Drop two snapshots or recorded steps here, choose files, or add what this session predicted and measured.</source>
        <translation>尚未对比任何内容。请将两个快照或录制的步拖放到此处，选择文件，或添加本次会话预测和测得的结果。</translation>
    </message>
    <message>
        <source>Nothing really differs, and of %1 rows the noise is not known.</source>
        <translation>没有真实差异，且有 %1 行的噪声未知。</translation>
    </message>
    <message>
        <source>Nothing really differs.</source>
        <translation>没有真实差异。</translation>
    </message>
    <message>
        <source>Nothing that really differs has “%1” in its name. “Everything” looks in all rows.</source>
        <translation>有真实差异的项中，没有名称含“%1”的。“全部”可在所有行中查找。</translation>
    </message>
    <message>
        <source>Of no row the noise is known, so that none can be said to really differ.</source>
        <translation>所有行的噪声均未知，因此无法断定任何一项有真实差异。</translation>
    </message>
    <message>
        <source>One of the steps has no operations</source>
        <translation>其中一个步没有算子</translation>
    </message>
    <message>
        <source>One step alone compares with nothing. Add another.</source>
        <translation>只有一个步无从对比。请再添加一个。</translation>
    </message>
    <message>
        <source>Only real</source>
        <translation>仅真实差异</translation>
    </message>
    <message>
        <source>Operations and tensors</source>
        <translation>算子和张量</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>对比项</translation>
    </message>
    <message>
        <source>Other less baseline; sorted by its size</source>
        <translation>对比项减基线；按其大小排序</translation>
    </message>
    <message>
        <source>Phase, module and kind of operations; name of a tensor or figure</source>
        <translation>算子的阶段、模块和种类；张量或指标的名称</translation>
    </message>
    <message>
        <source>Reading: %1 %</source>
        <translation>正在读取：%1 %</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>移除 %1</translation>
    </message>
    <message>
        <source>Remove the budget</source>
        <translation>移除预算</translation>
    </message>
    <message>
        <source>Roofline</source>
        <translation>屋顶线</translation>
    </message>
    <message>
        <source>Swap the baseline and the step in detail</source>
        <translation>交换基线与详细对比的步</translation>
    </message>
    <message>
        <source>Take it out of the comparison</source>
        <translation>将其移出对比</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>The trainings share no step</source>
        <translation>两次训练没有共同的步</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Timelines</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Timelines of both steps, one above the other</source>
        <translation>两个步的时间线，上下排列</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>What differs by more than its noise</source>
        <translation>差异超出其噪声的项</translation>
    </message>
    <message>
        <source>What repeats of the same step differ by; empty where it is not known, and of counts, which repeat exactly</source>
        <translation>同一步重复运行之间的差异；未知时为空，可精确重复的计数也为空</translation>
    </message>
    <message>
        <source>What was chosen for the steps, or what they ran on, and is not the same</source>
        <translation>各步的选择或运行环境中不相同的项</translation>
    </message>
    <message>
        <source>What was chosen or found differently</source>
        <translation>设置或环境不同的项</translation>
    </message>
    <message>
        <source>Whether it is a real change: larger than the noise of both steps</source>
        <translation>是否为真实变化：大于两个步的噪声</translation>
    </message>
    <message>
        <source>a file of limits, as plumbline-cli check takes it</source>
        <translation>一个限制文件，格式与 plumbline-cli check 所用的相同</translation>
    </message>
    <message>
        <source>aligned by operation</source>
        <translation>按算子对齐</translation>
    </message>
    <message>
        <source>aligned where passes begin</source>
        <translation>按各阶段的起点对齐</translation>
    </message>
    <message>
        <source>allowed</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>arithmetic intensity, FLOP / byte</source>
        <translation>算术强度，FLOP / 字节</translation>
    </message>
    <message>
        <source>arrows from the baseline · %1 of %2 kinds of operation</source>
        <translation>箭头从基线指出 · %2 类算子中的 %1 类</translation>
    </message>
    <message>
        <source>baseline</source>
        <translation>基线</translation>
    </message>
    <message>
        <source>baseline · %1</source>
        <translation>基线 · %1</translation>
    </message>
    <message>
        <source>begins</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差值</translation>
    </message>
    <message>
        <source>exceeded</source>
        <translation>超出</translation>
    </message>
    <message>
        <source>intensity</source>
        <translation>强度</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>符合</translation>
    </message>
    <message>
        <source>last %1 → %2; one training each: no verdict</source>
        <translation>最终 %1 → %2；各只训练一次，不下结论</translation>
    </message>
    <message>
        <source>last recorded step, from its beginning, on one scale</source>
        <translation>最近录制的步，从起点开始，采用同一刻度</translation>
    </message>
    <message>
        <source>less | more</source>
        <translation>少 | 多</translation>
    </message>
    <message>
        <source>limit</source>
        <translation>限制</translation>
    </message>
    <message>
        <source>no operation</source>
        <translation>无算子</translation>
    </message>
    <message>
        <source>no real change</source>
        <translation>无真实变化</translation>
    </message>
    <message>
        <source>noise not known</source>
        <translation>噪声未知</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>nothing was chosen or found differently</source>
        <translation>设置和环境均相同</translation>
    </message>
    <message>
        <source>of %1 the machine was disturbed</source>
        <translation>其中 %1 项机器受到干扰</translation>
    </message>
    <message>
        <source>of %1 the noise is not known</source>
        <translation>其中 %1 项的噪声未知</translation>
    </message>
    <message>
        <source>other</source>
        <translation>对比项</translation>
    </message>
    <message>
        <source>other − baseline</source>
        <translation>对比项 − 基线</translation>
    </message>
    <message>
        <source>rate</source>
        <translation>速率</translation>
    </message>
    <message>
        <source>remove one first</source>
        <translation>请先移除一个</translation>
    </message>
    <message>
        <source>setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>takes</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>the baseline was not trained</source>
        <translation>基线没有训练</translation>
    </message>
    <message>
        <source>the other was not trained</source>
        <translation>对比项没有训练</translation>
    </message>
    <message>
        <source>the same at every operation</source>
        <translation>每个算子都相同</translation>
    </message>
    <message>
        <source>within ± %1 %</source>
        <translation>在 ± %1 % 以内</translation>
    </message>
    <message>
        <source>within ×/÷ %1</source>
        <translation>在 ×/÷ %1 以内</translation>
    </message>
    <message>
        <source>“Everything” shows the %1 rows.</source>
        <translation>“全部”显示这 %1 行。</translation>
    </message>
</context>
</TS>
