<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source>%1 (%2 to %3)</source>
        <translation>%1（%2 至 %3）</translation>
    </message>
    <message>
        <source>%1 – manual of Plumbline</source>
        <translation>%1 – Plumbline 手册</translation>
    </message>
    <message>
        <source>(weights + gradients + master copy + states, divided as the layout says + activations + buffers) × (1 + fragmentation) + overhead</source>
        <translation>（按布局切分的权重 + 梯度 + 主权重 + 优化器状态 + 激活 + 缓冲区）×（1 + 碎片率）+ 开销</translation>
    </message>
    <message>
        <source>2·M·K·N of a product; the element-wise work of others</source>
        <translation>矩阵乘法为 2·M·K·N；其他为逐元素运算量</translation>
    </message>
    <message>
        <source>Allocator: two snapshots compared</source>
        <translation>分配器：两个快照对比</translation>
    </message>
    <message>
        <source>Allocator: what is alive</source>
        <translation>分配器：存活的分配</translation>
    </message>
    <message>
        <source>Arithmetic intensity</source>
        <translation>算术强度</translation>
    </message>
    <message>
        <source>At which share of the speed that calibration found the machine ran while something was measured. A probe of some milliseconds stands beside each measurement: a product, a copy and a loop.</source>
        <translation>测量期间机器的速度与校准时速度之比。每次测量都伴随一次几毫秒的探测：一次矩阵乘法、一次拷贝和一个循环。</translation>
    </message>
    <message>
        <source>Balance point</source>
        <translation>平衡点</translation>
    </message>
    <message>
        <source>Bandwidth</source>
        <translation>带宽</translation>
    </message>
    <message>
        <source>Bytes of an operation</source>
        <translation>算子的字节数</translation>
    </message>
    <message>
        <source>Bytes that it takes, as allocated</source>
        <translation>实际分配的字节数</translation>
    </message>
    <message>
        <source>Bytes that were asked for</source>
        <translation>请求的字节数</translation>
    </message>
    <message>
        <source>Categories of memory</source>
        <translation>显存类别</translation>
    </message>
    <message>
        <source>Ceilings and what holds an operation</source>
        <translation>上限与限制因素</translation>
    </message>
    <message>
        <source>Clocks, power and temperature</source>
        <translation>时钟频率、功耗与温度</translation>
    </message>
    <message>
        <source>Column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Columns of the tables</source>
        <translation>各表格的列</translation>
    </message>
    <message>
        <source>Compulsory traffic: each distinct input is read once and each output written once; scratch is left out. It belongs to the operation and not to a machine.</source>
        <translation>必需访存量：每个不同的输入读一次，每个输出写一次，不含临时空间。它取决于算子，与机器无关。</translation>
    </message>
    <message>
        <source>Contents of the manual</source>
        <translation>手册目录</translation>
    </message>
    <message>
        <source>Curve</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Curves of a training</source>
        <translation>训练曲线</translation>
    </message>
    <message>
        <source>DRAM bytes / (measured time × bandwidth)</source>
        <translation>DRAM 字节 /（实测时间 × 带宽）</translation>
    </message>
    <message>
        <source>DRAM bytes / compulsory bytes</source>
        <translation>DRAM 字节 / 必需访存量</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认值</translation>
    </message>
    <message>
        <source>Devices: collectives</source>
        <translation>设备：集合通信</translation>
    </message>
    <message>
        <source>Devices: memory of a rank</source>
        <translation>设备：一个 rank 的显存</translation>
    </message>
    <message>
        <source>Elements along each of its dimensions</source>
        <translation>各维度上的元素数</translation>
    </message>
    <message>
        <source>Energy of a step</source>
        <translation>每步能量</translation>
    </message>
    <message>
        <source>Evidence: errors of parts</source>
        <translation>实证：各部分的误差</translation>
    </message>
    <message>
        <source>Evidence: published trainings</source>
        <translation>实证：发表的训练</translation>
    </message>
    <message>
        <source>Executed FLOP</source>
        <translation>实际执行的 FLOP</translation>
    </message>
    <message>
        <source>FLOP / bytes</source>
        <translation>FLOP / 字节数</translation>
    </message>
    <message>
        <source>FLOP / measured time</source>
        <translation>FLOP / 实测时间</translation>
    </message>
    <message>
        <source>FLOP and bytes of the plan, ceilings of the device</source>
        <translation>计划的 FLOP 与字节数，设备的上限</translation>
    </message>
    <message>
        <source>FLOP and bytes of the plan, ceilings of the device, measured time</source>
        <translation>计划的 FLOP 与字节数，设备的上限，实测时间</translation>
    </message>
    <message>
        <source>FLOP of the matrix products without recomputation / (step time × peak of the format of the products)</source>
        <translation>不计重计算的矩阵乘法 FLOP /（步耗时 × 矩阵乘法所用格式的峰值）</translation>
    </message>
    <message>
        <source>FLOP of the model in a step / (step time × devices × peak of the format of the products)</source>
        <translation>模型每步的 FLOP /（步耗时 × 设备数 × 矩阵乘法格式的峰值）</translation>
    </message>
    <message>
        <source>FLOP of the plan, step time predicted or measured, peak of the device</source>
        <translation>计划的 FLOP，预测或实测的步耗时，设备的峰值</translation>
    </message>
    <message>
        <source>FLOP of the training / (devices × peak × MFU × goodput)</source>
        <translation>训练的 FLOP /（设备数 × 峰值 × MFU × 有效训练占比）</translation>
    </message>
    <message>
        <source>FLOP of the training / (time × peak × MFU × goodput), up to the next number that can share the batch</source>
        <translation>训练的 FLOP /（时间 × 峰值 × MFU × 有效训练占比），取能分摊该批的下一个数</translation>
    </message>
    <message>
        <source>FLOP, bytes and intensity</source>
        <translation>FLOP、字节数与算术强度</translation>
    </message>
    <message>
        <source>First operation during which it is alive</source>
        <translation>使其存活的第一个算子</translation>
    </message>
    <message>
        <source>Floating-point operations of one step. One multiply, add, compare, divide or square root is one; a fused multiply-add is two.</source>
        <translation>一步的浮点运算次数。一次乘、加、比较、除或开方计为一次，一次融合乘加计为两次。</translation>
    </message>
    <message>
        <source>Format of its elements</source>
        <translation>元素的数值格式</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>公式</translation>
    </message>
    <message>
        <source>Formula: %1</source>
        <translation>公式：%1</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>Gradients of the loss by the results of the layers</source>
        <translation>损失对各层输出的梯度</translation>
    </message>
    <message>
        <source>Gradients of the parameters</source>
        <translation>参数的梯度</translation>
    </message>
    <message>
        <source>How far its loss is from that of the baseline</source>
        <translation>其损失与基线损失相差多少</translation>
    </message>
    <message>
        <source>How far its rate is from that of the baseline</source>
        <translation>其速率与基线速率相差多少</translation>
    </message>
    <message>
        <source>How far the measurement is from the prediction of what ran. While the sliders ask for another step it is the other way round: how far that step is predicted from the run. Green up to {{good-difference}}, yellow up to {{fair-difference}}, red beyond.</source>
        <translation>实测值与对实际运行之步的预测值相差多少。当滑块描述的是另一个步时则相反：预测该步与运行相差多少。{{good-difference}} 以内为绿色，{{fair-difference}} 以内为黄色，超过为红色。</translation>
    </message>
    <message>
        <source>How far the prediction is from what was published</source>
        <translation>预测与发表值相差多少</translation>
    </message>
    <message>
        <source>How much is computed for each byte that is moved. Below the balance of the device the bandwidth holds an operation, above it the peak.</source>
        <translation>每搬运一个字节所做的计算。低于设备的平衡点时算子受限于带宽，高于平衡点时受限于峰值算力。</translation>
    </message>
    <message>
        <source>How much of what is alive it is</source>
        <translation>在存活总量中所占的比例</translation>
    </message>
    <message>
        <source>How much they grew</source>
        <translation>增长了多少</translation>
    </message>
    <message>
        <source>How near an operation came to the lowest ceiling that holds it: the peak, or the bandwidth of the level of memory that served it, without overhead.</source>
        <translation>算子离限制它的最低上限有多近：该上限为峰值算力，或为其提供数据的那一级存储的带宽，不计开销。</translation>
    </message>
    <message>
        <source>How well a time is founded, the best first:</source>
        <translation>时间的依据有多充分，从最充分的开始：</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>Inputs and targets of the micro-batch</source>
        <translation>微批的输入与目标</translation>
    </message>
    <message>
        <source>Its bytes that live in the earlier snapshot</source>
        <translation>较早的快照中存活的字节数</translation>
    </message>
    <message>
        <source>Its bytes that live in the later snapshot</source>
        <translation>较晚的快照中存活的字节数</translation>
    </message>
    <message>
        <source>Lab: steps of a tensor</source>
        <translation>实验室：张量的步骤</translation>
    </message>
    <message>
        <source>Lab: ways of a collective</source>
        <translation>实验室：集合通信的做法</translation>
    </message>
    <message>
        <source>Larger letters</source>
        <translation>放大字号</translation>
    </message>
    <message>
        <source>Largest batch that fits</source>
        <translation>放得下的最大批大小</translation>
    </message>
    <message>
        <source>Last operation that names it</source>
        <translation>引用它的最后一个算子</translation>
    </message>
    <message>
        <source>Lowest loss so far</source>
        <translation>迄今最低的损失</translation>
    </message>
    <message>
        <source>Meaning</source>
        <translation>含义</translation>
    </message>
    <message>
        <source>Memory that is used</source>
        <translation>显存占用</translation>
    </message>
    <message>
        <source>Memory: tensors</source>
        <translation>显存：张量</translation>
    </message>
    <message>
        <source>Model FLOP utilisation: the share of the peak that useful matrix products reach. Recomputed products do not count, so that recomputation lowers it. More than 100 % is not possible: it says that the peak is too low.</source>
        <translation>模型 FLOP 利用率：有效矩阵乘法达到峰值的比例。重计算的矩阵乘法不计入，因此重计算会降低它。不可能超过 100 %；若超过，说明峰值取低了。</translation>
    </message>
    <message>
        <source>Model, devices and settings of the training</source>
        <translation>训练的模型、设备与设置</translation>
    </message>
    <message>
        <source>Module, or innermost frame of your own code</source>
        <translation>模块，或用户代码的最内层栈帧</translation>
    </message>
    <message>
        <source>Modules</source>
        <translation>模块</translation>
    </message>
    <message>
        <source>Most FLOP a second in a format, dense. What is no product counts against the peak of fp32.</source>
        <translation>某种格式下每秒最多的 FLOP，按稠密运算计。非矩阵乘法的运算以 fp32 峰值为上限。</translation>
    </message>
    <message>
        <source>Most bytes a second between the units and a level of memory. The chart has a roof for each level that calibration found.</source>
        <translation>计算单元与某一级存储之间每秒最多传输的字节数。校准找到的每一级在图中各有一条屋顶线。</translation>
    </message>
    <message>
        <source>Name of the run, which you may change</source>
        <translation>运行的名称，可以修改</translation>
    </message>
    <message>
        <source>Name of the tensor in the step</source>
        <translation>张量在步中的名称</translation>
    </message>
    <message>
        <source>Newest loss of the newest run. There is no prediction of it. Synthetic targets have noise, below whose variance no loss can fall.</source>
        <translation>最近一次运行的最新损失，没有预测值。合成目标含有噪声，损失不会低于噪声的方差。</translation>
    </message>
    <message>
        <source>Newest loss that is a number</source>
        <translation>最新的有效损失值</translation>
    </message>
    <message>
        <source>Nothing was found: try fewer words</source>
        <translation>没有找到：请减少关键词</translation>
    </message>
    <message>
        <source>Number of the layer</source>
        <translation>层的编号</translation>
    </message>
    <message>
        <source>Of a measurement, what lies between the fastest and the slowest tenth of the steps. Of a prediction on a calibrated machine, what its past errors make likely; without checked errors there is none. Of a data sheet, from the bound that nothing undercuts to what a poor implementation takes.</source>
        <translation>实测：去掉最快和最慢各十分之一的步之后的区间。已校准机器上的预测：由以往误差推断的可能区间；未检查过误差则没有范围。规格表：从任何实现都无法突破的界限，到较差实现所需的时间。</translation>
    </message>
    <message>
        <source>On a calibrated machine the time that calibration measured for such an operation, interpolated by its sizes. On a device that only its data sheet is known of, the time at the roof, with the shares of it that devices reach.</source>
        <translation>在已校准的机器上，取校准时测得的同类算子时间，并按尺寸插值。对仅有规格表的设备，取屋顶线时间，并按设备通常能达到的比例折算。</translation>
    </message>
    <message>
        <source>Operation that allocated them</source>
        <translation>进行分配的算子</translation>
    </message>
    <message>
        <source>Optimizer steps that are done</source>
        <translation>已完成的优化器步数</translation>
    </message>
    <message>
        <source>Overhead</source>
        <translation>开销</translation>
    </message>
    <message>
        <source>Page of the manual</source>
        <translation>手册页面</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>峰值算力</translation>
    </message>
    <message>
        <source>Place in the code that allocated the bytes</source>
        <translation>代码中进行分配的位置</translation>
    </message>
    <message>
        <source>Plain sum</source>
        <translation>简单求和</translation>
    </message>
    <message>
        <source>Planner: devices that are compared</source>
        <translation>规划器：参与比较的设备</translation>
    </message>
    <message>
        <source>Planner: every device</source>
        <translation>规划器：所有设备</translation>
    </message>
    <message>
        <source>Planner: ways to spread the work</source>
        <translation>规划器：工作的分布方式</translation>
    </message>
    <message>
        <source>Predicted time of an operation</source>
        <translation>算子的预测时间</translation>
    </message>
    <message>
        <source>Products of the forward pass that are done again in the backward pass because their activations were not kept. HFU counts them, MFU does not.</source>
        <translation>因激活未保留而在反向传播中重做的前向矩阵乘法。HFU 计入它们，MFU 不计入。</translation>
    </message>
    <message>
        <source>Range of a time</source>
        <translation>时间的范围</translation>
    </message>
    <message>
        <source>Range of the prediction</source>
        <translation>预测的范围</translation>
    </message>
    <message>
        <source>Recomputed FLOP</source>
        <translation>重计算的 FLOP</translation>
    </message>
    <message>
        <source>Result of the head and its gradient, casts, scratch of libraries, control tensors</source>
        <translation>输出头的结果及其梯度、类型转换、库的临时空间、控制张量</translation>
    </message>
    <message>
        <source>Results of the layers that the backward pass reads, kept or recomputed</source>
        <translation>反向传播要读取的各层输出，保留的或重计算的</translation>
    </message>
    <message>
        <source>Samples that one second of steps trains on. What a run spends between two steps is left out here; Training shows the rate with everything between.</source>
        <translation>每秒的步所训练的样本数。此处不计两步之间的时间；“训练”视图给出包含这些时间的速率。</translation>
    </message>
    <message>
        <source>Samples/s</source>
        <translation>样本/秒</translation>
    </message>
    <message>
        <source>Search the manual</source>
        <translation>搜索手册</translation>
    </message>
    <message>
        <source>Seconds of one optimizer step, all micro-batches included, without what a run does between two steps.</source>
        <translation>一个优化器步的秒数，包含全部微批，不含运行在两步之间所做的事。</translation>
    </message>
    <message>
        <source>Sections with all of it: %1</source>
        <translation>含全部关键词的小节：%1</translation>
    </message>
    <message>
        <source>Share of the roof</source>
        <translation>占屋顶线的比例</translation>
    </message>
    <message>
        <source>Smaller letters</source>
        <translation>缩小字号</translation>
    </message>
    <message>
        <source>Source: %1</source>
        <translation>来源：%1</translation>
    </message>
    <message>
        <source>Speed of the moment</source>
        <translation>当前速度</translation>
    </message>
    <message>
        <source>Step time or memory as published</source>
        <translation>发表的步耗时或显存</translation>
    </message>
    <message>
        <source>Steps per second, with what lies between steps</source>
        <translation>每秒步数，包含两步之间的时间</translation>
    </message>
    <message>
        <source>Stream that they belong to</source>
        <translation>所属的流</translation>
    </message>
    <message>
        <source>Symbol</source>
        <translation>符号</translation>
    </message>
    <message>
        <source>Taken</source>
        <translation>取值范围</translation>
    </message>
    <message>
        <source>The arithmetic intensity at which the two roofs meet: an operation to the left of it is memory-bound, one to the right of it compute-bound.</source>
        <translation>两条屋顶线相交处的算术强度：其左侧的算子受限于访存，右侧的受限于计算。</translation>
    </message>
    <message>
        <source>The copy of the weights that the matrix products use</source>
        <translation>矩阵乘法所用的权重副本</translation>
    </message>
    <message>
        <source>The device while it is measured</source>
        <translation>测量期间的设备</translation>
    </message>
    <message>
        <source>The fp32 copy that the optimizer updates, where the products use a narrower format</source>
        <translation>矩阵乘法使用较低精度时，由优化器更新的 fp32 副本</translation>
    </message>
    <message>
        <source>The largest batch whose predicted peak is no more than the memory of the device, everything else as it is set. A click takes it.</source>
        <translation>其余设置不变时，预测峰值不超过设备显存的最大批大小。单击即可采用。</translation>
    </message>
    <message>
        <source>The most bytes that are alive at the same time during one step. Predicted and measured must agree to the byte, since the plan names every tensor, casts and library workspaces included.</source>
        <translation>一步之内同时存活的最大字节数。计划列出了每一个张量，包括类型转换和库的工作区，因此预测与实测必须逐字节一致。</translation>
    </message>
    <message>
        <source>The predicted peak beside the memory of the chosen device. Context of the driver, fragments and other programs come on top.</source>
        <translation>预测峰值与所选设备显存的对照。驱动程序上下文、碎片和其他程序的占用需另行计入。</translation>
    </message>
    <message>
        <source>The same as the planner predicts it</source>
        <translation>规划器对同一项的预测</translation>
    </message>
    <message>
        <source>Their number of blocks</source>
        <translation>块数</translation>
    </message>
    <message>
        <source>Tier</source>
        <translation>可信等级</translation>
    </message>
    <message>
        <source>Timeline: sums of a range</source>
        <translation>时间线：区间合计</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Trace: collectives</source>
        <translation>追踪：集合通信</translation>
    </message>
    <message>
        <source>Trace: ranks</source>
        <translation>追踪：各 rank</translation>
    </message>
    <message>
        <source>Trace: steps</source>
        <translation>追踪：各步</translation>
    </message>
    <message>
        <source>Trace: sums of a range</source>
        <translation>追踪：区间汇总</translation>
    </message>
    <message>
        <source>Trace: tables</source>
        <translation>追踪：表格</translation>
    </message>
    <message>
        <source>Training: overflow and underflow by layer</source>
        <translation>训练：各层的上溢与下溢</translation>
    </message>
    <message>
        <source>Training: runs</source>
        <translation>训练：运行列表</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>单位</translation>
    </message>
    <message>
        <source>Unit: %1</source>
        <translation>单位：%1</translation>
    </message>
    <message>
        <source>What a GPU tells of itself between measured steps, as mean and range. A power of the driver's is itself a mean over up to a second.</source>
        <translation>GPU 在测量的步之间自行报告的读数，给出平均值和范围。驱动程序报告的功耗本身就是至多一秒内的平均值。</translation>
    </message>
    <message>
        <source>What a byte is for; each tensor has one category.</source>
        <translation>字节的用途；每个张量属于一个类别。</translation>
    </message>
    <message>
        <source>What has to be known to judge it</source>
        <translation>判断时需要了解的情况</translation>
    </message>
    <message>
        <source>What it holds</source>
        <translation>内容</translation>
    </message>
    <message>
        <source>What its bytes are for</source>
        <translation>其字节的用途</translation>
    </message>
    <message>
        <source>What one adds up on a napkin. It stands beside the true peak, with the parts named that differ: not all of it is alive at the same time, and casts and workspaces are left out.</source>
        <translation>通常的粗略估算。它与真实峰值并列，并指出差异所在：各部分并非同时存活，且未计类型转换和工作区。</translation>
    </message>
    <message>
        <source>What other ranks send, until it is added to what is there</source>
        <translation>其他 rank 发来的数据，直至与本地数据相加</translation>
    </message>
    <message>
        <source>What starting an operation takes, whatever its size. A chain of recomputed layers starts as often as it has layers; a view starts nothing.</source>
        <translation>启动一个算子所需的时间，与其大小无关。重计算的层链有多少层就启动多少次；视图不启动任何内容。</translation>
    </message>
    <message>
        <source>What the energy counter of the device advanced by over stretches of measured steps. The host's time between two steps is part of it; probes, saving and pauses are not.</source>
        <translation>在各段被测量的步中，设备能量计数器的增量。包含主机在两步之间的时间，不含探测、保存和暂停。</translation>
    </message>
    <message>
        <source>What the optimizer keeps for each parameter, such as its moments</source>
        <translation>优化器为每个参数保存的量，例如一阶矩和二阶矩</translation>
    </message>
    <message>
        <source>What the snapshot says that they are for</source>
        <translation>快照所注明的用途</translation>
    </message>
    <message>
        <source>What the units of the device executed, the padding of tiles included. Beside the FLOP of the model it shows what an implementation adds.</source>
        <translation>设备计算单元实际执行的运算，包含分块的填充。与模型 FLOP 对照，可看出实现额外做了多少。</translation>
    </message>
    <message>
        <source>When they were allocated</source>
        <translation>分配的时刻</translation>
    </message>
    <message>
        <source>Where it was published</source>
        <translation>发表出处</translation>
    </message>
    <message>
        <source>Whether it goes on, or how it ended</source>
        <translation>是否仍在进行，或如何结束</translation>
    </message>
    <message>
        <source>Whether they grew, are new, are less or are gone</source>
        <translation>增长、新增、减少或消失</translation>
    </message>
    <message>
        <source>Which of three times of an operation is the largest: compute, memory or overhead. It says what would make the operation faster.</source>
        <translation>算子的三个时间中最大的一个：计算、访存或开销。它说明怎样能使算子更快。</translation>
    </message>
    <message>
        <source>a rule of the findings</source>
        <translation>“发现”的某条规则</translation>
    </message>
    <message>
        <source>as its tier says</source>
        <translation>见其可信等级</translation>
    </message>
    <message>
        <source>as the step time</source>
        <translation>与步耗时相同</translation>
    </message>
    <message>
        <source>batch / step time</source>
        <translation>批大小 / 步耗时</translation>
    </message>
    <message>
        <source>bytes / measured time</source>
        <translation>字节 / 实测时间</translation>
    </message>
    <message>
        <source>bytes / time · (N − 1) / N, twice that of an all-reduce</source>
        <translation>字节数 / 耗时 · (N − 1) / N，all-reduce 为其两倍</translation>
    </message>
    <message>
        <source>bytes after − bytes before</source>
        <translation>之后的字节 − 之前的字节</translation>
    </message>
    <message>
        <source>calibrated: executions × interpolated time; data sheet: max(FLOP / (peak × share), bytes / (bandwidth × share)) + executions × launch</source>
        <translation>已校准：执行次数 × 插值时间；规格表：max(FLOP /（峰值 × 比例）, 字节数 /（带宽 × 比例）) + 执行次数 × 启动时间</translation>
    </message>
    <message>
        <source>calibrated: time / (1 + error) to time / (1 − error), with the error that 90 % of the checked steps stay below</source>
        <translation>已校准：时间 / (1 + 误差) 至 时间 / (1 − 误差)，误差取所检查的步中 90 % 未超过的值</translation>
    </message>
    <message>
        <source>calibration, or an assumption where a data sheet alone is known</source>
        <translation>校准；仅有规格表时为假设值</translation>
    </message>
    <message>
        <source>calibration: copying by size of the working set; data sheet: as published</source>
        <translation>校准：不同工作集大小下的拷贝；规格表：按公布值</translation>
    </message>
    <message>
        <source>calibration: the fastest product; data sheet: as published</source>
        <translation>校准：最快的矩阵乘法；规格表：按公布值</translation>
    </message>
    <message>
        <source>computation + recomputation + update + exposed traffic + bubble + waiting, of the slowest stage</source>
        <translation>最慢一级的计算 + 重计算 + 更新 + 未被掩盖的通信 + 气泡 + 等待</translation>
    </message>
    <message>
        <source>counted from the plan</source>
        <translation>由计划统计</translation>
    </message>
    <message>
        <source>counted from the plan; with counters also from the bytes that moved</source>
        <translation>由计划统计；有计数器时也可由实际搬运的字节数得出</translation>
    </message>
    <message>
        <source>counted from the step's operations and tensors</source>
        <translation>由该步的算子和张量统计</translation>
    </message>
    <message>
        <source>data sheet of the device</source>
        <translation>设备的规格表</translation>
    </message>
    <message>
        <source>devices × power × share of it that is drawn × (1 + share of the hosts) × PUE × time</source>
        <translation>设备数 × 功率 × 负载率 ×（1 + 主机占比）× PUE × 时间</translation>
    </message>
    <message>
        <source>devices × price of an hour × hours</source>
        <translation>设备数 × 每小时价格 × 小时数</translation>
    </message>
    <message>
        <source>difference / baseline</source>
        <translation>差异 / 基线</translation>
    </message>
    <message>
        <source>difference / largest difference of the table</source>
        <translation>差异 / 表中的最大差异</translation>
    </message>
    <message>
        <source>elements × bytes of an element</source>
        <translation>元素数 × 每元素字节数</translation>
    </message>
    <message>
        <source>elements × bytes of an element, read and written; / bandwidth</source>
        <translation>元素数 × 每元素字节数，读写各计一次；/ 带宽</translation>
    </message>
    <message>
        <source>energy of the stretches / their number of steps</source>
        <translation>各段的能量 / 其步数</translation>
    </message>
    <message>
        <source>executed FLOP / FLOP of the model</source>
        <translation>执行的 FLOP / 模型的 FLOP</translation>
    </message>
    <message>
        <source>executions × kernels of one execution × time to start one</source>
        <translation>执行次数 × 每次执行的内核数 × 启动一个内核的时间</translation>
    </message>
    <message>
        <source>follows from the shapes</source>
        <translation>由形状推导</translation>
    </message>
    <message>
        <source>forward + backward + optimizer</source>
        <translation>前向 + 反向 + 优化器</translation>
    </message>
    <message>
        <source>hardware counters of NVIDIA GPUs</source>
        <translation>NVIDIA GPU 的硬件计数器</translation>
    </message>
    <message>
        <source>its bytes / bytes of all tensors that the table is of</source>
        <translation>该张量的字节 / 表中所有张量的字节</translation>
    </message>
    <message>
        <source>its time / sum of the times of all operations</source>
        <translation>其时间 / 所有算子的时间之和</translation>
    </message>
    <message>
        <source>largest of FLOP / peak, bytes / bandwidth and overhead</source>
        <translation>FLOP / 峰值、字节数 / 带宽、开销三者中的最大者</translation>
    </message>
    <message>
        <source>maximum over the operations of the sum of the bytes of all tensors that are alive during the operation</source>
        <translation>对所有算子取最大值：该算子运行期间全部存活张量的字节数之和</translation>
    </message>
    <message>
        <source>mean of ln(predicted / published)</source>
        <translation>ln(预测 / 发表) 的平均值</translation>
    </message>
    <message>
        <source>mean((y − t)²) over the batch and the outputs</source>
        <translation>mean((y − t)²)，对批和各输出取平均</translation>
    </message>
    <message>
        <source>measured / length of the range</source>
        <translation>实测时间 / 区间长度</translation>
    </message>
    <message>
        <source>measured / predicted − 1; of a what-if: what-if / run − 1</source>
        <translation>实测 / 预测 − 1；假设时为 假设 / 运行 − 1</translation>
    </message>
    <message>
        <source>measured: hardware counters</source>
        <translation>实测：硬件计数器</translation>
    </message>
    <message>
        <source>measured: the clock, or events of the device</source>
        <translation>实测：时钟或设备事件</translation>
    </message>
    <message>
        <source>measured: the probe</source>
        <translation>实测：探测</translation>
    </message>
    <message>
        <source>measured: the training</source>
        <translation>实测：训练</translation>
    </message>
    <message>
        <source>median of |predicted / published − 1|</source>
        <translation>|预测 / 发表 − 1| 的中位数</translation>
    </message>
    <message>
        <source>memory of the fullest device ≤ memory of the device</source>
        <translation>占用最多的设备所需显存 ≤ 设备显存</translation>
    </message>
    <message>
        <source>newest loss / loss of the baseline at that step − 1</source>
        <translation>最新损失 / 基线在该步的损失 − 1</translation>
    </message>
    <message>
        <source>of N ranks: 2 (N − 1) of a ring, half of that where nothing is reduced and gathered both; 2 log2 N of a tree, rounded up; 2 or 1 of an exchange</source>
        <translation>N 个 rank：环形为 2 (N − 1)，不同时归约和收集时减半；树形为 2 log2 N，向上取整；互换为 2 或 1</translation>
    </message>
    <message>
        <source>of S bytes and N ranks: 2 (N − 1) / N · S of an all-reduce, half of it of the others; a tree sends whole buffers</source>
        <translation>S 字节、N 个 rank：all-reduce 为 2 (N − 1) / N · S，其余减半；树形发送整个缓冲区</translation>
    </message>
    <message>
        <source>of a product of M×K by K×N with e bytes an element: e·(M·K + K·N + M·N)</source>
        <translation>M×K 与 K×N 的矩阵乘法，每个元素 e 字节：e·(M·K + K·N + M·N)</translation>
    </message>
    <message>
        <source>of an all-reduce of N ranks about 2 (N − 1) / N of its bytes</source>
        <translation>N 个 rank 的 all-reduce 约为其字节数的 2 (N − 1) / N</translation>
    </message>
    <message>
        <source>parameters + gradients + optimizer state + activations</source>
        <translation>参数 + 梯度 + 优化器状态 + 激活</translation>
    </message>
    <message>
        <source>parts of the probe now / parts of the probe at calibration, weighted by the predicted time of the operations that follow each part</source>
        <translation>探测各部分的当前值 / 校准时的值，按受各部分制约的算子的预测时间加权</translation>
    </message>
    <message>
        <source>peak / bandwidth</source>
        <translation>峰值算力 / 带宽</translation>
    </message>
    <message>
        <source>peak memory / memory of the device</source>
        <translation>峰值显存 / 设备显存</translation>
    </message>
    <message>
        <source>predicted / published − 1</source>
        <translation>预测 / 发表 − 1</translation>
    </message>
    <message>
        <source>predicted = sum over the operations of executions × (time of one execution + time until the next operation); measured = median over steps, warm-up left out</source>
        <translation>预测 = 对所有算子求和：执行次数 ×（一次执行的时间 + 到下一个算子开始的时间）；实测 = 多步的中位数，不含预热</translation>
    </message>
    <message>
        <source>predicted, as the tier says</source>
        <translation>预测，依据见可信等级</translation>
    </message>
    <message>
        <source>predicted: calibration of this machine, or the ceilings of a data sheet, as the tier says; measured: the clock, or events of the device</source>
        <translation>预测：本机的校准或规格表的上限，见可信等级；实测：时钟或设备事件</translation>
    </message>
    <message>
        <source>predicted: counted from the plan; measured: hardware counters alone</source>
        <translation>预测：由计划统计；实测：仅来自硬件计数器</translation>
    </message>
    <message>
        <source>predicted: lifetimes of the plan's tensors; measured: the allocator's own count</source>
        <translation>预测：计划中张量的生存期；实测：分配器自身的计数</translation>
    </message>
    <message>
        <source>published trainings and the planner's predictions of them</source>
        <translation>发表的训练以及规划器对它们的预测</translation>
    </message>
    <message>
        <source>quantile 0.9 of |predicted / published − 1|</source>
        <translation>|预测 / 发表 − 1| 的 0.9 分位数</translation>
    </message>
    <message>
        <source>read from the memory snapshot</source>
        <translation>取自显存快照</translation>
    </message>
    <message>
        <source>read from the trace, or counted from it</source>
        <translation>取自追踪，或由其统计得出</translation>
    </message>
    <message>
        <source>real where |difference| &gt; noise</source>
        <translation>|差异| &gt; 噪声时为真实变化</translation>
    </message>
    <message>
        <source>repeats of the step, the errors that check-prediction kept, or the data sheet</source>
        <translation>步的重复测量、check-prediction 保留的误差，或规格表</translation>
    </message>
    <message>
        <source>rows within their predicted range / rows</source>
        <translation>落在预测范围内的行数 / 行数</translation>
    </message>
    <message>
        <source>steps per second / those of the baseline − 1</source>
        <translation>每秒步数 / 基线的每秒步数 − 1</translation>
    </message>
    <message>
        <source>sum / length of the range</source>
        <translation>总和 / 区间长度</translation>
    </message>
    <message>
        <source>sum of 2·M·K·N over the matrix products + the element-wise work; rule of thumb 6·B·N</source>
        <translation>各矩阵乘法 2·M·K·N 之和 + 逐元素运算；经验法则 6·B·N</translation>
    </message>
    <message>
        <source>sum over its operations</source>
        <translation>其各算子之和</translation>
    </message>
    <message>
        <source>sum over the recomputed chains of n layers: 2·n·b·D²</source>
        <translation>对各条 n 层的重计算链求和：2·n·b·D²</translation>
    </message>
    <message>
        <source>sum over the steps of latency + most bytes of a rank / rate of the link</source>
        <translation>各步之和：延迟 + 单个 rank 的最多字节 / 链路速率</translation>
    </message>
    <message>
        <source>sum over the tensors that are in memory</source>
        <translation>显存中各张量之和</translation>
    </message>
    <message>
        <source>sum − hidden</source>
        <translation>总和 − 被掩盖的部分</translation>
    </message>
    <message>
        <source>the plan, and what the device says of itself</source>
        <translation>计划，以及设备自身的信息</translation>
    </message>
    <message>
        <source>the plan, searched</source>
        <translation>由计划搜索得出</translation>
    </message>
    <message>
        <source>the two ceilings</source>
        <translation>两项上限</translation>
    </message>
    <message>
        <source>the two figures beside it</source>
        <translation>旁边的两个数字</translation>
    </message>
    <message>
        <source>time / time of the step of median length − 1</source>
        <translation>时间 / 中位长度的步的时间 − 1</translation>
    </message>
    <message>
        <source>time / time of what it is a share of</source>
        <translation>时间 / 所占整体的时间</translation>
    </message>
    <message>
        <source>time at the roof / measured time</source>
        <translation>屋顶线时间 / 实测时间</translation>
    </message>
    <message>
        <source>time in which the device works / time to the next step</source>
        <translation>设备工作的时间 / 到下一步的时间</translation>
    </message>
    <message>
        <source>told by the driver</source>
        <translation>由驱动程序报告</translation>
    </message>
    <message>
        <source>told by the driver, sampled</source>
        <translation>由驱动程序报告，采样得到</translation>
    </message>
    <message>
        <source>values that became 0 / all values of the steps that were observed</source>
        <translation>变为 0 的数值 / 所观察各步的全部数值</translation>
    </message>
    <message>
        <source>values that were too large / all values of the steps that were observed</source>
        <translation>过大的数值 / 所观察各步的全部数值</translation>
    </message>
    <message>
        <source>what the step waited / time</source>
        <translation>该步等待的时间 / 耗时</translation>
    </message>
    <message>
        <source>what was chosen or is known of it</source>
        <translation>所选的设置或已知的信息</translation>
    </message>
    <message>
        <source>worked out by the planner from its inputs</source>
        <translation>由规划器根据输入算出</translation>
    </message>
    <message>
        <source>worked out from other columns</source>
        <translation>由其他列计算</translation>
    </message>
    <message>
        <source>⌈parameters × bytes per parameter / (memory of a device × usable share)⌉</source>
        <translation>⌈参数量 × 每参数字节数 /（单设备显存 × 可用比例）⌉</translation>
    </message>
</context>
</TS>
