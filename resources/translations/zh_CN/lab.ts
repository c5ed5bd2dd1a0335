<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source>
neither infinity nor NaN: what is too large becomes the largest number</source>
        <translation>
没有无穷大和 NaN：过大的值变为最大的数</translation>
    </message>
    <message>
        <source>
no infinity; one NaN per sign</source>
        <translation>
没有无穷大；每种符号各有一个 NaN</translation>
    </message>
    <message>
        <source>
stored in %1 bits</source>
        <translation>
以 %1 位存储</translation>
    </message>
    <message>
        <source>   (%1 elements lie here)</source>
        <translation>   （此处有 %1 个元素）</translation>
    </message>
    <message>
        <source> B</source>
        <translation> B</translation>
    </message>
    <message>
        <source> in the best order</source>
        <translation> （按最优顺序）</translation>
    </message>
    <message>
        <source> on the GPU</source>
        <translation> （在 GPU 上）</translation>
    </message>
    <message>
        <source> · %1 moved</source>
        <translation> · 移动 %1</translation>
    </message>
    <message>
        <source>%1
%2 · %3 · %4</source>
        <translation>%1
%2 · %3 · %4</translation>
    </message>
    <message>
        <source>%1   shape %2   strides %3   offset %4</source>
        <translation>%1   形状 %2   步幅 %3   偏移 %4</translation>
    </message>
    <message>
        <source>%1 %2 / %3 of %4</source>
        <translation>%4：%1 %2 / %3</translation>
    </message>
    <message>
        <source>%1 (done)</source>
        <translation>%1（已完成）</translation>
    </message>
    <message>
        <source>%1 (typed)</source>
        <translation>%1（输入值）</translation>
    </message>
    <message>
        <source>%1 a step</source>
        <translation>每步 %1</translation>
    </message>
    <message>
        <source>%1 after step %2: %3 × %4 in %5</source>
        <translation>%1，第 %2 步之后：%3 × %4，%5</translation>
    </message>
    <message>
        <source>%1 at most, in one direction: %2</source>
        <translation>单向最多 %1：%2</translation>
    </message>
    <message>
        <source>%1 elements</source>
        <translation>%1 个元素</translation>
    </message>
    <message>
        <source>%1 elements, %2 of them in different places of a storage of %3</source>
        <translation>%1 个元素，占据大小为 %3 的存储中的 %2 个不同位置</translation>
    </message>
    <message>
        <source>%1 from %2 to %3</source>
        <translation>%1，从 %2 到 %3</translation>
    </message>
    <message>
        <source>%1 in this order</source>
        <translation>按此顺序 %1</translation>
    </message>
    <message>
        <source>%1 in this order; %2 all at once, %3 times as many</source>
        <translation>按此顺序 %1；一次性计算 %2，为其 %3 倍</translation>
    </message>
    <message>
        <source>%1 numbers, %2 of them 0; magnitudes %3 to %4, root mean square %5</source>
        <translation>%1 个数，其中 %2 个为 0；绝对值 %3 至 %4，均方根 %5</translation>
    </message>
    <message>
        <source>%1 of %2 lessons done</source>
        <translation>已完成 %2 课中的 %1 课</translation>
    </message>
    <message>
        <source>%1 of %2 on %3 ranks over %4, %5 of latency a step</source>
        <translation>%2 的%1，%3 个 rank，经 %4，每步延迟 %5</translation>
    </message>
    <message>
        <source>%1 of layer %2</source>
        <translation>第 %2 层的 %1</translation>
    </message>
    <message>
        <source>%1 ranks are not drawn: choose 2 to %2</source>
        <translation>无法绘制 %1 个 rank：请选择 2 至 %2</translation>
    </message>
    <message>
        <source>%1 steps: %2 of latency, %3 of bytes</source>
        <translation>%1 步：延迟 %2，传输字节 %3</translation>
    </message>
    <message>
        <source>%1 storages</source>
        <translation>%1 块存储</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 至 %2</translation>
    </message>
    <message>
        <source>%1 × scale %2 = %3
bits %4
error %5
%6</source>
        <translation>%1 × 缩放因子 %2 = %3
位 %4
误差 %5
%6</translation>
    </message>
    <message>
        <source>%1 − bias %2: 2^%3</source>
        <translation>%1 − 偏置 %2：2^%3</translation>
    </message>
    <message>
        <source>%1, added</source>
        <translation>%1，相加</translation>
    </message>
    <message>
        <source>%1, between %2 and %3</source>
        <translation>%1，在 %2 与 %3 之间</translation>
    </message>
    <message>
        <source>%1, shape %2</source>
        <translation>%1，形状 %2</translation>
    </message>
    <message>
        <source>%1: %2 FLOP/B</source>
        <translation>%1：%2 FLOP/B</translation>
    </message>
    <message>
        <source>%1: %2 bits: 1 sign, %3 exponent (bias %4), %5 mantissa
largest %6
least normal %7
least subnormal %8
from 1 to the next number %9</source>
        <translation>%1：%2 位：1 位符号，%3 位指数（偏置 %4），%5 位尾数
最大值 %6
最小正规数 %7
最小次正规数 %8
1 到下一个数的间距 %9</translation>
    </message>
    <message>
        <source>%1: a sum of K terms takes K − 1 adds</source>
        <translation>%1：K 项之和需要 K − 1 次加法</translation>
    </message>
    <message>
        <source>%1; bit %2, %3</source>
        <translation>%1；第 %2 位，%3</translation>
    </message>
    <message numerus="yes">
        <source>%n numbers. MX: 32 of them share a power of two; NVFP4: 16 share an E4M3 scale. Red: became 0 or was cut, green: exact.</source>
        <translation>
            <numerusform>%n 个数。MX：每 32 个共享一个 2 的幂；NVFP4：每 16 个共享一个 E4M3 缩放因子。红色：变为 0 或被截断；绿色：精确。</numerusform>
        </translation>
    </message>
    <message>
        <source>, at least %1</source>
        <translation>，至少 %1</translation>
    </message>
    <message>
        <source>, on the GPU</source>
        <translation>，在 GPU 上</translation>
    </message>
    <message>
        <source>, stored times %1</source>
        <translation>，存储值乘以 %1</translation>
    </message>
    <message>
        <source>. Written by the engine to %1</source>
        <translation>。已由引擎写入 %1</translation>
    </message>
    <message>
        <source>2^%1 to 2^%2</source>
        <translation>2^%1 至 2^%2</translation>
    </message>
    <message>
        <source>; %1</source>
        <translation>；%1</translation>
    </message>
    <message>
        <source>; %1 not finite</source>
        <translation>；%1 个不是有限值</translation>
    </message>
    <message>
        <source>; %1 times the least time</source>
        <translation>；为最短时间的 %1 倍</translation>
    </message>
    <message>
        <source>A batch on its way to the GPU</source>
        <translation>送往 GPU 途中的一个批</translation>
    </message>
    <message>
        <source>A bias expanded over the batch</source>
        <translation>沿批扩展的偏置</translation>
    </message>
    <message>
        <source>A causal mask</source>
        <translation>因果掩码</translation>
    </message>
    <message>
        <source>A collective, step by step</source>
        <translation>逐步查看集合通信</translation>
    </message>
    <message>
        <source>A linear layer</source>
        <translation>线性层</translation>
    </message>
    <message>
        <source>A mean over patches</source>
        <translation>按图块求平均</translation>
    </message>
    <message>
        <source>A number: 1e-8, 1/3, 0x1.8p-3, inf, nan</source>
        <translation>一个数：1e-8、1/3、0x1.8p-3、inf、nan</translation>
    </message>
    <message>
        <source>A tensor and its memory</source>
        <translation>张量及其内存</translation>
    </message>
    <message>
        <source>A tensor without elements.</source>
        <translation>没有元素的张量。</translation>
    </message>
    <message>
        <source>A transpose cannot be viewed</source>
        <translation>转置无法作为视图重塑</translation>
    </message>
    <message>
        <source>A transpose moves nothing</source>
        <translation>转置不移动任何数据</translation>
    </message>
    <message>
        <source>A transposed batch, gathered before the bus</source>
        <translation>转置后的批，在过总线之前先收集</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>激活</translation>
    </message>
    <message>
        <source>Activation gradient</source>
        <translation>激活梯度</translation>
    </message>
    <message>
        <source>Add a step</source>
        <translation>添加一步</translation>
    </message>
    <message>
        <source>Add a step…</source>
        <translation>添加一步…</translation>
    </message>
    <message>
        <source>After step %1 of %2: %3 at most of a rank in %4</source>
        <translation>第 %1 步之后（共 %2 步）：单个 rank 至多 %3，用时 %4</translation>
    </message>
    <message>
        <source>All digits of this number are kept by fp64.</source>
        <translation>fp64 保留了该数的全部数字。</translation>
    </message>
    <message>
        <source>All lessons</source>
        <translation>全部课程</translation>
    </message>
    <message>
        <source>All weights as .safetensors…</source>
        <translation>将全部权重存为 .safetensors…</translation>
    </message>
    <message>
        <source>All-gather</source>
        <translation>all-gather</translation>
    </message>
    <message>
        <source>All-reduce</source>
        <translation>all-reduce</translation>
    </message>
    <message>
        <source>An expression over named dimensions</source>
        <translation>带命名维度的表达式</translation>
    </message>
    <message>
        <source>Arrays of numpy (*.npy)</source>
        <translation>numpy 数组 (*.npy)</translation>
    </message>
    <message>
        <source>Attention heads out of one matrix</source>
        <translation>从一个矩阵拆出各注意力头</translation>
    </message>
    <message>
        <source>Attention scores</source>
        <translation>注意力分数</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>后退</translation>
    </message>
    <message>
        <source>Balance</source>
        <translation>平衡点</translation>
    </message>
    <message>
        <source>Before the first of %1 steps: each rank has its own addends</source>
        <translation>第一步之前（共 %1 步）：每个 rank 只有自己的加数</translation>
    </message>
    <message>
        <source>Before the first of %1 steps: each rank has its own slice</source>
        <translation>第一步之前（共 %1 步）：每个 rank 只有自己的分片</translation>
    </message>
    <message>
        <source>Below the table</source>
        <translation>表格下方</translation>
    </message>
    <message>
        <source>Best order</source>
        <translation>最优顺序</translation>
    </message>
    <message>
        <source>Bits of %1</source>
        <translation>%1 的各位</translation>
    </message>
    <message>
        <source>Block formats</source>
        <translation>块格式</translation>
    </message>
    <message>
        <source>Bound</source>
        <translation>受限于</translation>
    </message>
    <message>
        <source>Bound by</source>
        <translation>受限于</translation>
    </message>
    <message>
        <source>Buffer of a rank</source>
        <translation>每个 rank 的缓冲区</translation>
    </message>
    <message>
        <source>Bus to the GPU</source>
        <translation>到 GPU 的总线</translation>
    </message>
    <message>
        <source>Bytes that a copy moves, and the least time for it</source>
        <translation>一次拷贝移动的字节数，及其最短时间</translation>
    </message>
    <message>
        <source>Calibrate</source>
        <translation>校准</translation>
    </message>
    <message>
        <source>Choose neighbours</source>
        <translation>选择相邻值</translation>
    </message>
    <message>
        <source>Close the lessons</source>
        <translation>关闭课程</translation>
    </message>
    <message>
        <source>Close the lessons (Esc); where you are is kept</source>
        <translation>关闭课程（Esc）；当前进度会保留</translation>
    </message>
    <message>
        <source>Code of %1</source>
        <translation>%1 的编码</translation>
    </message>
    <message>
        <source>Collective</source>
        <translation>集合通信</translation>
    </message>
    <message>
        <source>Collectives</source>
        <translation>集合通信</translation>
    </message>
    <message>
        <source>Collectives step by step</source>
        <translation>逐步查看集合通信</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Copy the list of steps as text</source>
        <translation>将步骤列表复制为文本</translation>
    </message>
    <message>
        <source>Copy the table as text</source>
        <translation>将表格复制为文本</translation>
    </message>
    <message>
        <source>Copy what the page says as text</source>
        <translation>将该页内容复制为文本</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Digits and range of the formats</source>
        <translation>各格式的有效位数与范围</translation>
    </message>
    <message>
        <source>Done, next lesson</source>
        <translation>完成，下一课</translation>
    </message>
    <message>
        <source>Dtypes</source>
        <translation>数值格式</translation>
    </message>
    <message>
        <source>E4M3 scale of every %1 numbers under one fp32 scale of the tensor: largest / (6 × 448)</source>
        <translation>张量共用一个 fp32 缩放因子，其下每 %1 个数一个 E4M3 缩放因子：最大值 / (6 × 448)</translation>
    </message>
    <message>
        <source>E8M0 scale of every %1 numbers: 2^(floor(log2 of the largest) − largest exponent of the element)</source>
        <translation>每 %1 个数一个 E8M0 缩放因子：2^(floor(log2 最大值) − 元素的最大指数)</translation>
    </message>
    <message>
        <source>Each output of the synthetic task is 0, 1, 2, ... times the features, so the product of all weights should be these numbers: off by %1 in the mean (root mean square) and %2 at most</source>
        <translation>合成任务的各输出为特征的 0、1、2、… 倍，因此所有权重之积应为这些数：偏差的均方根为 %1，最大为 %2</translation>
    </message>
    <message>
        <source>Each rank sends every other one its slice at once: least bytes, one step each way; as Plumbline's own ranks do</source>
        <translation>每个 rank 同时把各分片发给其余各 rank：字节最少，每个方向一步；本程序自己的 rank 即如此</translation>
    </message>
    <message>
        <source>Each rank sends one slice to the next, step after step: least bytes, many steps</source>
        <translation>每个 rank 逐步把一个分片传给下一个：字节最少，步数多</translation>
    </message>
    <message>
        <source>Einsum</source>
        <translation>Einsum</translation>
    </message>
    <message>
        <source>Element type</source>
        <translation>元素类型</translation>
    </message>
    <message>
        <source>Elements along each dimension</source>
        <translation>各维度上的元素数</translation>
    </message>
    <message>
        <source>Elements of the storage from one index to the next, for each dimension</source>
        <translation>各维度上相邻下标之间在存储中相隔的元素数</translation>
    </message>
    <message>
        <source>Enter or a double click shows its steps.</source>
        <translation>按 Enter 或双击可查看其各步。</translation>
    </message>
    <message>
        <source>Enter or a double click takes a gradient as the expression</source>
        <translation>按 Enter 或双击可将某个梯度用作表达式</translation>
    </message>
    <message>
        <source>Every second column of a slice</source>
        <translation>切片中每隔一列取一列</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>Examples…</source>
        <translation>示例…</translation>
    </message>
    <message>
        <source>Exchange</source>
        <translation>互换</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Export all weights</source>
        <translation>导出全部权重</translation>
    </message>
    <message>
        <source>Export this tensor</source>
        <translation>导出该张量</translation>
    </message>
    <message>
        <source>Expression</source>
        <translation>表达式</translation>
    </message>
    <message>
        <source>Expressions over named dimensions</source>
        <translation>带命名维度的表达式</translation>
    </message>
    <message>
        <source>FLOP</source>
        <translation>FLOP</translation>
    </message>
    <message>
        <source>FLOP / bytes, both compulsory</source>
        <translation>FLOP / 字节，均为必需量</translation>
    </message>
    <message>
        <source>FLOP, exactly</source>
        <translation>FLOP，精确值</translation>
    </message>
    <message>
        <source>FLOP/s</source>
        <translation>FLOP/s</translation>
    </message>
    <message>
        <source>Fetch the numbers of this tensor from the training</source>
        <translation>从训练中取得该张量的数值</translation>
    </message>
    <message>
        <source>Fill with…</source>
        <translation>填充…</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>From the beginning of a step until its first byte is there</source>
        <translation>从一步开始到首字节到达</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Goes through the steps, a moment each</source>
        <translation>依次演示各步</translation>
    </message>
    <message>
        <source>Gradient</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>Have the engine write it to a file of its machine</source>
        <translation>让引擎将其写入引擎所在机器上的文件</translation>
    </message>
    <message>
        <source>Heads out of one dimension</source>
        <translation>从一个维度拆出各头</translation>
    </message>
    <message>
        <source>In the words of torch; double click to edit, Del takes it out</source>
        <translation>用 torch 的写法；双击编辑，Del 删除</translation>
    </message>
    <message>
        <source>Intensity</source>
        <translation>强度</translation>
    </message>
    <message>
        <source>Lab</source>
        <translation>实验室</translation>
    </message>
    <message>
        <source>Latency of a step</source>
        <translation>每步延迟</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Link</source>
        <translation>链路</translation>
    </message>
    <message>
        <source>Live tensors</source>
        <translation>实时张量</translation>
    </message>
    <message>
        <source>Look</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Look again every second while the training goes on</source>
        <translation>训练进行期间每秒重新查看</translation>
    </message>
    <message>
        <source>Loop iterations</source>
        <translation>循环迭代次数</translation>
    </message>
    <message>
        <source>Loops</source>
        <translation>循环</translation>
    </message>
    <message>
        <source>Loss scales under which at most %1 % of the numbers become 0 and none is too large%2</source>
        <translation>至多 %1 % 的数变为 0 且没有数过大时的损失缩放因子%2</translation>
    </message>
    <message>
        <source>Measured on %1: %2 (median of %3, fastest %4), %5</source>
        <translation>在 %1 上测得：%2（%3 次的中位数，最快 %4），%5</translation>
    </message>
    <message>
        <source>Most bytes that one rank sends in all steps</source>
        <translation>单个 rank 在全部步骤中发送的最多字节</translation>
    </message>
    <message>
        <source>Move the marked step down (Alt+Down)</source>
        <translation>将选中的步骤下移（Alt+Down）</translation>
    </message>
    <message>
        <source>Move the marked step up (Alt+Up)</source>
        <translation>将选中的步骤上移（Alt+Up）</translation>
    </message>
    <message>
        <source>Neighbours</source>
        <translation>相邻数值</translation>
    </message>
    <message>
        <source>Neighbours that share the scale</source>
        <translation>共享缩放因子的相邻元素</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>No lessons</source>
        <translation>没有课程</translation>
    </message>
    <message>
        <source>No training goes on. Press Run (F5), then Look: the numbers of a weight, gradient or activation, and what every format would lose of them.</source>
        <translation>没有正在进行的训练。请按“运行”（F5），再按“查看”：将显示某个权重、梯度或激活的数值，以及用每种格式存储时会损失什么。</translation>
    </message>
    <message>
        <source>Nothing is trained: press Run (F5) first</source>
        <translation>没有正在训练的内容：请先按“运行”（F5）</translation>
    </message>
    <message>
        <source>Number formats</source>
        <translation>数值格式</translation>
    </message>
    <message>
        <source>Numbers by magnitude</source>
        <translation>按绝对值分布的数</translation>
    </message>
    <message>
        <source>Of all steps; ranks that come late are not part of it.</source>
        <translation>全部步骤的时间；不含等待迟到的 rank。</translation>
    </message>
    <message>
        <source>On to the next lesson; this one does not count as done</source>
        <translation>前往下一课；本课不计为已完成</translation>
    </message>
    <message>
        <source>One after the other; what happens in one happens at once.</source>
        <translation>依次进行；同一步内的传输同时进行。</translation>
    </message>
    <message>
        <source>One or two tensors: there is only one order. Write three or more, such as a b, b c, c d -&gt; a d.</source>
        <translation>一个或两个张量：只有一种顺序。请写三个或更多，例如 a b, b c, c d -&gt; a d。</translation>
    </message>
    <message>
        <source>One value in every format</source>
        <translation>一个值在各格式中</translation>
    </message>
    <message>
        <source>Pages of the Lab</source>
        <translation>实验室的各页</translation>
    </message>
    <message>
        <source>Pairs add whole buffers up to rank 0, which hands the sum down: few steps, many bytes</source>
        <translation>两两把整个缓冲区相加，向上汇至 rank 0，再把和向下分发：步数少，字节多</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Press Look to fetch the numbers of this tensor from the training.</source>
        <translation>按“查看”从训练中取得该张量的数值。</translation>
    </message>
    <message>
        <source>Product of all weights</source>
        <translation>所有权重之积</translation>
    </message>
    <message>
        <source>Puts a ring around what this step speaks of</source>
        <translation>圈出该步骤所说的内容</translation>
    </message>
    <message>
        <source>Range and precision</source>
        <translation>范围与精度</translation>
    </message>
    <message>
        <source>Range of every format</source>
        <translation>各格式的范围</translation>
    </message>
    <message>
        <source>Ranks</source>
        <comment>of a collective</comment>
        <translation>rank 数</translation>
    </message>
    <message>
        <source>Rate of one direction, as the data sheet has it</source>
        <translation>单向速率，取自规格表</translation>
    </message>
    <message>
        <source>Reduce-scatter</source>
        <translation>reduce-scatter</translation>
    </message>
    <message>
        <source>Ring</source>
        <translation>环形</translation>
    </message>
    <message>
        <source>Roofline of %1: %2 FLOP per byte, bound by %3</source>
        <translation>%1 的屋顶线：每字节 %2 FLOP，受限于%3</translation>
    </message>
    <message>
        <source>Runs the expression on this machine and takes the time</source>
        <translation>在本机上运行该表达式并计时</translation>
    </message>
    <message>
        <source>Shape of x</source>
        <translation>x 的形状</translation>
    </message>
    <message>
        <source>Show me where</source>
        <translation>指给我看</translation>
    </message>
    <message>
        <source>Significant decimal digits over the magnitude</source>
        <translation>有效十进制位数随绝对值的变化</translation>
    </message>
    <message>
        <source>Size of %1</source>
        <translation>%1 的大小</translation>
    </message>
    <message>
        <source>Sizes between commas: 4, 6. The tensor is called x</source>
        <translation>各维大小以逗号分隔：4, 6。该张量名为 x</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>跳过</translation>
    </message>
    <message>
        <source>Step</source>
        <comment>of a collective</comment>
        <translation>步</translation>
    </message>
    <message>
        <source>Steps</source>
        <comment>done to a tensor</comment>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Steps</source>
        <comment>of a collective</comment>
        <translation>各步</translation>
    </message>
    <message>
        <source>Steps  x</source>
        <translation>步骤  x</translation>
    </message>
    <message>
        <source>Steps in the words of torch</source>
        <translation>用 torch 写法的步骤</translation>
    </message>
    <message>
        <source>Stops the timing</source>
        <translation>停止计时</translation>
    </message>
    <message>
        <source>Take the marked step out (Del)</source>
        <translation>删除选中的步骤（Del）</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Tensors (*.safetensors)</source>
        <translation>张量 (*.safetensors)</translation>
    </message>
    <message>
        <source>Tensors in memory</source>
        <translation>内存中的张量</translation>
    </message>
    <message>
        <source>Text of the lesson</source>
        <translation>课程正文</translation>
    </message>
    <message>
        <source>The GPU that .cuda() copies to; its memory bandwidth prices copies there</source>
        <translation>.cuda() 拷贝到的 GPU；在该 GPU 上拷贝的开销按其显存带宽计算</translation>
    </message>
    <message>
        <source>The bus that the device's record names</source>
        <translation>设备记录所写明的总线</translation>
    </message>
    <message>
        <source>The code in hexadecimal: type another, or a binary one as 0b…</source>
        <translation>十六进制编码：可输入另一个，或以 0b… 输入二进制</translation>
    </message>
    <message>
        <source>The diagonal as a view</source>
        <translation>以视图取对角线</translation>
    </message>
    <message>
        <source>The next step (Alt+Right)</source>
        <translation>下一步（Alt+Right）</translation>
    </message>
    <message>
        <source>The numbers in their places</source>
        <translation>位于各自位置的数</translation>
    </message>
    <message>
        <source>The program was built without its lessons.</source>
        <translation>程序构建时没有包含课程。</translation>
    </message>
    <message>
        <source>The step before (Alt+Left)</source>
        <translation>上一步（Alt+Left）</translation>
    </message>
    <message>
        <source>The training is over: its weights are left, and nothing else</source>
        <translation>训练已结束：只留下其权重</translation>
    </message>
    <message>
        <source>The weights of the task and the recovered ones</source>
        <translation>任务的权重与还原出的权重</translation>
    </message>
    <message>
        <source>This tensor as .npy…</source>
        <translation>将该张量存为 .npy…</translation>
    </message>
    <message>
        <source>Three matrices, in the best order</source>
        <translation>三个矩阵，按最优顺序</translation>
    </message>
    <message>
        <source>Time at least</source>
        <translation>最短时间</translation>
    </message>
    <message>
        <source>Time it</source>
        <translation>计时</translation>
    </message>
    <message>
        <source>Time of each way over the size of the buffer</source>
        <translation>各做法的时间随缓冲区大小的变化</translation>
    </message>
    <message>
        <source>Timing…</source>
        <translation>正在计时…</translation>
    </message>
    <message>
        <source>Tree</source>
        <comment>of ranks</comment>
        <translation>树形</translation>
    </message>
    <message>
        <source>Up to %1 numbers between commas or blanks</source>
        <translation>最多 %1 个数，以逗号或空格分隔</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Way</source>
        <translation>做法</translation>
    </message>
    <message>
        <source>Weight</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>What each rank has of each slice</source>
        <translation>每个 rank 各分片的状态</translation>
    </message>
    <message>
        <source>What each way costs</source>
        <translation>各做法的开销</translation>
    </message>
    <message>
        <source>What every format makes of the numbers</source>
        <translation>各格式如何表示这些数</translation>
    </message>
    <message>
        <source>What it costs</source>
        <translation>开销</translation>
    </message>
    <message>
        <source>What the busiest link carries, as nccl-tests tells it.</source>
        <translation>最繁忙链路的速率，与 nccl-tests 的定义一致。</translation>
    </message>
    <message>
        <source>Where the tensor begins in its storage, in elements</source>
        <translation>张量在其存储中的起点，以元素计</translation>
    </message>
    <message>
        <source>Whether the step shares the memory or copies</source>
        <translation>该步骤是共享内存还是拷贝</translation>
    </message>
    <message>
        <source>[1:, ::2].transpose(0, 1).view(-1)</source>
        <translation>[1:, ::2].transpose(0, 1).view(-1)</translation>
    </message>
    <message>
        <source>a large activation: infinity in fp16</source>
        <translation>较大的激活：在 fp16 中为无穷大</translation>
    </message>
    <message>
        <source>a mantissa that never ends</source>
        <translation>永不结束的尾数</translation>
    </message>
    <message>
        <source>a product: batch in, in out -&gt; batch out; also (h w), mean:, repeat:, relu:</source>
        <translation>乘积：batch in, in out -&gt; batch out；还有 (h w)、mean:、repeat:、relu:</translation>
    </message>
    <message>
        <source>a small gradient: zero in fp16, kept in bf16</source>
        <translation>较小的梯度：在 fp16 中为零，在 bf16 中得以保留</translation>
    </message>
    <message>
        <source>above</source>
        <translation>超出</translation>
    </message>
    <message>
        <source>after all steps</source>
        <translation>所有步骤之后</translation>
    </message>
    <message>
        <source>all ones: infinity or NaN</source>
        <translation>全为 1：无穷大或 NaN</translation>
    </message>
    <message>
        <source>all zeros: subnormal, 2^%1</source>
        <translation>全为 0：次正规数，2^%1</translation>
    </message>
    <message>
        <source>balance %1</source>
        <translation>平衡点 %1</translation>
    </message>
    <message>
        <source>bars: normal, pale: subnormal; arrows: goes on beyond the axis</source>
        <translation>条形：正规数，浅色：次正规数；箭头：超出坐标轴</translation>
    </message>
    <message>
        <source>became 0, clipped</source>
        <translation>变为 0，截断</translation>
    </message>
    <message>
        <source>below</source>
        <translation>低于</translation>
    </message>
    <message>
        <source>bit</source>
        <translation>位</translation>
    </message>
    <message>
        <source>bits of an element + 8 bits of the scale / %1</source>
        <translation>元素的位数 + 缩放因子的 8 位 / %1</translation>
    </message>
    <message>
        <source>bits per number</source>
        <translation>每个数的位数</translation>
    </message>
    <message>
        <source>buffer of a rank</source>
        <translation>每个 rank 的缓冲区</translation>
    </message>
    <message>
        <source>bus bandwidth</source>
        <translation>总线带宽</translation>
    </message>
    <message>
        <source>choose a device</source>
        <translation>选择设备</translation>
    </message>
    <message>
        <source>click a bit to turn it over; arrow keys and Space do the same</source>
        <translation>单击一位即可翻转；方向键和空格键同样可用</translation>
    </message>
    <message>
        <source>click: take it as the expression</source>
        <translation>单击：作为表达式</translation>
    </message>
    <message>
        <source>code</source>
        <translation>编码</translation>
    </message>
    <message>
        <source>collective</source>
        <translation>集合通信</translation>
    </message>
    <message>
        <source>column</source>
        <translation>列</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>contiguous</source>
        <translation>连续</translation>
    </message>
    <message>
        <source>contiguous() pays for the view</source>
        <translation>contiguous() 为视图付出的代价</translation>
    </message>
    <message>
        <source>copies to storage %1%2</source>
        <translation>拷贝到存储 %1%2</translation>
    </message>
    <message>
        <source>cost</source>
        <comment>of a copy</comment>
        <translation>开销</translation>
    </message>
    <message>
        <source>decimal digits</source>
        <translation>十进制位数</translation>
    </message>
    <message>
        <source>dense, but not row-major</source>
        <translation>稠密，但不是行优先</translation>
    </message>
    <message>
        <source>device	%1</source>
        <translation>设备	%1</translation>
    </message>
    <message>
        <source>digits</source>
        <translation>位数</translation>
    </message>
    <message>
        <source>digits: significant bits × log10(2); spacing: to the next number</source>
        <translation>位数：有效位 × log10(2)；间距：到下一个数</translation>
    </message>
    <message>
        <source>element [%1]: %2</source>
        <translation>元素 [%1]：%2</translation>
    </message>
    <message>
        <source>error</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>error %1</source>
        <translation>误差 %1</translation>
    </message>
    <message>
        <source>error %1 · %2</source>
        <translation>误差 %1 · %2</translation>
    </message>
    <message>
        <source>error (RMS)</source>
        <translation>误差（均方根）</translation>
    </message>
    <message>
        <source>errors count from it</source>
        <translation>误差由此算起</translation>
    </message>
    <message>
        <source>every second</source>
        <translation>每秒</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>精确</translation>
    </message>
    <message>
        <source>exact in no binary format</source>
        <translation>任何二进制格式都不能精确表示</translation>
    </message>
    <message>
        <source>exponent</source>
        <translation>指数</translation>
    </message>
    <message>
        <source>exponent bit worth %1
%2</source>
        <translation>指数位，值 %1
%2</translation>
    </message>
    <message>
        <source>expression</source>
        <translation>表达式</translation>
    </message>
    <message>
        <source>fails</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>feature</source>
        <translation>特征</translation>
    </message>
    <message>
        <source>format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>format, code</source>
        <translation>格式、编码</translation>
    </message>
    <message>
        <source>fp64 makes of it %1</source>
        <translation>fp64 将其变为 %1</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>不低于 %1</translation>
    </message>
    <message>
        <source>from %1</source>
        <comment>a rank that sends</comment>
        <translation>来自 %1</translation>
    </message>
    <message>
        <source>from %1 on</source>
        <translation>%1 及以上</translation>
    </message>
    <message>
        <source>from all</source>
        <comment>ranks that send</comment>
        <translation>来自全体</translation>
    </message>
    <message>
        <source>given</source>
        <translation>给定</translation>
    </message>
    <message>
        <source>gradient of %1</source>
        <translation>%1 的梯度</translation>
    </message>
    <message>
        <source>gradient of %1	%2	%3	%4</source>
        <translation>%1 的梯度	%2	%3	%4</translation>
    </message>
    <message>
        <source>head</source>
        <translation>输出头</translation>
    </message>
    <message>
        <source>infinity: fp8 E4M3, fp6 and fp4 have none</source>
        <translation>无穷大：fp8 E4M3、fp6 和 fp4 没有无穷大</translation>
    </message>
    <message>
        <source>is</source>
        <comment>a gradient</comment>
        <translation>表达式</translation>
    </message>
    <message>
        <source>its gradients</source>
        <translation>其梯度</translation>
    </message>
    <message>
        <source>its own bus</source>
        <translation>其自身的总线</translation>
    </message>
    <message>
        <source>largest of %1</source>
        <translation>%1 的最大值</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>第 %1 层</translation>
    </message>
    <message>
        <source>least normal</source>
        <translation>最小正规数</translation>
    </message>
    <message>
        <source>least of %1</source>
        <translation>%1 的最小值</translation>
    </message>
    <message>
        <source>loss scale</source>
        <translation>损失缩放因子</translation>
    </message>
    <message>
        <source>magnitude</source>
        <translation>绝对值</translation>
    </message>
    <message>
        <source>magnitude %1</source>
        <translation>绝对值 %1</translation>
    </message>
    <message>
        <source>mantissa</source>
        <translation>尾数</translation>
    </message>
    <message>
        <source>mantissa bit worth 2^%1 = %2</source>
        <translation>尾数位，值 2^%1 = %2</translation>
    </message>
    <message>
        <source>mantissa bit: not all zeros mean NaN</source>
        <translation>尾数位：不全为零表示 NaN</translation>
    </message>
    <message>
        <source>mean of the cell</source>
        <translation>单元格内的平均值</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>memory</source>
        <comment>of a tensor</comment>
        <translation>内存</translation>
    </message>
    <message>
        <source>memory</source>
        <comment>what bounds an operation</comment>
        <translation>访存</translation>
    </message>
    <message>
        <source>most sent</source>
        <translation>最多发送</translation>
    </message>
    <message>
        <source>near the least subnormal number of fp16</source>
        <translation>接近 fp16 的最小次正规数</translation>
    </message>
    <message>
        <source>needs none</source>
        <translation>不需要</translation>
    </message>
    <message>
        <source>neighbours</source>
        <translation>相邻值</translation>
    </message>
    <message>
        <source>no error</source>
        <translation>没有误差</translation>
    </message>
    <message>
        <source>no scale does</source>
        <translation>没有可用的因子</translation>
    </message>
    <message>
        <source>none: a view</source>
        <translation>无：是视图</translation>
    </message>
    <message>
        <source>normal</source>
        <translation>正态分布</translation>
    </message>
    <message>
        <source>normal and an outlier</source>
        <translation>正态分布加一个离群值</translation>
    </message>
    <message>
        <source>not a number</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>not a number: fp6 and fp4 have none</source>
        <translation>NaN：fp6 和 fp4 没有 NaN</translation>
    </message>
    <message>
        <source>not a shape (%1)</source>
        <translation>不是形状（%1）</translation>
    </message>
    <message>
        <source>not contiguous: it has gaps or repeats</source>
        <translation>不连续：有间隔或重复</translation>
    </message>
    <message>
        <source>not finite</source>
        <translation>非有限值</translation>
    </message>
    <message>
        <source>note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>numbers other than 0 that became 0, and numbers that were cut at the largest one</source>
        <translation>变为 0 的非零数，以及截断到最大值的数</translation>
    </message>
    <message>
        <source>of</source>
        <comment>a gradient</comment>
        <translation>操作数</translation>
    </message>
    <message>
        <source>of</source>
        <comment>an element type</comment>
        <translation>类型</translation>
    </message>
    <message>
        <source>off by</source>
        <translation>偏差</translation>
    </message>
    <message>
        <source>offset</source>
        <translation>偏移</translation>
    </message>
    <message>
        <source>offset + Σ index · stride, in elements; times the size of an element, in bytes</source>
        <translation>偏移 + Σ 下标 · 步幅，以元素计；乘以元素大小，以字节计</translation>
    </message>
    <message>
        <source>one storage, shared by all</source>
        <translation>同一块存储，全部共享</translation>
    </message>
    <message>
        <source>only the strides change; read and written it would be %1</source>
        <translation>只有步幅改变；若读写则为 %1</translation>
    </message>
    <message>
        <source>over</source>
        <comment>a bus</comment>
        <translation>总线</translation>
    </message>
    <message>
        <source>overflow: becomes NaN</source>
        <translation>上溢：变为 NaN</translation>
    </message>
    <message>
        <source>overflow: becomes infinity</source>
        <translation>上溢：变为无穷大</translation>
    </message>
    <message>
        <source>overflow: saturates</source>
        <translation>上溢：饱和</translation>
    </message>
    <message>
        <source>place %1 of the storage: no drawn element of this tensor lies there</source>
        <translation>存储的位置 %1：该处没有已绘出的本张量元素</translation>
    </message>
    <message>
        <source>power of two of the magnitude</source>
        <translation>绝对值的 2 的幂次</translation>
    </message>
    <message>
        <source>powers of two</source>
        <translation>2 的幂</translation>
    </message>
    <message>
        <source>product</source>
        <translation>乘积</translation>
    </message>
    <message>
        <source>range of %1</source>
        <translation>%1 的范围</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>rank %1 to rank %2: %3, %4</source>
        <translation>rank %1 到 rank %2：%3，%4</translation>
    </message>
    <message>
        <source>rank %1, slice %2: addends of %3 of %4 ranks</source>
        <translation>rank %1，分片 %2：已有 %4 个 rank 中 %3 个的加数</translation>
    </message>
    <message>
        <source>recovered</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>relative error</source>
        <translation>相对误差</translation>
    </message>
    <message>
        <source>result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>root mean square of stored − given, over that of the given numbers</source>
        <translation>存储值 − 给定值 的均方根，除以给定值的均方根</translation>
    </message>
    <message>
        <source>rounded</source>
        <translation>舍入</translation>
    </message>
    <message>
        <source>row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>scale</source>
        <translation>缩放因子</translation>
    </message>
    <message>
        <source>shape</source>
        <translation>形状</translation>
    </message>
    <message>
        <source>share of the numbers</source>
        <translation>数的占比</translation>
    </message>
    <message>
        <source>shares storage %1%2</source>
        <translation>共享存储 %1%2</translation>
    </message>
    <message>
        <source>sign</source>
        <translation>符号</translation>
    </message>
    <message>
        <source>sign exponent mantissa</source>
        <translation>符号 指数 尾数</translation>
    </message>
    <message>
        <source>sign, exponent, mantissa</source>
        <translation>符号、指数、尾数</translation>
    </message>
    <message>
        <source>sign: negative</source>
        <translation>符号：负</translation>
    </message>
    <message>
        <source>sign: positive</source>
        <translation>符号：正</translation>
    </message>
    <message>
        <source>size of %1</source>
        <translation>%1 的大小</translation>
    </message>
    <message>
        <source>slice %1</source>
        <translation>分片 %1</translation>
    </message>
    <message>
        <source>spacing</source>
        <translation>间距</translation>
    </message>
    <message>
        <source>step</source>
        <comment>done to a tensor</comment>
        <translation>步骤</translation>
    </message>
    <message>
        <source>step	%1	%2	%3</source>
        <translation>步骤	%1	%2	%3</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>第 %1 步，共 %2 步</translation>
    </message>
    <message>
        <source>steps</source>
        <comment>of a collective</comment>
        <translation>步数</translation>
    </message>
    <message>
        <source>storage %1, %2</source>
        <translation>存储 %1，%2</translation>
    </message>
    <message>
        <source>storage %1: %2 elements in a line of memory%3</source>
        <translation>存储 %1：内存中的一行 %2 个元素%3</translation>
    </message>
    <message>
        <source>stored</source>
        <translation>存储值</translation>
    </message>
    <message>
        <source>stored − given, and that as a share of the given number</source>
        <translation>存储值 − 给定值，及其占给定值的比例</translation>
    </message>
    <message>
        <source>stored, error</source>
        <translation>存储值、误差</translation>
    </message>
    <message>
        <source>strides</source>
        <translation>步幅</translation>
    </message>
    <message>
        <source>subnormal</source>
        <translation>次正规数</translation>
    </message>
    <message>
        <source>subnormal: fewer bits</source>
        <translation>次正规数：位数较少</translation>
    </message>
    <message>
        <source>task</source>
        <translation>任务</translation>
    </message>
    <message>
        <source>tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>the engine's processor</source>
        <translation>引擎的处理器</translation>
    </message>
    <message>
        <source>the first %1 of %2 elements are drawn</source>
        <translation>绘出 %2 个元素中的前 %1 个</translation>
    </message>
    <message>
        <source>the first %1 of %2 places of the storage</source>
        <translation>存储的 %2 个位置中的前 %1 个</translation>
    </message>
    <message>
        <source>the first whole number that bf16 does not have</source>
        <translation>bf16 不能表示的第一个整数</translation>
    </message>
    <message>
        <source>the first whole number that fp32 does not have</source>
        <translation>fp32 不能表示的第一个整数</translation>
    </message>
    <message>
        <source>the ladder of examples</source>
        <translation>强度递增的示例</translation>
    </message>
    <message>
        <source>the larger of %1 of arithmetic and %2 of memory</source>
        <translation>运算 %1 与访存 %2 中的较大者</translation>
    </message>
    <message>
        <source>the largest number of fp16</source>
        <translation>fp16 的最大数</translation>
    </message>
    <message>
        <source>the largest number of fp8 E4M3</source>
        <translation>fp8 E4M3 的最大数</translation>
    </message>
    <message>
        <source>the next larger number: %1</source>
        <translation>下一个更大的数：%1</translation>
    </message>
    <message>
        <source>the next smaller number: %1</source>
        <translation>下一个更小的数：%1</translation>
    </message>
    <message>
        <source>the same colour and number: the same place in memory</source>
        <translation>颜色和编号相同：内存中的同一位置</translation>
    </message>
    <message>
        <source>the same tensor</source>
        <translation>同一张量</translation>
    </message>
    <message>
        <source>the whole buffer</source>
        <translation>整个缓冲区</translation>
    </message>
    <message>
        <source>this expression</source>
        <translation>该表达式</translation>
    </message>
    <message>
        <source>time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>time</source>
        <comment>of a collective</comment>
        <translation>时间</translation>
    </message>
    <message>
        <source>to 0</source>
        <translation>变为 0</translation>
    </message>
    <message>
        <source>too large</source>
        <translation>过大</translation>
    </message>
    <message>
        <source>underflow: becomes 0</source>
        <translation>下溢：变为 0</translation>
    </message>
    <message>
        <source>up to %1</source>
        <translation>不超过 %1</translation>
    </message>
    <message>
        <source>values</source>
        <translation>值</translation>
    </message>
    <message>
        <source>way</source>
        <translation>做法</translation>
    </message>
    <message>
        <source>what happened</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>write whole numbers between commas, such as 4, 6</source>
        <translation>请写成以逗号分隔的整数，例如 4, 6</translation>
    </message>
    <message>
        <source>written into storage %1%2</source>
        <translation>写入存储 %1%2</translation>
    </message>
    <message>
        <source>▲ %1</source>
        <translation>▲ %1</translation>
    </message>
    <message>
        <source>▼ %1</source>
        <translation>▼ %1</translation>
    </message>
</context>
</TS>
