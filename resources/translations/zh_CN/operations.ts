<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source>
occupancy %1 %: an SM holds %2 warps</source>
        <translation>
占用率 %1 %：一个 SM 容纳 %2 个线程束</translation>
    </message>
    <message>
        <source> per step, from the plan</source>
        <translation> 每步，来自计划</translation>
    </message>
    <message>
        <source> per step: compulsory traffic, from the plan</source>
        <translation> 每步：必需访存量，来自计划</translation>
    </message>
    <message>
        <source> ×%1</source>
        <translation> ×%1</translation>
    </message>
    <message>
        <source>%1 (run ×%2)</source>
        <translation>%1（运行 ×%2）</translation>
    </message>
    <message>
        <source>%1 / %2 = %3 / %4</source>
        <translation>%1 / %2 = %3 / %4</translation>
    </message>
    <message>
        <source>%1 The other terms hold.</source>
        <translation>%1其余条件有效。</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 及另外 %2 个</translation>
    </message>
    <message>
        <source>%1 and %2, %3 executions</source>
        <translation>%1 和 %2，执行 %3 次</translation>
    </message>
    <message>
        <source>%1 cache</source>
        <translation>%1 缓存</translation>
    </message>
    <message>
        <source>%1 executions in a step</source>
        <translation>一步中执行 %1 次</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>%1 operations chosen ✕</source>
        <translation>已选 %1 个算子 ✕</translation>
    </message>
    <message>
        <source>%1 operations, %2 executions in a step</source>
        <translation>%1 个算子，一步中执行 %2 次</translation>
    </message>
    <message>
        <source>%1 per step
%2</source>
        <translation>每步 %1
%2</translation>
    </message>
    <message>
        <source>%1 per step: %2 on tensor cores, %3 on CUDA cores
%4</source>
        <translation>每步 %1：张量核心 %2，CUDA 核心 %3
%4</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 s in one step, mean of %2 launches on %3
source: the driver's records of activity</source>
        <translation>一步 %1 s，%3 上 %2 次启动的平均值
来源：驱动程序的活动记录</translation>
    </message>
    <message>
        <source>%1 s in one step, median of %2 steps</source>
        <translation>一步 %1 s，%2 步的中位数</translation>
    </message>
    <message>
        <source>%1 s, predicted: from times measured in calibrating, interpolated by size</source>
        <translation>%1 s，预测：由校准时测得的时间按大小插值</translation>
    </message>
    <message>
        <source>%1 s, predicted: the larger of FLOP / peak and bytes / bandwidth, and the overhead</source>
        <translation>%1 s，预测：取 FLOP / 峰值 与 字节 / 带宽 中较大者，再加开销</translation>
    </message>
    <message>
        <source>%1 time</source>
        <translation>%1时间</translation>
    </message>
    <message>
        <source>%1, bookmarked: %2</source>
        <translation>%1，书签：%2</translation>
    </message>
    <message>
        <source>, counted</source>
        <translation>，计数</translation>
    </message>
    <message>
        <source>/ model</source>
        <translation>/ 模型</translation>
    </message>
    <message>
        <source>10 % of the steps took at most %1, 10 % at least %2</source>
        <translation>10 % 的步不超过 %1，10 % 的步不少于 %2</translation>
    </message>
    <message>
        <source>88 % cache</source>
        <translation>88 % 缓存</translation>
    </message>
    <message>
        <source>&gt; 100 %</source>
        <translation>&gt; 100 %</translation>
    </message>
    <message>
        <source>A ceiling of %1 is not known.</source>
        <translation>%1 的某项上限未知。</translation>
    </message>
    <message>
        <source>A ceiling of the machine that ran it is not known: calibrate it.</source>
        <translation>运行它的机器的某项上限未知：请校准该机器。</translation>
    </message>
    <message>
        <source>A figure is compared by &gt;, &lt;, &gt;= or &lt;=, as in %1.</source>
        <translation>数值用 &gt;、&lt;、&gt;= 或 &lt;= 比较，例如 %1。</translation>
    </message>
    <message>
        <source>Achieved FLOP per second: FLOP / measured seconds</source>
        <translation>达到的每秒 FLOP：FLOP / 实测秒数</translation>
    </message>
    <message>
        <source>Achieved bytes per second: compulsory bytes / measured seconds</source>
        <translation>达到的每秒字节数：必需字节数 / 实测秒数</translation>
    </message>
    <message>
        <source>After “%1:” stands a layer or a range of them, as in layer:3-5.</source>
        <translation>“%1:”之后应为一层或层的范围，例如 layer:3-5。</translation>
    </message>
    <message>
        <source>After “%1:” stands one of %2.</source>
        <translation>“%1:”之后应为 %2 之一。</translation>
    </message>
    <message>
        <source>After “%1” a number is missing: write it as in %2.</source>
        <translation>“%1”之后缺少一个数：写法如 %2。</translation>
    </message>
    <message>
        <source>After “module:” a part of its path is missing, as in module:layer.</source>
        <translation>“module:”之后缺少其路径的一部分，例如 module:layer。</translation>
    </message>
    <message>
        <source>Another view has narrowed the step to these. Click to see all of it again.</source>
        <translation>另一视图已将该步缩小到这些算子。单击可重新查看全部。</translation>
    </message>
    <message>
        <source>Arithmetic intensity: FLOP per byte of compulsory traffic</source>
        <translation>算术强度：每字节必需访存量对应的 FLOP</translation>
    </message>
    <message>
        <source>Bookmarked: %1

%2</source>
        <translation>书签：%1

%2</translation>
    </message>
    <message>
        <source>Bytes / bandwidth is the larger time: less traffic would help.</source>
        <translation>字节 / 带宽 的时间较大：减少访存会有帮助。</translation>
    </message>
    <message>
        <source>Bytes asked of the L2 cache, counted</source>
        <translation>向 L2 缓存请求的字节数，计数器测得</translation>
    </message>
    <message>
        <source>Bytes read from and written to the device's memory, counted</source>
        <translation>从设备显存读取和写入的字节数，计数器测得</translation>
    </message>
    <message>
        <source>Bytes through the L1 cache and shared memory, counted</source>
        <translation>经过 L1 缓存和共享内存的字节数，计数器测得</translation>
    </message>
    <message>
        <source>Compulsory traffic of one step: each input read once, each output written once</source>
        <translation>一步的必需访存量：每个输入读一次，每个输出写一次</translation>
    </message>
    <message>
        <source>Copy rows as CSV</source>
        <translation>将各行复制为 CSV</translation>
    </message>
    <message>
        <source>Copy rows with tabs</source>
        <translation>以制表符复制各行</translation>
    </message>
    <message>
        <source>Copy the table with tabs</source>
        <translation>以制表符复制该表</translation>
    </message>
    <message>
        <source>DRAM</source>
        <translation>DRAM</translation>
    </message>
    <message>
        <source>DRAM / compulsory = %1 / %2
%3</source>
        <translation>DRAM / 必需 = %1 / %2
%3</translation>
    </message>
    <message>
        <source>DRAM bytes / compulsory bytes of the model: below 1, caches kept some</source>
        <translation>DRAM 字节 / 模型的必需字节：低于 1 表示缓存保留了一部分</translation>
    </message>
    <message>
        <source>DRAM bytes / seconds / bandwidth = %1 / %2 / %3
%4</source>
        <translation>DRAM 字节 / 秒 / 带宽 = %1 / %2 / %3
%4</translation>
    </message>
    <message>
        <source>Every operation by itself, to sort all of them by one figure</source>
        <translation>逐个列出算子，以便按某一列对全部算子排序</translation>
    </message>
    <message>
        <source>Executed FLOPs / FLOPs of the model: 1 without padding</source>
        <translation>执行的 FLOP / 模型的 FLOP：没有填充时为 1</translation>
    </message>
    <message>
        <source>FLOP / bytes = %1 / %2 = %3</source>
        <translation>FLOP / 字节 = %1 / %2 = %3</translation>
    </message>
    <message>
        <source>FLOP / measured time = %1 / %2
FLOP are the plan's of what ran</source>
        <translation>FLOP / 实测时间 = %1 / %2
FLOP 取自所运行步的计划</translation>
    </message>
    <message>
        <source>FLOP / peak is the larger time: more FLOP/s would help.</source>
        <translation>FLOP / 峰值 的时间较大：更高的 FLOP/s 会有帮助。</translation>
    </message>
    <message>
        <source>FLOP/byte</source>
        <translation>FLOP/字节</translation>
    </message>
    <message>
        <source>FLOPs that the hardware executed, counted: padding of tiles included</source>
        <translation>硬件实际执行的 FLOP，计数器测得：含分块的填充</translation>
    </message>
    <message>
        <source>Faster than the ceilings of %1 allow (%2): they are too low, calibrate again.</source>
        <translation>快于 %1 的上限所允许的速度（%2）：上限偏低，请重新校准。</translation>
    </message>
    <message>
        <source>Filter  /    time&gt;1ms  bound:memory</source>
        <translation>筛选  /    time&gt;1ms  bound:memory</translation>
    </message>
    <message>
        <source>Filter operations</source>
        <translation>筛选算子</translation>
    </message>
    <message>
        <source>Floating-point operations of one step; a fused multiply-add is two</source>
        <translation>一步的浮点运算数；一次融合乘加计为两个</translation>
    </message>
    <message>
        <source>Held by memory: %1</source>
        <translation>受限于存储层级：%1</translation>
    </message>
    <message>
        <source>Known of the operation, not of its kernels.</source>
        <translation>这是关于该算子的信息，与其内核无关。</translation>
    </message>
    <message>
        <source>Known of what ran alone: set the sliders to it to see it</source>
        <translation>仅对实际运行的步已知：将滑块设为与其一致即可查看</translation>
    </message>
    <message>
        <source>L1</source>
        <translation>L1</translation>
    </message>
    <message>
        <source>L2</source>
        <translation>L2</translation>
    </message>
    <message>
        <source>List</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>Measured / predicted − 1, both of what ran; from 1000 % on measured / predicted: ×158</source>
        <translation>实测 / 预测 − 1，二者均针对实际运行的步；达到 1000 % 时写作 实测 / 预测：×158</translation>
    </message>
    <message>
        <source>Measured seconds of one step of what ran, which is another one</source>
        <translation>实际运行的步（与当前设置不同）一步的实测秒数</translation>
    </message>
    <message>
        <source>Measured seconds of one step: median over steps, warm-up left out</source>
        <translation>一步的实测秒数：多步的中位数，不含预热</translation>
    </message>
    <message>
        <source>Measured times belong to what ran, which is another step than the sliders ask for. They stand beside the operation of the same name, and the difference is what-if / run − 1. Rates and shares of roof are empty until the sliders ask for what ran.</source>
        <translation>实测时间属于实际运行的步，它与滑块所设的步不同。它们与同名算子并列，差值为 假设 / 运行 − 1。在滑块与所运行的步一致之前，速率和占屋顶线的比例为空。</translation>
    </message>
    <message>
        <source>Narrowed to %1 operations: show all</source>
        <translation>已限于 %1 个算子：显示全部</translation>
    </message>
    <message>
        <source>Narrowed to the operations %1 to %2: show all</source>
        <translation>已缩小到第 %1 至 %2 个算子：显示全部</translation>
    </message>
    <message>
        <source>No bytes are moved.</source>
        <translation>没有移动任何字节。</translation>
    </message>
    <message>
        <source>No operation</source>
        <translation>没有算子</translation>
    </message>
    <message>
        <source>No prediction: a ceiling of %1 is not known.
%2
Calibrate this machine to measure its ceilings.</source>
        <translation>没有预测：%1 的某项上限未知。
%2
请校准本机以测量其上限。</translation>
    </message>
    <message>
        <source>Not counted for every operation here: a sum of the others would be too small.</source>
        <translation>这里并非每个算子都有计数：其余之和会偏小。</translation>
    </message>
    <message>
        <source>Not counted: %1.</source>
        <translation>没有计数：%1。</translation>
    </message>
    <message>
        <source>Not counted: hardware counters exist on NVIDIA GPUs, and a profile has to ask for them.</source>
        <translation>没有计数：只有 NVIDIA GPU 有硬件计数器，且须在性能分析时启用。</translation>
    </message>
    <message>
        <source>Not known: there is no formula for it, or the file has no shapes of its tensors.</source>
        <translation>未知：没有它的公式，或文件中没有其张量的形状。</translation>
    </message>
    <message>
        <source>Not measured yet: press Run or Profile.</source>
        <translation>尚未测量：请按“运行”或“性能分析”。</translation>
    </message>
    <message>
        <source>Operation %1 ✕</source>
        <translation>算子 %1 ✕</translation>
    </message>
    <message>
        <source>Operations %1–%2 ✕</source>
        <translation>算子 %1–%2 ✕</translation>
    </message>
    <message>
        <source>Operations by phase and kind, with their sums</source>
        <translation>按阶段和种类列出算子及其合计</translation>
    </message>
    <message>
        <source>Operations of one step</source>
        <translation>一步中的算子</translation>
    </message>
    <message>
        <source>Phase, kind of operation, layer; in the order of execution unless sorted</source>
        <translation>阶段、算子种类、层；未排序时按执行顺序</translation>
    </message>
    <message>
        <source>Predicted seconds of one step of what the sliders ask for</source>
        <translation>滑块所设的步一步的预测秒数</translation>
    </message>
    <message>
        <source>Predicted seconds of one step, from the ceilings of the machine</source>
        <translation>一步的预测秒数，来自机器的性能上限</translation>
    </message>
    <message>
        <source>Puts the rows into the order of the newest figures</source>
        <translation>按最新的数值重新排列各行</translation>
    </message>
    <message>
        <source>Shape of the table</source>
        <translation>表格的形式</translation>
    </message>
    <message>
        <source>Share of the memory's bandwidth: counted DRAM bytes / measured seconds / bandwidth</source>
        <translation>占显存带宽的比例：DRAM 计数字节 / 实测秒数 / 带宽</translation>
    </message>
    <message>
        <source>Share of the roof that holds the operation: the peak of its units, or the level of memory that served it. "&gt; 100 %" is not possible: a ceiling is too low, calibrate again</source>
        <translation>占限制该算子的屋顶的比例：其计算单元的峰值，或为其供数的存储层级。“&gt; 100 %”是不可能的：上限偏低，请重新校准</translation>
    </message>
    <message>
        <source>Show in Memory</source>
        <translation>在“显存”中显示</translation>
    </message>
    <message>
        <source>Show in Modules</source>
        <translation>在“模块”中显示</translation>
    </message>
    <message>
        <source>Show in Roofline</source>
        <translation>在“屋顶线”中显示</translation>
    </message>
    <message>
        <source>Show in Timeline</source>
        <translation>在“时间线”中显示</translation>
    </message>
    <message>
        <source>Sort now</source>
        <translation>立即排序</translation>
    </message>
    <message>
        <source>Sum of what is shown</source>
        <translation>所显示内容的合计</translation>
    </message>
    <message>
        <source>Terms between blanks, all of which must hold:
  time&gt;1ms   bytes&gt;=1MB   flop&lt;1G   roof&lt;50%   figures of the table; &gt;1ms and &gt;1MB go by the unit
  bound:memory   phase:backward   layer:3-5   module:blocks.0
  any other word, or a "text between quotes", in the name, the phase, the bound or a kernel
time is measured, or predicted where nothing was; what is not known matches nothing.
Ctrl+Space proposes terms. Esc clears.</source>
        <translation>以空格分隔的条件，须全部满足：
  time&gt;1ms   bytes&gt;=1MB   flop&lt;1G   roof&lt;50%   表中的指标；&gt;1ms 和 &gt;1MB 按单位判断
  bound:memory   phase:backward   layer:3-5   module:blocks.0
  其他任何词，或 "引号内的文本"：在名称、阶段、受限类型或内核中查找
time 为实测值，没有实测时为预测值；未知的值不匹配任何条件。
Ctrl+Space 给出可用条件。Esc 清除。</translation>
    </message>
    <message>
        <source>Terms of a filter</source>
        <translation>筛选条件</translation>
    </message>
    <message>
        <source>The configuration that ran has no such operation.</source>
        <translation>实际运行的配置中没有这样的算子。</translation>
    </message>
    <message>
        <source>The configuration that ran has no such operations.</source>
        <translation>实际运行的配置中没有这些算子。</translation>
    </message>
    <message>
        <source>The fixed cost of starting the operation is the larger time: larger operations would help.</source>
        <translation>启动算子的固定开销占主要时间：更大的算子会有帮助。</translation>
    </message>
    <message>
        <source>The operations below are limited by different ceilings.</source>
        <translation>以下算子受限于不同的上限。</translation>
    </message>
    <message>
        <source>The operations have the times of the step that was written down, which took that much longer; the step's own time is the median of clean steps. So they add up to more.</source>
        <translation>各算子的耗时取自录制的那一步，它比无录制的步慢这么多倍；步耗时则是无录制各步的中位数。因此各算子之和更大。</translation>
    </message>
    <message>
        <source>The peak held it.</source>
        <translation>受限于峰值。</translation>
    </message>
    <message>
        <source>The run has not timed this operation.</source>
        <translation>该次运行没有测量此算子的时间。</translation>
    </message>
    <message>
        <source>The run has timed %1 of its %2 operations: a sum of them would be too small.</source>
        <translation>该次运行测量了其 %2 个算子中的 %1 个：求和会偏小。</translation>
    </message>
    <message>
        <source>The what-if has no prediction to compare with.</source>
        <translation>假设没有可供对比的预测。</translation>
    </message>
    <message>
        <source>Tier: %1. %2</source>
        <translation>可信等级：%1。%2</translation>
    </message>
    <message>
        <source>Tier: counted from the step's operations and tensors; no measurement, no ceiling.</source>
        <translation>可信等级：计数，取自该步的算子和张量；不涉及测量和上限。</translation>
    </message>
    <message>
        <source>Tier: not known.</source>
        <translation>可信等级：未知。</translation>
    </message>
    <message>
        <source>Tree</source>
        <translation>树</translation>
    </message>
    <message>
        <source>What ran has no prediction to compare with.</source>
        <translation>实际运行的步没有可供对比的预测。</translation>
    </message>
    <message>
        <source>What-if / run − 1: predicted for the sliders, measured of what ran; from 1000 % on what-if / run: ×158</source>
        <translation>假设 / 运行 − 1：预测针对滑块，实测针对实际运行的步；达到 1000 % 时写作 假设 / 运行：×158</translation>
    </message>
    <message>
        <source>Which ceiling limits the operation: compute, memory or the overhead of starting it</source>
        <translation>限制该算子的上限：计算、访存或启动开销</translation>
    </message>
    <message>
        <source>Whole step</source>
        <translation>整个步</translation>
    </message>
    <message>
        <source>Why this number</source>
        <translation>数字的由来</translation>
    </message>
    <message>
        <source>Why this number…</source>
        <translation>数字的由来…</translation>
    </message>
    <message>
        <source>batch %1, in %2, out %3: a multiply and an add at each point</source>
        <translation>批 %1，输入 %2，输出 %3：每个点一次乘法和一次加法</translation>
    </message>
    <message>
        <source>below half of its roof</source>
        <translation>低于其屋顶的一半</translation>
    </message>
    <message>
        <source>between %1 and %2</source>
        <translation>在 %1 与 %2 之间</translation>
    </message>
    <message>
        <source>bookmark</source>
        <translation>书签</translation>
    </message>
    <message>
        <source>bound</source>
        <translation>受限于</translation>
    </message>
    <message>
        <source>bytes/s</source>
        <translation>字节/秒</translation>
    </message>
    <message>
        <source>compulsory bytes / measured time = %1 / %2
Bytes are the plan's of what ran; caches may move more or less</source>
        <translation>必需字节数 / 实测时间 = %1 / %2
字节数取自所运行步的计划；缓存实际移动的可能更多或更少</translation>
    </message>
    <message>
        <source>executed</source>
        <translation>执行量</translation>
    </message>
    <message>
        <source>executed / model = %1 / %2
Above 1: padding of tiles, and what an epilogue adds
%3</source>
        <translation>执行量 / 模型 = %1 / %2
大于 1：分块的填充，以及尾处理所增加的量
%3</translation>
    </message>
    <message>
        <source>id %1</source>
        <translation>编号 %1</translation>
    </message>
    <message>
        <source>less than 50 FLOP per byte</source>
        <translation>每字节少于 50 FLOP</translation>
    </message>
    <message>
        <source>limited by: %1</source>
        <translation>受限于：%1</translation>
    </message>
    <message>
        <source>matrix product  %1</source>
        <translation>矩阵乘法  %1</translation>
    </message>
    <message>
        <source>measured / predicted − 1 = %1 / %2 − 1</source>
        <translation>实测 / 预测 − 1 = %1 / %2 − 1</translation>
    </message>
    <message>
        <source>measured by %1</source>
        <translation>由 %1 测得</translation>
    </message>
    <message>
        <source>measured more than 20 % above predicted</source>
        <translation>实测比预测高出 20 % 以上</translation>
    </message>
    <message>
        <source>measured to take longer than 1 ms</source>
        <translation>实测用时超过 1 ms</translation>
    </message>
    <message>
        <source>metrics: %1
</source>
        <translation>度量：%1
</translation>
    </message>
    <message>
        <source>mixed</source>
        <translation>混合</translation>
    </message>
    <message>
        <source>more than 10⁹ floating-point operations</source>
        <translation>超过 10⁹ 次浮点运算</translation>
    </message>
    <message>
        <source>moves more than 1 MB</source>
        <translation>移动超过 1 MB</translation>
    </message>
    <message>
        <source>moves more than 10 GB/s</source>
        <translation>移动速率超过 10 GB/s</translation>
    </message>
    <message>
        <source>of DRAM</source>
        <translation>占 DRAM</translation>
    </message>
    <message>
        <source>of it %1 in the product, %2 element-wise</source>
        <translation>其中乘积 %1，逐元素 %2</translation>
    </message>
    <message>
        <source>of modules with this in their path</source>
        <translation>路径含此内容的模块</translation>
    </message>
    <message>
        <source>of roof</source>
        <translation>占屋顶线</translation>
    </message>
    <message>
        <source>of the layers 3 to 5</source>
        <translation>属于第 3 至 5 层</translation>
    </message>
    <message>
        <source>of the phase: %1</source>
        <translation>属于阶段：%1</translation>
    </message>
    <message>
        <source>of the run: %1</source>
        <translation>取自运行：%1</translation>
    </message>
    <message>
        <source>overhead</source>
        <translation>开销</translation>
    </message>
    <message>
        <source>peak %1 %2, bandwidth %3, overhead %4 (%5)</source>
        <translation>峰值 %1 %2，带宽 %3，开销 %4（%5）</translation>
    </message>
    <message>
        <source>predicted to take longer than 1 ms</source>
        <translation>预测用时超过 1 ms</translation>
    </message>
    <message>
        <source>predicted; not measured yet</source>
        <translation>预测；尚未实测</translation>
    </message>
    <message>
        <source>product: %1</source>
        <translation>乘积：%1</translation>
    </message>
    <message>
        <source>reaches less than 10 GFLOP/s</source>
        <translation>速率低于 10 GFLOP/s</translation>
    </message>
    <message>
        <source>reads %1</source>
        <translation>读取 %1</translation>
    </message>
    <message>
        <source>run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>sorted by %1</source>
        <translation>按%1排序</translation>
    </message>
    <message>
        <source>sorted by %1 of an earlier reading, %2 ago</source>
        <translation>按 %2 前读取的%1排序</translation>
    </message>
    <message>
        <source>source: %1</source>
        <translation>来源：%1</translation>
    </message>
    <message>
        <source>source: hardware counters</source>
        <translation>来源：硬件计数器</translation>
    </message>
    <message>
        <source>source: hardware counters of %1, %2 passes</source>
        <translation>来源：%1 的硬件计数器，%2 轮</translation>
    </message>
    <message>
        <source>sum of the rows</source>
        <translation>各行之和</translation>
    </message>
    <message>
        <source>sum over %1 operations</source>
        <translation>%1 个算子之和</translation>
    </message>
    <message>
        <source>sum over all %1 operations of the run</source>
        <translation>该次运行全部 %1 个算子之和</translation>
    </message>
    <message>
        <source>takes longer than 1 ms, measured or else predicted</source>
        <translation>用时超过 1 ms，取实测值，否则取预测值</translation>
    </message>
    <message>
        <source>time at the roof / measured time = %1 / %2
roof: the larger of FLOP / peak and bytes / bandwidth of the level of memory that served it, without overhead
%3</source>
        <translation>达到屋顶的时间 / 实测时间 = %1 / %2
屋顶：取 FLOP / 峰值 与 字节 / 供数存储层级的带宽 中较大者，不含开销
%3</translation>
    </message>
    <message>
        <source>timed in a step of %1 × a clean one</source>
        <translation>计时于录制步（耗时为无录制时的 %1 倍）</translation>
    </message>
    <message>
        <source>what-if / run − 1 = %1 / %2 − 1
predicted for the sliders; measured of the run: %3</source>
        <translation>假设 / 运行 − 1 = %1 / %2 − 1
预测针对滑块；实测针对运行：%3</translation>
    </message>
    <message>
        <source>what-if: on %1; ran on %2</source>
        <translation>假设：在 %1 上；运行于 %2</translation>
    </message>
    <message>
        <source>what-if: the sliders; run: %1</source>
        <translation>假设：滑块；运行：%1</translation>
    </message>
    <message>
        <source>writes %1</source>
        <translation>写入 %1</translation>
    </message>
    <message>
        <source>“%1:” is not known. Write bound:, phase:, layer: or module:, or put the text between quotes.</source>
        <translation>未知的“%1:”。请写 bound:、phase:、layer: 或 module:，或将文本放在引号内。</translation>
    </message>
    <message>
        <source>“%1” does not say what it limits: write &gt;1ms, &gt;1MB, flop&gt;1G or another figure.</source>
        <translation>“%1”没有说明限制什么：请写 &gt;1ms、&gt;1MB、flop&gt;1G 或其他指标。</translation>
    </message>
    <message>
        <source>“%1” is no figure of the table. Write one of %2, or put the text between quotes.</source>
        <translation>“%1”不是表中的指标。请写 %2 之一，或将文本放在引号内。</translation>
    </message>
    <message>
        <source>“%1” is no number for “%2”: write it as in %3.</source>
        <translation>“%1”不是“%2”的有效数值：写法如 %3。</translation>
    </message>
</context>
</TS>
