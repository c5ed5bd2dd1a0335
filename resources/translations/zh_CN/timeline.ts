<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source>
No records of a driver: %1</source>
        <translation>
没有驱动程序的记录：%1</translation>
    </message>
    <message>
        <source> on %1</source>
        <translation> 在 %1 上</translation>
    </message>
    <message>
        <source> · execution %1 of %2</source>
        <translation> · 第 %1 次执行，共 %2 次</translation>
    </message>
    <message>
        <source>%1 bars, too narrow here</source>
        <translation>%1 个条形，此处过窄，无法分开</translation>
    </message>
    <message>
        <source>%1 found</source>
        <translation>找到 %1 个</translation>
    </message>
    <message>
        <source>%1 operations chosen elsewhere · %2</source>
        <translation>其他视图选中了 %1 个算子 · %2</translation>
    </message>
    <message>
        <source>%1 records</source>
        <translation>%1 条记录</translation>
    </message>
    <message>
        <source>%1 records are missing</source>
        <translation>缺少 %1 条记录</translation>
    </message>
    <message>
        <source>%1, from the plan. %2</source>
        <translation>%1，来自计划。%2</translation>
    </message>
    <message>
        <source>%1, measured. %2</source>
        <translation>%1，实测。%2</translation>
    </message>
    <message>
        <source>%1, predicted for what ran. %2</source>
        <translation>%1，针对实际运行的步预测。%2</translation>
    </message>
    <message>
        <source>%1: %2. %3</source>
        <translation>%1：%2。%3</translation>
    </message>
    <message>
        <source>10 % to 90 % of them</source>
        <translation>其 10 % 至 90 % 分位</translation>
    </message>
    <message>
        <source>All of it: %1 · %2 · Shift with a drag or an arrow selects a range</source>
        <translation>全部：%1 · %2 · 按住 Shift 拖动或按方向键可选择区间</translation>
    </message>
    <message>
        <source>Bars in the range</source>
        <translation>区间内的条形</translation>
    </message>
    <message>
        <source>Bars that reach out of the range count with the part inside it.</source>
        <translation>超出区间的条形只计入区间内的部分。</translation>
    </message>
    <message>
        <source>Bytes alive, counted by the allocator: the most while each operation ran, and what was left after it</source>
        <translation>存活字节数，由分配器统计：每个算子运行期间的最大值，以及其后剩余的值</translation>
    </message>
    <message>
        <source>Bytes alive, from the driver's records of allocations</source>
        <translation>存活字节数，取自驱动程序的分配记录</translation>
    </message>
    <message>
        <source>Bytes of the tensors that live while each operation runs</source>
        <translation>每个算子运行期间存活的张量的字节数</translation>
    </message>
    <message>
        <source>Bytes per measured second</source>
        <translation>每实测秒的字节数</translation>
    </message>
    <message>
        <source>Copies and fills of memory, from the driver's records</source>
        <translation>内存的拷贝和填充，取自驱动程序的记录</translation>
    </message>
    <message>
        <source>Every word must be in the name of the operation or kernel: "layer 3 weight".
Enter or N: next, Shift+Enter or Shift+N: previous. Esc clears.</source>
        <translation>每个词都必须出现在算子或内核的名称中：“layer 3 weight”。
Enter 或 N：下一个，Shift+Enter 或 Shift+N：上一个。Esc 清除。</translation>
    </message>
    <message>
        <source>FLOPs / time = %1 / %2</source>
        <translation>FLOP / 时间 = %1 / %2</translation>
    </message>
    <message>
        <source>FLOPs per measured second</source>
        <translation>每实测秒的 FLOP</translation>
    </message>
    <message>
        <source>FLOPs, model</source>
        <translation>FLOP，模型</translation>
    </message>
    <message>
        <source>Find  /</source>
        <translation>查找  /</translation>
    </message>
    <message>
        <source>Find operations and kernels</source>
        <translation>查找算子和内核</translation>
    </message>
    <message>
        <source>From the beginning of the first to the end of the last kernel of each operation</source>
        <translation>从每个算子第一个内核的开始到最后一个内核的结束</translation>
    </message>
    <message>
        <source>How many bars reach into the range</source>
        <translation>伸入区间的条形数</translation>
    </message>
    <message>
        <source>Kernels on %1, from the driver's records</source>
        <translation>%1 上的内核，取自驱动程序的记录</translation>
    </message>
    <message>
        <source>Kind of operation; then the lanes of the device</source>
        <translation>先是算子的种类；然后是设备的各轨道</translation>
    </message>
    <message>
        <source>Launches, copies and waits on %1</source>
        <translation>%1 上的启动、拷贝和等待</translation>
    </message>
    <message>
        <source>Measured / predicted − 1; from 1000 % on measured / predicted: ×158</source>
        <translation>实测 / 预测 − 1；达到 1000 % 时改写为实测 / 预测，如 ×158</translation>
    </message>
    <message>
        <source>Memory at %1</source>
        <translation>%1 处的显存</translation>
    </message>
    <message>
        <source>Next one found</source>
        <translation>下一个找到的</translation>
    </message>
    <message>
        <source>No prediction: only operations have one, and the machine's ceilings must be known</source>
        <translation>没有预测：只有算子才有预测，且机器的性能上限必须已知</translation>
    </message>
    <message>
        <source>No timeline yet. Profile records when every operation of the last steps ran</source>
        <translation>还没有时间线。“性能分析”会记录最后几步中每个算子的运行时刻</translation>
    </message>
    <message>
        <source>Not known: the plan counts FLOPs of operations only</source>
        <translation>未知：计划只统计算子的 FLOP</translation>
    </message>
    <message>
        <source>Not known: there are no FLOPs</source>
        <translation>未知：没有 FLOP</translation>
    </message>
    <message>
        <source>Not known: there are no bytes</source>
        <translation>未知：没有字节数</translation>
    </message>
    <message>
        <source>Of the plan that ran, not counted by hardware</source>
        <translation>取自所运行的计划，并非硬件计数</translation>
    </message>
    <message>
        <source>Operations: compulsory traffic of the plan; copies: bytes moved</source>
        <translation>算子：计划的必需访存量；拷贝：移动的字节数</translation>
    </message>
    <message>
        <source>Predicted time of the same operations</source>
        <translation>相同算子的预测时间</translation>
    </message>
    <message>
        <source>Predicted time of the same operations on %1; they ran elsewhere</source>
        <translation>相同算子在 %1 上的预测时间；它们在别处运行</translation>
    </message>
    <message>
        <source>Predicted times begin where the measured operation began</source>
        <translation>预测时间从实测算子开始处开始</translation>
    </message>
    <message>
        <source>Predicted times follow each other from the beginning of the step</source>
        <translation>预测时间从该步的开始处依次相接</translation>
    </message>
    <message>
        <source>Previous one found</source>
        <translation>上一个找到的</translation>
    </message>
    <message>
        <source>Profile the step of the settings</source>
        <translation>对当前设置的步进行性能分析</translation>
    </message>
    <message>
        <source>Range %1 to %2: %3 · %4</source>
        <translation>区间 %1 至 %2：%3 · %4</translation>
    </message>
    <message>
        <source>Sums over the range</source>
        <translation>该区间的合计</translation>
    </message>
    <message>
        <source>Take the range away (Esc)</source>
        <translation>取消该区间（Esc）</translation>
    </message>
    <message>
        <source>The file does not say when operations ran</source>
        <translation>文件没有说明算子何时运行</translation>
    </message>
    <message>
        <source>The predicted time of each operation%1: %2</source>
        <translation>每个算子%1的预测时间：%2</translation>
    </message>
    <message>
        <source>There is no prediction to compare with</source>
        <translation>没有可供对比的预测</translation>
    </message>
    <message>
        <source>Time as a share of the range</source>
        <translation>时间占区间的比例</translation>
    </message>
    <message>
        <source>Time inside the range</source>
        <translation>区间内的时间</translation>
    </message>
    <message>
        <source>Timeline: %1, %2 long</source>
        <translation>时间线：%1，长 %2</translation>
    </message>
    <message>
        <source>W or the wheel zooms in</source>
        <translation>W 或滚轮放大</translation>
    </message>
    <message>
        <source>What ran kept no timeline: a training measures medians only. Profile records when every operation ran</source>
        <translation>该次运行没有保留时间线：训练只测量中位数。“性能分析”会记录每个算子的运行时刻</translation>
    </message>
    <message>
        <source>What-if / run − 1; from 1000 % on what-if / run: ×158</source>
        <translation>假设 / 运行 − 1；达到 1000 % 时改写为假设 / 运行，如 ×158</translation>
    </message>
    <message>
        <source>When each collective was on its way, by the host's clock: from when it was its turn until its last byte</source>
        <translation>每次集合通信在何时进行，按主机时钟：从轮到它开始到最后一个字节为止</translation>
    </message>
    <message>
        <source>When each operation ran, by events on the device's clock before and after it</source>
        <translation>每个算子的运行时刻，取自其前后设备时钟上的事件</translation>
    </message>
    <message>
        <source>When each operation ran, by the host's clock before and after it</source>
        <translation>每个算子的运行时刻，取自其前后的主机时钟</translation>
    </message>
    <message>
        <source>Where predicted times begin</source>
        <translation>预测时间的起点</translation>
    </message>
    <message>
        <source>Whole timeline</source>
        <translation>完整时间线</translation>
    </message>
    <message>
        <source>alive</source>
        <translation>存活</translation>
    </message>
    <message>
        <source>all operations</source>
        <translation>全部算子</translation>
    </message>
    <message>
        <source>at each op</source>
        <translation>各算子处</translation>
    </message>
    <message>
        <source>bandwidth</source>
        <translation>带宽</translation>
    </message>
    <message>
        <source>bars</source>
        <translation>条形数</translation>
    </message>
    <message>
        <source>began at</source>
        <translation>开始于</translation>
    </message>
    <message>
        <source>bytes / time = %1 / %2</source>
        <translation>字节 / 时间 = %1 / %2</translation>
    </message>
    <message>
        <source>bytes alive</source>
        <translation>存活字节数</translation>
    </message>
    <message>
        <source>bytes predicted</source>
        <translation>预测的字节数</translation>
    </message>
    <message>
        <source>bytes, compulsory</source>
        <translation>字节，必需</translation>
    </message>
    <message>
        <source>compulsory traffic, from the plan</source>
        <translation>必需访存量，来自计划</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>拷贝</translation>
    </message>
    <message>
        <source>dW head</source>
        <translation>dW 输出头</translation>
    </message>
    <message>
        <source>device events</source>
        <translation>设备事件</translation>
    </message>
    <message>
        <source>dh head</source>
        <translation>dh 输出头</translation>
    </message>
    <message>
        <source>driver records</source>
        <translation>驱动程序记录</translation>
    </message>
    <message>
        <source>end to end</source>
        <translation>首尾相接</translation>
    </message>
    <message>
        <source>fill</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>first</source>
        <translation>第一个</translation>
    </message>
    <message>
        <source>from where the measured one began</source>
        <translation>从实测算子开始处</translation>
    </message>
    <message>
        <source>fwd</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>host call</source>
        <translation>主机调用</translation>
    </message>
    <message>
        <source>host clock</source>
        <translation>主机时钟</translation>
    </message>
    <message>
        <source>in the range</source>
        <translation>区间内</translation>
    </message>
    <message>
        <source>likely</source>
        <translation>可能范围</translation>
    </message>
    <message>
        <source>load</source>
        <translation>载入</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>measured: events on the device's clock</source>
        <translation>实测：设备时钟上的事件</translation>
    </message>
    <message>
        <source>measured: the allocator; the most while an operation ran, then what was left</source>
        <translation>实测：分配器；算子运行期间的最大值，以及其后剩余的值</translation>
    </message>
    <message>
        <source>measured: the driver's records of activity</source>
        <translation>实测：驱动程序的活动记录</translation>
    </message>
    <message>
        <source>measured: the driver's records of allocations</source>
        <translation>实测：驱动程序的分配记录</translation>
    </message>
    <message>
        <source>measured: the host's clock before and after the operation</source>
        <translation>实测：算子前后的主机时钟</translation>
    </message>
    <message>
        <source>median of %1 steps</source>
        <translation>%1 步的中位数</translation>
    </message>
    <message>
        <source>memory: %1</source>
        <translation>显存：%1</translation>
    </message>
    <message>
        <source>moved, measured</source>
        <translation>移动量，实测</translation>
    </message>
    <message>
        <source>nothing found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>of</source>
        <translation>所属算子</translation>
    </message>
    <message>
        <source>of no operation</source>
        <translation>不属于任何算子</translation>
    </message>
    <message>
        <source>of range</source>
        <translation>占区间</translation>
    </message>
    <message>
        <source>of the %1</source>
        <translation>来源：%1</translation>
    </message>
    <message>
        <source>one after the other from where its step began</source>
        <translation>从其步的开始处依次相接</translation>
    </message>
    <message>
        <source>operations ran for %1 % of it</source>
        <translation>算子运行时间占 %1 %</translation>
    </message>
    <message>
        <source>overlapping</source>
        <translation>重叠</translation>
    </message>
    <message>
        <source>predicted from the plan and the machine's ceilings</source>
        <translation>由计划和机器的性能上限预测</translation>
    </message>
    <message>
        <source>predicted on %1</source>
        <translation>在 %1 上预测</translation>
    </message>
    <message>
        <source>predicted; %1</source>
        <translation>预测；%1</translation>
    </message>
    <message>
        <source>re</source>
        <translation>重算</translation>
    </message>
    <message>
        <source>recorded: the tensors that live while an operation runs</source>
        <translation>录制：算子运行期间存活的张量</translation>
    </message>
    <message>
        <source>steps %1–%2</source>
        <translation>第 %1–%2 步</translation>
    </message>
    <message>
        <source>time / range = %1 / %2</source>
        <translation>时间 / 区间 = %1 / %2</translation>
    </message>
    <message>
        <source>took</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>what-if / run − 1 = %1 / %2 − 1</source>
        <translation>假设 / 运行 − 1 = %1 / %2 − 1</translation>
    </message>
</context>
</TS>
