<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source> · %1</source>
        <translation> · %1</translation>
    </message>
    <message>
        <source> · does not fit the %1 of a device</source>
        <translation> · 放不进设备的 %1</translation>
    </message>
    <message>
        <source> · fits the %1 of a device</source>
        <translation> · 可放入设备的 %1</translation>
    </message>
    <message>
        <source> · printed: %1</source>
        <translation> · 原文给出：%1</translation>
    </message>
    <message>
        <source>$/h</source>
        <translation>$/小时</translation>
    </message>
    <message>
        <source>%1
%2</source>
        <translation>%1
%2</translation>
    </message>
    <message>
        <source>%1
from %2 to %3</source>
        <translation>%1
从 %2 到 %3</translation>
    </message>
    <message>
        <source>%1 %2 gives %3</source>
        <translation>%1 %2 得到 %3</translation>
    </message>
    <message>
        <source>%1 (%2), %3</source>
        <translation>%1（%2），%3</translation>
    </message>
    <message>
        <source>%1 (does not fit)</source>
        <translation>%1（放不下）</translation>
    </message>
    <message>
        <source>%1 (of the plan)</source>
        <translation>%1（取自规划）</translation>
    </message>
    <message>
        <source>%1 (this machine)</source>
        <translation>%1（本机）</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 和 %2</translation>
    </message>
    <message>
        <source>%1 by %2</source>
        <translation>%1随“%2”的变化</translation>
    </message>
    <message>
        <source>%1 devices, %2 in a node · %3</source>
        <translation>%1 个设备，每节点 %2 个 · %3</translation>
    </message>
    <message>
        <source>%1 for %2 samples</source>
        <translation>%1，共 %2 个样本</translation>
    </message>
    <message>
        <source>%1 for %2 tokens</source>
        <translation>%1，共 %2 个 token</translation>
    </message>
    <message>
        <source>%1 for the next token of every request</source>
        <translation>%1，为每个请求的下一个 token</translation>
    </message>
    <message>
        <source>%1 listed · %2 outside their range · %3 without a prediction</source>
        <translation>列出 %1 项 · %2 项超出其范围 · %3 项没有预测</translation>
    </message>
    <message>
        <source>%1 over %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 over %2, the first input of the map</source>
        <translation>%1随热图的第一个输入“%2”的变化</translation>
    </message>
    <message>
        <source>%1 parameters · %2</source>
        <translation>%1 个参数 · %2</translation>
    </message>
    <message>
        <source>%1 to %2 · %3</source>
        <translation>%1 至 %2 · %3</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个 token</translation>
    </message>
    <message>
        <source>%1 tokens · batch %2 · micro-batch %3</source>
        <translation>%1 个 token · 批大小 %2 · 微批大小 %3</translation>
    </message>
    <message>
        <source>%1 tokens, a batch of %2 sequences on each.</source>
        <translation>%1 个 token，每个设备一批 %2 个序列。</translation>
    </message>
    <message>
        <source>%1 tokens.</source>
        <translation>%1 个 token。</translation>
    </message>
    <message>
        <source>%1 trainings. Arrow keys go from one to the next by what was published, Enter plans with it.</source>
        <translation>%1 次训练。方向键按发表值依次移动，Enter 以其进行规划。</translation>
    </message>
    <message>
        <source>%1 when one input moves</source>
        <translation>%1随单个输入的变化</translation>
    </message>
    <message>
        <source>%1 with %2</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1 · %2 parameters</source>
        <translation>%1 · %2 个参数</translation>
    </message>
    <message>
        <source>%1 · %2 · HFU %3 %</source>
        <translation>%1 · %2 · HFU %3 %</translation>
    </message>
    <message>
        <source>%1 · line: equal · band: ±%2</source>
        <translation>%1 · 直线：相等 · 色带：±%2</translation>
    </message>
    <message>
        <source>%1 · range %2 to %3</source>
        <translation>%1 · 范围 %2 至 %3</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <translation>%1 – %2</translation>
    </message>
    <message>
        <source>%1, %2 · %3</source>
        <translation>%1，%2 · %3</translation>
    </message>
    <message>
        <source>%1, changed</source>
        <translation>%1，已更改</translation>
    </message>
    <message>
        <source>%1, does not fit</source>
        <translation>%1，放不下</translation>
    </message>
    <message>
        <source>%1, of %2 of the layers</source>
        <translation>%1，占 %2 的层</translation>
    </message>
    <message>
        <source>%1: %2 (%3 exposed of %4), %5</source>
        <translation>%1：%2（共 %4，其中未被掩盖 %3），%5</translation>
    </message>
    <message>
        <source>%1: %2 (%3 to %4)</source>
        <translation>%1：%2（%3 至 %4）</translation>
    </message>
    <message>
        <source>%1: fitted %2, validated only %3%4</source>
        <translation>%1：参与拟合 %2，仅作验证 %3%4</translation>
    </message>
    <message>
        <source>90 %</source>
        <translation>90 %</translation>
    </message>
    <message>
        <source>90 % within</source>
        <translation>90 % 的误差小于</translation>
    </message>
    <message>
        <source>A mere number of parameters has no operations to time; there is a map of its memory</source>
        <translation>只有参数量时没有可计时的算子；可以绘制其显存的热图</translation>
    </message>
    <message>
        <source>A number of parameters</source>
        <translation>仅参数量</translation>
    </message>
    <message>
        <source>Adapters beside frozen matrices</source>
        <translation>冻结矩阵旁的适配器</translation>
    </message>
    <message>
        <source>Adapters beside matrices that are kept in 4 bits</source>
        <translation>以 4 位保存的矩阵旁的适配器</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Add devices to see on which of them the training is cheaper.</source>
        <translation>添加设备，查看在哪种设备上训练更便宜。</translation>
    </message>
    <message>
        <source>Adds these devices, or gives those that are listed this price</source>
        <translation>添加这些设备，或为已列出的设备设定此价格</translation>
    </message>
    <message>
        <source>All device records; add your own</source>
        <translation>全部设备记录；可添加自定义记录</translation>
    </message>
    <message>
        <source>Assumed</source>
        <translation>假设取值</translation>
    </message>
    <message>
        <source>Assumptions and facts</source>
        <translation>假设与事实</translation>
    </message>
    <message>
        <source>Assumptions are moved to their ends, choices and facts by 10 %</source>
        <translation>各假设取其两端，选择和事实变动 10 %</translation>
    </message>
    <message>
        <source>Bias</source>
        <translation>偏差</translation>
    </message>
    <message>
        <source>CSV…</source>
        <translation>CSV…</translation>
    </message>
    <message>
        <source>Cancelled: change an input to try again</source>
        <translation>已取消：更改一个输入即可重试</translation>
    </message>
    <message>
        <source>Cancelled: change an input to try again.</source>
        <translation>已取消：更改一个输入即可重试。</translation>
    </message>
    <message>
        <source>Cannot run so: %1</source>
        <translation>无法这样运行：%1</translation>
    </message>
    <message>
        <source>Changes the chosen input until the answer is what you want</source>
        <translation>改变所选的输入，直到答案符合要求</translation>
    </message>
    <message>
        <source>Choose a device.</source>
        <translation>请选择设备。</translation>
    </message>
    <message>
        <source>Chosen: %1, error %2. </source>
        <translation>已选：%1，误差 %2。 </translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Clear %1</source>
        <translation>清除 %1</translation>
    </message>
    <message>
        <source>Clear the filters</source>
        <translation>清除筛选</translation>
    </message>
    <message>
        <source>Comma-separated values (*.csv)</source>
        <translation>逗号分隔值 (*.csv)</translation>
    </message>
    <message>
        <source>Comparing the devices…</source>
        <translation>正在对比设备…</translation>
    </message>
    <message>
        <source>Copies the answer and every number behind it as JSON</source>
        <translation>将答案及其背后的所有数字复制为 JSON</translation>
    </message>
    <message>
        <source>Copies the answer, its formula and its numbers as text</source>
        <translation>将答案、公式和数字复制为文本</translation>
    </message>
    <message>
        <source>Copy JSON</source>
        <translation>复制 JSON</translation>
    </message>
    <message>
        <source>Copy the rows that are listed as text</source>
        <translation>将列出的行复制为文本</translation>
    </message>
    <message>
        <source>Copy this table as text</source>
        <translation>将该表复制为文本</translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>费用</translation>
    </message>
    <message>
        <source>Deep linear, of the run panel</source>
        <translation>深层线性网络，取自运行面板</translation>
    </message>
    <message>
        <source>Devices and data</source>
        <translation>设备与数据</translation>
    </message>
    <message>
        <source>Devices that finish within the time that is given; –: none that can share the batch.</source>
        <translation>在给定时间内完成训练所需的设备数；–：没有能分摊该批的设备数。</translation>
    </message>
    <message>
        <source>Devices that share each layer's matrix products.</source>
        <translation>共同计算每层矩阵乘法的设备数。</translation>
    </message>
    <message>
        <source>Devices that share the experts of a layer.</source>
        <translation>分担一层中各专家的设备数。</translation>
    </message>
    <message>
        <source>Devices that share the tokens of a sequence.</source>
        <translation>分担一个序列中各 token 的设备数。</translation>
    </message>
    <message>
        <source>Devices whose memory together has room for weights, gradients and optimizer states.</source>
        <translation>显存合计足以容纳权重、梯度和优化器状态的设备数。</translation>
    </message>
    <message>
        <source>Each dot is a training that others measured and published, beside what the planner says of it. Click a dot or a row for all that is known of it; Enter plans with it.</source>
        <translation>每个点是一次由他人测得并发表的训练，与规划器的结果并列。单击点或行可查看其全部信息；Enter 以其进行规划。</translation>
    </message>
    <message>
        <source>Edit…</source>
        <translation>编辑…</translation>
    </message>
    <message>
        <source>Enter or a double click looks at this part alone</source>
        <translation>Enter 或双击可单独查看该部分</translation>
    </message>
    <message>
        <source>Enter or a double click takes a device. ×: the training does not fit as it is spread. Balance: FLOP per byte at which its matrix products stop being limited by memory.</source>
        <translation>Enter 或双击采用一个设备。×：按此并行方式训练放不下。平衡点：矩阵乘法不再受访存限制时的每字节 FLOP。</translation>
    </message>
    <message>
        <source>Enter or a double click takes a row, Delete removes it.</source>
        <translation>Enter 或双击采用一行，Delete 移除该行。</translation>
    </message>
    <message>
        <source>Enter or a double click takes a row.</source>
        <translation>Enter 或双击采用一行。</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>误差</translation>
    </message>
    <message>
        <source>Every assumption at its favourable end, and every one at its unfavourable end</source>
        <translation>所有假设均取有利端，以及所有假设均取不利端</translation>
    </message>
    <message>
        <source>Every device</source>
        <translation>每种设备</translation>
    </message>
    <message>
        <source>Evidence</source>
        <translation>实证</translation>
    </message>
    <message>
        <source>FLOPs of the model in a step / (step time × peak of all devices).</source>
        <translation>一步中模型的 FLOP /（步耗时 × 所有设备的峰值）。</translation>
    </message>
    <message>
        <source>Faster with %1 (%2), but that %3.</source>
        <translation>采用 %1 会更快（%2），但%3。</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Filled: priors were fitted on its source; hollow: nothing was</source>
        <translation>实心：先验参数以其来源拟合；空心：没有用于拟合</translation>
    </message>
    <message>
        <source>Filled: priors were fitted on the source; hollow: nothing was. Above the line: predicted %1. Control and the wheel zoom, 0 shows all.</source>
        <translation>实心：先验参数以该来源拟合；空心：没有用于拟合。直线上方：预测%1。Ctrl 加滚轮缩放，0 显示全部。</translation>
    </message>
    <message>
        <source>Framework</source>
        <translation>框架</translation>
    </message>
    <message>
        <source>From one optimizer step to the next.</source>
        <translation>从一个优化器步到下一个的时间。</translation>
    </message>
    <message>
        <source>Frozen</source>
        <translation>冻结</translation>
    </message>
    <message>
        <source>Half of the errors |predicted / published − 1| are smaller</source>
        <translation>一半的误差 |预测 / 发表 − 1| 小于此值</translation>
    </message>
    <message>
        <source>Histogram of %1 trainings; mean of those that nothing was fitted on: %2</source>
        <translation>%1 次训练的直方图；其中未用于拟合者的均值：%2</translation>
    </message>
    <message>
        <source>How far are predictions from what others measured?</source>
        <translation>预测与他人测得的结果相差多少？</translation>
    </message>
    <message>
        <source>How far off the trainings are</source>
        <translation>各训练的偏差</translation>
    </message>
    <message>
        <source>How fast does a server answer requests?</source>
        <translation>服务器应答请求有多快？</translation>
    </message>
    <message>
        <source>How long does one step take?</source>
        <translation>一步需要多长时间？</translation>
    </message>
    <message>
        <source>How long does the training take?</source>
        <translation>训练需要多长时间？</translation>
    </message>
    <message>
        <source>How many, and which.</source>
        <translation>设备的数量和型号。</translation>
    </message>
    <message>
        <source>How much memory does each device need?</source>
        <translation>每个设备需要多少显存？</translation>
    </message>
    <message>
        <source>How the work is spread</source>
        <translation>工作如何分布</translation>
    </message>
    <message>
        <source>How the work is spread over them.</source>
        <translation>工作在这些设备上如何分布。</translation>
    </message>
    <message>
        <source>How to read it</source>
        <translation>如何解读</translation>
    </message>
    <message>
        <source>How well does a measured run use its devices?</source>
        <translation>一次实测的运行对设备的利用率如何？</translation>
    </message>
    <message>
        <source>In the host's memory</source>
        <translation>位于主机内存</translation>
    </message>
    <message>
        <source>Input to the right</source>
        <translation>横轴输入</translation>
    </message>
    <message>
        <source>Input upwards</source>
        <translation>纵轴输入</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>Largest batch of a device: %1.</source>
        <translation>每个设备的最大批大小：%1。</translation>
    </message>
    <message>
        <source>Largest micro-batch by recomputation: %1.</source>
        <translation>各重计算方式下的最大微批大小：%1。</translation>
    </message>
    <message>
        <source>Layout</source>
        <translation>并行布局</translation>
    </message>
    <message>
        <source>List them with the reason</source>
        <translation>列出它们及原因</translation>
    </message>
    <message>
        <source>LoRA</source>
        <translation>LoRA</translation>
    </message>
    <message>
        <source>Load config.json…</source>
        <translation>加载 config.json…</translation>
    </message>
    <message>
        <source>MFU %1 %</source>
        <translation>MFU %1 %</translation>
    </message>
    <message>
        <source>MFU %1 % (%2 % without masked pairs)</source>
        <translation>MFU %1 %（不计被掩码的对为 %2 %）</translation>
    </message>
    <message>
        <source>Make it fit</source>
        <translation>使其放得下</translation>
    </message>
    <message>
        <source>Map</source>
        <translation>热图</translation>
    </message>
    <message>
        <source>Map over two inputs</source>
        <translation>两个输入的热图</translation>
    </message>
    <message>
        <source>Matrices with an adapter: some of q, k, v, o, gate, up, down, or all-linear</source>
        <translation>带适配器的矩阵：q、k、v、o、gate、up、down 中的若干个，或 all-linear</translation>
    </message>
    <message>
        <source>Mean of ln(predicted / published): above 0 predicted too much</source>
        <translation>ln(预测 / 发表) 的均值：大于 0 表示预测偏大</translation>
    </message>
    <message>
        <source>Mean of ln(predicted / published): above 0 predicted too slow</source>
        <translation>ln(预测 / 发表) 的均值：大于 0 表示预测偏慢</translation>
    </message>
    <message>
        <source>Mean of ln(predicted / published): above 0 predicted too slow, or too much memory</source>
        <translation>ln(预测 / 发表) 的均值：大于 0 表示预测偏慢，或显存偏大</translation>
    </message>
    <message>
        <source>Median error</source>
        <translation>误差中位数</translation>
    </message>
    <message>
        <source>Memory per device</source>
        <translation>每设备显存</translation>
    </message>
    <message>
        <source>Memory, published</source>
        <translation>显存，发表值</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>More than %1 are not compared: remove one first</source>
        <translation>最多对比 %1 种：请先移除一种</translation>
    </message>
    <message>
        <source>Name of its data sheet.</source>
        <translation>其规格表的名称。</translation>
    </message>
    <message>
        <source>Nine of ten errors are smaller</source>
        <translation>十分之九的误差小于此值</translation>
    </message>
    <message>
        <source>No input has an effect on this answer</source>
        <translation>没有输入对该答案有影响</translation>
    </message>
    <message>
        <source>No prediction</source>
        <translation>没有预测</translation>
    </message>
    <message>
        <source>No training with a prediction is left: clear the filters</source>
        <translation>没有剩下带预测的训练：请清除筛选</translation>
    </message>
    <message>
        <source>Norms and dropouts are split over the tensor-parallel devices as well</source>
        <translation>归一化和 dropout 也在张量并行的设备之间切分</translation>
    </message>
    <message>
        <source>Number of devices</source>
        <translation>设备数</translation>
    </message>
    <message>
        <source>Of the training, by the power of the data sheet.</source>
        <translation>整个训练的能耗，按规格表的功率计算。</translation>
    </message>
    <message>
        <source>Opens a plan: everything that goes in, from a file</source>
        <translation>打开规划：从文件读取全部输入</translation>
    </message>
    <message>
        <source>Open…</source>
        <translation>打开…</translation>
    </message>
    <message>
        <source>Optimum</source>
        <translation>最优</translation>
    </message>
    <message>
        <source>Over one input</source>
        <translation>随单个输入</translation>
    </message>
    <message>
        <source>Parts of the model that a device of the pipeline has; more than one: they are interleaved.</source>
        <translation>流水线中一台设备所含模型分块的数量；多于一个时交错执行。</translation>
    </message>
    <message>
        <source>Peak / memory bandwidth: work of less intensity is limited by memory.</source>
        <translation>峰值 / 内存带宽：强度低于此值的工作受限于访存。</translation>
    </message>
    <message>
        <source>Plan with it</source>
        <translation>以其规划</translation>
    </message>
    <message>
        <source>Planner</source>
        <translation>规划器</translation>
    </message>
    <message>
        <source>Plans side by side: %1</source>
        <translation>并列的规划：%1</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>Predicted against published</source>
        <translation>预测与发表值</translation>
    </message>
    <message>
        <source>Price of a device hour in dollars</source>
        <translation>每设备小时的价格，美元</translation>
    </message>
    <message>
        <source>Price of one device for an hour, as it was given or as its data sheet says.</source>
        <translation>一台设备每小时的价格，取给定值或规格表的值。</translation>
    </message>
    <message>
        <source>Price of the devices over that time.</source>
        <translation>这些设备在该时间内的费用。</translation>
    </message>
    <message>
        <source>Priors were fitted on the sources of filled dots. Nothing was ever fitted on hollow ones: how far off those are is how far off a plan of yours may be.</source>
        <translation>先验参数以实心点的来源拟合。空心点从未用于拟合：它们的偏差有多大，自己的规划就可能有多大偏差。</translation>
    </message>
    <message>
        <source>Puts every assumption and every fact back to its default</source>
        <translation>将所有假设和事实恢复为默认值</translation>
    </message>
    <message>
        <source>Puts the training into the planner, as one step to undo (Enter)</source>
        <translation>将该训练放入规划器，可作为一步撤销（Enter）</translation>
    </message>
    <message>
        <source>PyTorch, compiled</source>
        <translation>PyTorch，编译</translation>
    </message>
    <message>
        <source>PyTorch, eager</source>
        <translation>PyTorch，即时执行</translation>
    </message>
    <message>
        <source>QLoRA</source>
        <translation>QLoRA</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Range holds</source>
        <translation>范围命中率</translation>
    </message>
    <message>
        <source>Read in</source>
        <translation>已读取</translation>
    </message>
    <message>
        <source>Recipe</source>
        <translation>配方</translation>
    </message>
    <message>
        <source>Recomputation</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>Recompute</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>Removes the row that is selected</source>
        <translation>移除选中的行</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>全部重置</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>Rows without a prediction, which are in no figure</source>
        <translation>没有预测的行，不计入任何指标</translation>
    </message>
    <message>
        <source>Saves everything that goes in as a plan</source>
        <translation>将全部输入保存为规划</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Search: model, framework, fp8…</source>
        <translation>搜索：模型、框架、fp8…</translation>
    </message>
    <message>
        <source>Sequence</source>
        <translation>序列</translation>
    </message>
    <message>
        <source>Sequence parallel</source>
        <translation>序列并行</translation>
    </message>
    <message>
        <source>Sequences that go through the devices at once.</source>
        <translation>一次送入设备的序列数。</translation>
    </message>
    <message>
        <source>Serving</source>
        <translation>推理服务</translation>
    </message>
    <message>
        <source>Sharding</source>
        <translation>分片</translation>
    </message>
    <message>
        <source>Share of the published figures that lie in the predicted range, which is meant to hold eight of ten: the tick</source>
        <translation>发表值落在预测范围内的比例；目标是十个中有八个落在其中，见刻度</translation>
    </message>
    <message>
        <source>Share of the published trainings that are worked out</source>
        <translation>已计算的发表训练的比例</translation>
    </message>
    <message>
        <source>Software</source>
        <translation>软件</translation>
    </message>
    <message>
        <source>Solve</source>
        <translation>求解</translation>
    </message>
    <message>
        <source>Solve for</source>
        <translation>求解对象</translation>
    </message>
    <message>
        <source>Sources that nothing was ever fitted on</source>
        <translation>未用于任何拟合的来源</translation>
    </message>
    <message>
        <source>Sources that the planner's priors were fitted on</source>
        <translation>规划器的先验参数拟合所用的来源</translation>
    </message>
    <message>
        <source>Stages that the layers are cut into, a device or several each.</source>
        <translation>各层划分成的级数，每级一台或多台设备。</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Step, published</source>
        <translation>步，发表值</translation>
    </message>
    <message>
        <source>Stopped at %1. %2</source>
        <translation>已停在 %1。%2</translation>
    </message>
    <message>
        <source>Stops trying the devices; the answer stays</source>
        <translation>停止尝试各设备；答案保留</translation>
    </message>
    <message>
        <source>Stops working out the pictures; the answer stays</source>
        <translation>停止计算图形；答案保留</translation>
    </message>
    <message>
        <source>Taken for it</source>
        <translation>所用取值</translation>
    </message>
    <message>
        <source>Targets</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>The line is the expected answer, dotted its ends; hollow points do not fit</source>
        <translation>实线为预期答案，点线为其两端；空心点表示放不下</translation>
    </message>
    <message>
        <source>The model's own parameters, but for what is frozen</source>
        <translation>模型自身的参数，不含冻结的部分</translation>
    </message>
    <message>
        <source>The planner is asked every training that others measured and published.</source>
        <translation>规划器会预测每一次由他人测得并发表的训练。</translation>
    </message>
    <message>
        <source>The published trainings cannot be read: %1</source>
        <translation>无法读取发表的训练：%1</translation>
    </message>
    <message>
        <source>The training</source>
        <translation>该训练</translation>
    </message>
    <message>
        <source>There is no answer over this input</source>
        <translation>该输入下没有答案</translation>
    </message>
    <message>
        <source>There is no answer to vary yet</source>
        <translation>尚无可变动的答案</translation>
    </message>
    <message>
        <source>There is no training with a prediction</source>
        <translation>没有带预测的训练</translation>
    </message>
    <message>
        <source>There is nothing to spread</source>
        <translation>没有可分布的内容</translation>
    </message>
    <message>
        <source>This device is not known here any more</source>
        <translation>此处已不存在该设备</translation>
    </message>
    <message>
        <source>Those that are not predicted, with the reason</source>
        <translation>没有预测的训练，附原因</translation>
    </message>
    <message>
        <source>Those whose published figure lies outside the predicted range</source>
        <translation>发表值落在预测范围之外的训练</translation>
    </message>
    <message>
        <source>Time against memory</source>
        <translation>时间与显存</translation>
    </message>
    <message>
        <source>Time of one step</source>
        <translation>一步的时间</translation>
    </message>
    <message>
        <source>Time of the training in the fastest way that fits.</source>
        <translation>以放得下的最快方式训练所需的时间。</translation>
    </message>
    <message>
        <source>Time of the training on as many of them as are planned; ×: it does not fit.</source>
        <translation>用所规划数量的该设备训练所需的时间；×：放不下。</translation>
    </message>
    <message>
        <source>Trained</source>
        <translation>参与训练</translation>
    </message>
    <message>
        <source>Trainings</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Trying the combinations…</source>
        <translation>正在尝试各种组合…</translation>
    </message>
    <message>
        <source>Unknown to solve for</source>
        <translation>求解的未知量</translation>
    </message>
    <message>
        <source>Use of the source</source>
        <translation>来源的用途</translation>
    </message>
    <message>
        <source>Utilisation</source>
        <translation>利用率</translation>
    </message>
    <message>
        <source>Wanted answer</source>
        <translation>期望的答案</translation>
    </message>
    <message>
        <source>Ways to spread the work</source>
        <translation>工作的分布方式</translation>
    </message>
    <message>
        <source>What ZeRO or FSDP divides over the devices: optimizer states, gradients, weights.</source>
        <translation>ZeRO 或 FSDP 在设备间划分的内容：优化器状态、梯度、权重。</translation>
    </message>
    <message>
        <source>What another way has over it; none of the first.</source>
        <translation>其他方式优于它之处；首行没有。</translation>
    </message>
    <message>
        <source>What colours tell apart</source>
        <translation>颜色所区分的内容</translation>
    </message>
    <message>
        <source>What comes of it</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>What does each device need for it?</source>
        <translation>每种设备为此需要多少？</translation>
    </message>
    <message>
        <source>What does the training cost?</source>
        <translation>训练的费用是多少？</translation>
    </message>
    <message>
        <source>What goes in</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>What goes in, what differs first</source>
        <translation>输入，差异在前</translation>
    </message>
    <message>
        <source>What is compute-optimal for the budget?</source>
        <translation>给定预算下，计算最优的模型和数据量是多少？</translation>
    </message>
    <message>
        <source>What is not trained: some of embeddings, attention, feed-forward, experts, router, norms, head, layers:0-11</source>
        <translation>不参与训练的部分：embeddings、attention、feed-forward、experts、router、norms、head、layers:0-11 中的若干个</translation>
    </message>
    <message>
        <source>What is the largest model that fits?</source>
        <translation>能放下的最大模型是什么？</translation>
    </message>
    <message>
        <source>What loss do published laws expect?</source>
        <translation>已发表的缩放定律预期损失是多少？</translation>
    </message>
    <message>
        <source>What matters most</source>
        <translation>影响最大的因素</translation>
    </message>
    <message>
        <source>What one device needs at the peak of a step.</source>
        <translation>一步的峰值时一台设备所需的显存。</translation>
    </message>
    <message>
        <source>What runs the training: how many passes it makes, and what of the speed of its kernels it sustains, as published trainings show</source>
        <translation>运行训练的软件：它做多少遍访存，能保持其内核速度的多大比例，依据已发表的训练</translation>
    </message>
    <message>
        <source>What the map shows</source>
        <translation>热图所显示的内容</translation>
    </message>
    <message>
        <source>What the trainings are divided by</source>
        <translation>训练的划分依据</translation>
    </message>
    <message>
        <source>Where it stands against the best of them.</source>
        <translation>与其中最佳者相比的名次。</translation>
    </message>
    <message>
        <source>Whether a device has the memory for its part.</source>
        <translation>一台设备的显存是否容得下它的部分。</translation>
    </message>
    <message>
        <source>Whether there is a way to spread the training over them that fits in memory.</source>
        <translation>是否有一种显存放得下的方式把训练分布到这些设备上。</translation>
    </message>
    <message>
        <source>Which activations the backward pass computes again.</source>
        <translation>反向过程重新计算哪些激活。</translation>
    </message>
    <message>
        <source>Which batch, policy and sharding make it fit?</source>
        <translation>怎样的批、重计算和分片能使其放得下？</translation>
    </message>
    <message>
        <source>Which of these is cheaper?</source>
        <translation>其中哪种更便宜？</translation>
    </message>
    <message>
        <source>Which trainings are listed</source>
        <translation>列出哪些训练</translation>
    </message>
    <message>
        <source>Why it cannot be used, where it cannot.</source>
        <translation>不能使用时的原因。</translation>
    </message>
    <message>
        <source>Why it stands where it stands, or why there is no plan for it.</source>
        <translation>排在此位的原因，或没有规划的原因。</translation>
    </message>
    <message>
        <source>With a prediction and a published figure</source>
        <translation>有预测和发表值</translation>
    </message>
    <message>
        <source>Without a prediction</source>
        <translation>没有预测</translation>
    </message>
    <message>
        <source>Work it out</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>Worked out again too</source>
        <translation>同时重新计算</translation>
    </message>
    <message>
        <source>Working it out…</source>
        <translation>正在计算…</translation>
    </message>
    <message>
        <source>Working out published trainings…</source>
        <translation>正在计算发表的训练…</translation>
    </message>
    <message>
        <source>Write the rows that the filters leave as CSV</source>
        <translation>将筛选后的行写为 CSV</translation>
    </message>
    <message>
        <source>Write the trainings as CSV</source>
        <translation>将训练写为 CSV</translation>
    </message>
    <message>
        <source>XLA (JAX)</source>
        <translation>XLA（JAX）</translation>
    </message>
    <message>
        <source>ZeRO-%1</source>
        <translation>ZeRO-%1</translation>
    </message>
    <message>
        <source>ZeRO-%1 by %2</source>
        <translation>ZeRO-%1，%2 路</translation>
    </message>
    <message>
        <source>ZeRO-1: states</source>
        <translation>ZeRO-1：优化器状态</translation>
    </message>
    <message>
        <source>ZeRO-2: and gradients</source>
        <translation>ZeRO-2：及梯度</translation>
    </message>
    <message>
        <source>ZeRO-3, FSDP: and weights</source>
        <translation>ZeRO-3、FSDP：及权重</translation>
    </message>
    <message>
        <source>above %1</source>
        <translation>高于 %1</translation>
    </message>
    <message>
        <source>adding of devices to compare</source>
        <translation>添加要对比的设备</translation>
    </message>
    <message>
        <source>and</source>
        <translation>纵轴</translation>
    </message>
    <message>
        <source>as the run panel trains it</source>
        <translation>与运行面板的训练方式相同</translation>
    </message>
    <message>
        <source>at $/h</source>
        <translation>单价（$/小时）</translation>
    </message>
    <message>
        <source>attention scores</source>
        <translation>注意力分数</translation>
    </message>
    <message>
        <source>balance</source>
        <translation>平衡点</translation>
    </message>
    <message>
        <source>below %1</source>
        <translation>低于 %1</translation>
    </message>
    <message>
        <source>between products (per op)</source>
        <translation>矩阵乘法之间（逐算子）</translation>
    </message>
    <message>
        <source>bias</source>
        <translation>偏差</translation>
    </message>
    <message>
        <source>bias %1</source>
        <translation>偏差 %1</translation>
    </message>
    <message>
        <source>capacity %1</source>
        <translation>容量 %1</translation>
    </message>
    <message>
        <source>change of %1</source>
        <translation>更改%1</translation>
    </message>
    <message>
        <source>change of the device</source>
        <translation>更改设备</translation>
    </message>
    <message>
        <source>change of the devices</source>
        <translation>更改设备</translation>
    </message>
    <message>
        <source>change of the layout</source>
        <translation>更改并行布局</translation>
    </message>
    <message>
        <source>change of the map</source>
        <translation>更改热图</translation>
    </message>
    <message>
        <source>change of the model</source>
        <translation>更改模型</translation>
    </message>
    <message>
        <source>change of the recipe</source>
        <translation>更改配方</translation>
    </message>
    <message>
        <source>change of the recomputation</source>
        <translation>更改重计算</translation>
    </message>
    <message>
        <source>change of the sharding</source>
        <translation>更改分片</translation>
    </message>
    <message>
        <source>change of the software</source>
        <translation>更改软件</translation>
    </message>
    <message>
        <source>change of what is trained</source>
        <translation>更改参与训练的部分</translation>
    </message>
    <message>
        <source>change of what lies in the host's memory</source>
        <translation>更改位于主机内存的部分</translation>
    </message>
    <message>
        <source>choices of %1</source>
        <translation>采用 %1 的选择</translation>
    </message>
    <message>
        <source>chunks</source>
        <translation>分块</translation>
    </message>
    <message>
        <source>click takes these values</source>
        <translation>单击采用这些值</translation>
    </message>
    <message>
        <source>context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>conventions: %1</source>
        <translation>约定：%1</translation>
    </message>
    <message>
        <source>cost</source>
        <translation>费用</translation>
    </message>
    <message>
        <source>devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>does not fit</source>
        <translation>放不下</translation>
    </message>
    <message>
        <source>each device</source>
        <translation>每个设备</translation>
    </message>
    <message>
        <source>energy</source>
        <translation>能耗</translation>
    </message>
    <message>
        <source>every device</source>
        <translation>每种设备</translation>
    </message>
    <message>
        <source>every second product (2nd op)</source>
        <translation>每隔一个矩阵乘法（第 2 个算子）</translation>
    </message>
    <message>
        <source>every source</source>
        <translation>每个来源</translation>
    </message>
    <message>
        <source>expert</source>
        <translation>专家</translation>
    </message>
    <message>
        <source>exposed communication</source>
        <translation>未被掩盖的通信</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>fitted</source>
        <translation>拟合</translation>
    </message>
    <message>
        <source>for the slowest of many nodes</source>
        <translation>等待众多节点中最慢的一个</translation>
    </message>
    <message>
        <source>for the time</source>
        <translation>按期所需</translation>
    </message>
    <message>
        <source>full</source>
        <comment>all parameters are trained</comment>
        <translation>全参数</translation>
    </message>
    <message>
        <source>fused by hand (Megatron, NeMo)</source>
        <translation>手工融合（Megatron、NeMo）</translation>
    </message>
    <message>
        <source>goal %1</source>
        <translation>目标 %1</translation>
    </message>
    <message>
        <source>goal %1 to %2 %</source>
        <translation>目标 %1 至 %2 %</translation>
    </message>
    <message>
        <source>goal ±%1</source>
        <translation>目标 ±%1</translation>
    </message>
    <message>
        <source>inside the range</source>
        <translation>在范围之内</translation>
    </message>
    <message>
        <source>layout</source>
        <translation>并行布局</translation>
    </message>
    <message>
        <source>ln(predicted / published)</source>
        <translation>ln(预测 / 发表)</translation>
    </message>
    <message>
        <source>loading of a config.json</source>
        <translation>加载 config.json</translation>
    </message>
    <message>
        <source>median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>显存</translation>
    </message>
    <message>
        <source>memory of the fullest device</source>
        <translation>最满设备的显存</translation>
    </message>
    <message>
        <source>memory per device</source>
        <translation>每设备显存</translation>
    </message>
    <message>
        <source>micro-batch</source>
        <translation>微批大小</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>no %1 peak</source>
        <translation>没有 %1 峰值</translation>
    </message>
    <message>
        <source>no prediction</source>
        <translation>没有预测</translation>
    </message>
    <message>
        <source>none fits</source>
        <translation>都放不下</translation>
    </message>
    <message>
        <source>none fits; those that need the least memory first</source>
        <translation>都放不下；需要显存最少的在前</translation>
    </message>
    <message>
        <source>not given</source>
        <translation>未给出</translation>
    </message>
    <message>
        <source>number</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>one pass over parameters, gradients and states</source>
        <translation>对参数、梯度和状态遍历一次</translation>
    </message>
    <message>
        <source>opening of a plan</source>
        <translation>打开规划</translation>
    </message>
    <message>
        <source>outside</source>
        <translation>范围外</translation>
    </message>
    <message>
        <source>outside its range</source>
        <translation>超出其范围</translation>
    </message>
    <message>
        <source>outside the range</source>
        <translation>超出该范围</translation>
    </message>
    <message>
        <source>over</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>over the network</source>
        <translation>经网络</translation>
    </message>
    <message>
        <source>own choices</source>
        <translation>自定选择</translation>
    </message>
    <message>
        <source>parts</source>
        <translation>组成</translation>
    </message>
    <message>
        <source>pipeline</source>
        <translation>流水线</translation>
    </message>
    <message>
        <source>pipeline bubble</source>
        <translation>流水线气泡</translation>
    </message>
    <message>
        <source>pipeline stage %1</source>
        <translation>流水线第 %1 级</translation>
    </message>
    <message>
        <source>place</source>
        <translation>名次</translation>
    </message>
    <message>
        <source>planning of a published training</source>
        <translation>以发表的训练进行规划</translation>
    </message>
    <message>
        <source>predicted / published − 1; sorted by its logarithm without the sign</source>
        <translation>预测 / 发表 − 1；按其对数的绝对值排序</translation>
    </message>
    <message>
        <source>predicted memory of a device</source>
        <translation>预测的每设备显存</translation>
    </message>
    <message>
        <source>predicted step time</source>
        <translation>预测的步耗时</translation>
    </message>
    <message>
        <source>published</source>
        <translation>发表值</translation>
    </message>
    <message>
        <source>published memory of a device</source>
        <translation>发表的每设备显存</translation>
    </message>
    <message>
        <source>published step time</source>
        <translation>发表的步耗时</translation>
    </message>
    <message>
        <source>range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>range holds</source>
        <translation>范围命中率</translation>
    </message>
    <message>
        <source>recomputation</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>recompute</source>
        <translation>重计算</translation>
    </message>
    <message>
        <source>regime</source>
        <translation>训练方式</translation>
    </message>
    <message>
        <source>remark</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>removal of devices to compare</source>
        <translation>移除要对比的设备</translation>
    </message>
    <message>
        <source>reset of %1</source>
        <translation>重置%1</translation>
    </message>
    <message>
        <source>reset of all assumptions</source>
        <translation>重置所有假设</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>sharding</source>
        <translation>分片</translation>
    </message>
    <message>
        <source>so that it is</source>
        <translation>使其为</translation>
    </message>
    <message>
        <source>software</source>
        <translation>软件</translation>
    </message>
    <message>
        <source>solving for %1</source>
        <translation>求解%1</translation>
    </message>
    <message>
        <source>source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>第 %1 级</translation>
    </message>
    <message>
        <source>stages that wait for the pipeline to fill and to drain</source>
        <translation>等待流水线填充和排空的各级</translation>
    </message>
    <message>
        <source>step time</source>
        <translation>步耗时</translation>
    </message>
    <message>
        <source>sum of rooflines and links</source>
        <translation>各屋顶线与链路之和</translation>
    </message>
    <message>
        <source>sum of rooflines, links and bubble</source>
        <translation>各屋顶线、链路与气泡之和</translation>
    </message>
    <message>
        <source>the cheapest that fit first</source>
        <translation>放得下者中最便宜的在前</translation>
    </message>
    <message>
        <source>the deep linear model</source>
        <translation>深层线性模型</translation>
    </message>
    <message>
        <source>the fastest that fit first</source>
        <translation>放得下者中最快的在前</translation>
    </message>
    <message>
        <source>the fastest that fit first, of %1 tried</source>
        <translation>放得下者中最快的在前，共尝试 %1 种</translation>
    </message>
    <message>
        <source>the source prints none</source>
        <translation>来源没有给出</translation>
    </message>
    <message>
        <source>time of a step</source>
        <translation>步耗时</translation>
    </message>
    <message>
        <source>to hold it</source>
        <translation>容纳所需</translation>
    </message>
    <message>
        <source>too fast</source>
        <translation>偏快</translation>
    </message>
    <message>
        <source>too little</source>
        <translation>偏小</translation>
    </message>
    <message>
        <source>too much</source>
        <translation>偏大</translation>
    </message>
    <message>
        <source>too slow</source>
        <translation>偏慢</translation>
    </message>
    <message>
        <source>training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>trainings</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>trying the devices: %1 %</source>
        <translation>正在尝试各设备：%1 %</translation>
    </message>
    <message>
        <source>use of a measurement</source>
        <translation>使用测量结果</translation>
    </message>
    <message>
        <source>validated</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>validated only</source>
        <translation>仅作验证</translation>
    </message>
    <message>
        <source>values of the map</source>
        <translation>热图中的值</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>ways to spread the work that no other beats in both</source>
        <translation>在时间和显存上都不逊于其他方式的分布方式</translation>
    </message>
    <message>
        <source>what the recipe works out again</source>
        <translation>配方重新计算的内容</translation>
    </message>
    <message>
        <source>whole layers</source>
        <translation>整层</translation>
    </message>
    <message>
        <source>why</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>why not</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>why ›</source>
        <translation>原因 ›</translation>
    </message>
    <message>
        <source>within the node</source>
        <translation>节点内</translation>
    </message>
    <message>
        <source>without</source>
        <translation>无预测</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
</context>
</TS>
