<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source>
Ceilings: %1</source>
        <translation>
上限：%1</translation>
    </message>
    <message>
        <source>
GPU %1, %2</source>
        <translation>
GPU %1，%2</translation>
    </message>
    <message>
        <source>
Memory of %1: %2 (%3)</source>
        <translation>
%1 的显存：%2（%3）</translation>
    </message>
    <message>
        <source>
The memory size of this device is not known</source>
        <translation>
该设备的显存大小未知</translation>
    </message>
    <message>
        <source> layer</source>
        <translation> 层</translation>
    </message>
    <message>
        <source> layers</source>
        <translation> 层</translation>
    </message>
    <message>
        <source> of %1</source>
        <translation> / %1</translation>
    </message>
    <message>
        <source> step</source>
        <translation> 步</translation>
    </message>
    <message>
        <source> steps</source>
        <translation> 步</translation>
    </message>
    <message>
        <source> · %1 changed</source>
        <translation> · 已更改 %1 项</translation>
    </message>
    <message>
        <source> · GPU %1</source>
        <translation> · GPU %1</translation>
    </message>
    <message>
        <source> · built-in</source>
        <translation> · 内置</translation>
    </message>
    <message>
        <source> · not available</source>
        <translation> · 不可用</translation>
    </message>
    <message>
        <source> · predict</source>
        <translation> · 仅预测</translation>
    </message>
    <message>
        <source>%1
Training stood still for %2</source>
        <translation>%1
训练停顿了 %2</translation>
    </message>
    <message>
        <source>%1 (%2 of them)</source>
        <translation>%1（其中 %2 个）</translation>
    </message>
    <message>
        <source>%1 (%2 of them, %3 % of the time)</source>
        <translation>%1（其中 %2 个，占时间的 %3 %）</translation>
    </message>
    <message>
        <source>%1 (%2)
In force: %3, default: %4. On the command line: --%5</source>
        <translation>%1（%2）
当前值：%3，默认值：%4。命令行：--%5</translation>
    </message>
    <message>
        <source>%1 (cannot be read)</source>
        <translation>%1（无法读取）</translation>
    </message>
    <message>
        <source>%1 (example)</source>
        <translation>%1（示例）</translation>
    </message>
    <message>
        <source>%1 further steps</source>
        <translation>另外 %1 步</translation>
    </message>
    <message>
        <source>%1 holds no presets</source>
        <translation>%1 中没有预设</translation>
    </message>
    <message>
        <source>%1 is too small (%2): give at least %3</source>
        <translation>%1 过小（%2）：请给出不小于 %3 的值</translation>
    </message>
    <message>
        <source>%1 left out</source>
        <translation>不设置 %1</translation>
    </message>
    <message>
        <source>%1 of tensors alone, about %2 for the GPU's context; what its allocator would reserve is not known</source>
        <translation>仅张量 %1，GPU 上下文约 %2；其分配器会保留多少未知</translation>
    </message>
    <message>
        <source>%1 of the peak</source>
        <translation>峰值的 %1</translation>
    </message>
    <message>
        <source>%1 reserved by the allocator for %2 of tensors, about %3 for the GPU's context</source>
        <translation>分配器为 %2 的张量保留 %1，GPU 上下文约 %3</translation>
    </message>
    <message>
        <source>%1 that take a step together, with equal parts of %2</source>
        <translation>%1 共同执行一步，均分 %2</translation>
    </message>
    <message>
        <source>%1 to %2, %3</source>
        <translation>%1 至 %2，%3</translation>
    </message>
    <message>
        <source>%1 was written by a newer version of the program</source>
        <translation>%1 由更新版本的程序写出</translation>
    </message>
    <message>
        <source>%1 × in the step that was written down</source>
        <translation>录制的那一步为 %1 倍</translation>
    </message>
    <message>
        <source>%1, one for each pass over the metrics</source>
        <translation>%1，每轮度量一步</translation>
    </message>
    <message>
        <source>%1: %2 %3, %4</source>
        <translation>%1：%2 %3，%4</translation>
    </message>
    <message>
        <source>%1: %2 %3, %4 %5, difference %6</source>
        <translation>%1：%2 %3，%4 %5，差 %6</translation>
    </message>
    <message>
        <source>%1: %2 peak %3, bandwidth %4 (%5)</source>
        <translation>%1：%2 峰值 %3，带宽 %4（%5）</translation>
    </message>
    <message>
        <source>%1: it is started first</source>
        <translation>%1：将先启动引擎</translation>
    </message>
    <message>
        <source>%1; the memory of this device is not known</source>
        <translation>%1；该设备的显存大小未知</translation>
    </message>
    <message>
        <source>&amp;Apply</source>
        <translation>应用(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Replace</source>
        <translation>替换(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Save the present configuration…</source>
        <translation>保存当前配置(&amp;S)…</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>撤销(&amp;U)</translation>
    </message>
    <message>
        <source>1 further step</source>
        <translation>另外 1 步</translation>
    </message>
    <message>
        <source>= %1</source>
        <translation>= %1</translation>
    </message>
    <message>
        <source>= %1 (pass %2)</source>
        <translation>= %1（第 %2 遍）</translation>
    </message>
    <message>
        <source>= %1 in matrix products + %2 element-wise</source>
        <translation>= 矩阵乘法 %1 + 逐元素运算 %2</translation>
    </message>
    <message>
        <source>= FLOP of the matrix products without recomputation / (step time × peak)</source>
        <translation>= 不计重计算的矩阵乘法 FLOP /（步耗时 × 峰值）</translation>
    </message>
    <message>
        <source>= batch %1 / step time</source>
        <translation>= 批大小 %1 / 步耗时</translation>
    </message>
    <message>
        <source>= mean((y − t)²) over the batch and the outputs</source>
        <translation>= mean((y − t)²)，对整批和所有输出取平均</translation>
    </message>
    <message>
        <source>A preset without a name cannot be found again</source>
        <translation>没有名称的预设无法再找到</translation>
    </message>
    <message>
        <source>A training checkpoint, or a folder whose newest is taken; Steps then counts the whole training</source>
        <translation>一个训练检查点，或一个文件夹（取其中最新的）；此时“步数”指整个训练的步数</translation>
    </message>
    <message>
        <source>Activation</source>
        <comment>function</comment>
        <translation>激活函数</translation>
    </message>
    <message>
        <source>Advanced settings</source>
        <translation>高级设置</translation>
    </message>
    <message>
        <source>Apply and restart</source>
        <translation>应用并重新开始</translation>
    </message>
    <message>
        <source>Ask the engine again which devices it can run on</source>
        <translation>重新询问引擎可以在哪些设备上运行</translation>
    </message>
    <message>
        <source>Back to the model of the sliders</source>
        <translation>返回滑块所设的模型</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Batch B</source>
        <translation>批大小 B</translation>
    </message>
    <message>
        <source>Call it otherwise</source>
        <translation>改用别的名称</translation>
    </message>
    <message>
        <source>Cancel the proof</source>
        <translation>取消证明</translation>
    </message>
    <message>
        <source>Cannot be read, and stay as they are: %1. Chosen in the list, they say why.</source>
        <translation>无法读取，保持原样：%1。在列表中选中即可看到原因。</translation>
    </message>
    <message>
        <source>Checkpoint every</source>
        <translation>检查点间隔</translation>
    </message>
    <message>
        <source>Choose the features as well</source>
        <translation>同时选择特征</translation>
    </message>
    <message>
        <source>Choose the targets as well</source>
        <translation>同时选择目标</translation>
    </message>
    <message>
        <source>Clean steps</source>
        <translation>未受录制影响的步数</translation>
    </message>
    <message>
        <source>Counters</source>
        <translation>计数器</translation>
    </message>
    <message>
        <source>Deep, recomputed every √L layers</source>
        <translation>深层模型，每 √L 层重计算</translation>
    </message>
    <message>
        <source>Device that the step is predicted for</source>
        <translation>预测该步所针对的设备</translation>
    </message>
    <message>
        <source>Empty: all that the device has, as far as it is safely free. A smaller one is tried faster and proves the same arithmetic.</source>
        <translation>留空：设备的全部显存，但不超过可安全使用的空闲部分。较小的上限试得更快，证明的是同一套计算方法。</translation>
    </message>
    <message>
        <source>Every</source>
        <translation>每隔</translation>
    </message>
    <message>
        <source>Every k with k = √L, rounded up: memory grows with √L</source>
        <translation>每 k 层保留一次，k = √L 向上取整：显存随 √L 增长</translation>
    </message>
    <message>
        <source>Executed FLOPs of the tensor cores, and bytes of DRAM, L2 and L1</source>
        <translation>张量核心执行的 FLOP，以及 DRAM、L2 和 L1 的字节数</translation>
    </message>
    <message>
        <source>Export presets</source>
        <translation>导出预设</translation>
    </message>
    <message>
        <source>FLOP of a rank</source>
        <translation>单个 rank 的 FLOP</translation>
    </message>
    <message>
        <source>Features</source>
        <translation>特征</translation>
    </message>
    <message>
        <source>Fits in memory</source>
        <translation>显存余量</translation>
    </message>
    <message>
        <source>Floor of the synthetic data: noise² = %1</source>
        <translation>合成数据的损失下限：noise² = %1</translation>
    </message>
    <message>
        <source>Folder for .safetensors files with weights, optimizer state and step, from which a training goes on bit for bit</source>
        <translation>存放 .safetensors 文件的文件夹，含权重、优化器状态和步数，训练可由此逐位一致地继续</translation>
    </message>
    <message>
        <source>Forget this preset</source>
        <translation>删除此预设</translation>
    </message>
    <message>
        <source>Give the panel these settings; Undo takes them back</source>
        <translation>在面板中采用这些设置；可用“撤销”还原</translation>
    </message>
    <message>
        <source>Go on from</source>
        <translation>续训起点</translation>
    </message>
    <message>
        <source>How far the proof is</source>
        <translation>证明的进度</translation>
    </message>
    <message>
        <source>How many steps to train; empty: until stopped</source>
        <translation>训练多少步；留空：直到停止</translation>
    </message>
    <message>
        <source>How much memory this device has is not known: give a limit.</source>
        <translation>该设备的显存大小未知：请给出上限。</translation>
    </message>
    <message>
        <source>Import presets</source>
        <translation>导入预设</translation>
    </message>
    <message>
        <source>In libraries</source>
        <translation>在库中</translation>
    </message>
    <message>
        <source>In the step: what a run spends between two steps is left out. Training shows the rate with everything between</source>
        <translation>步内时间：不含两步之间的开销。“训练”视图显示包含全部时间的速率</translation>
    </message>
    <message>
        <source>Keep activations</source>
        <translation>保留激活，其余重计算</translation>
    </message>
    <message>
        <source>Keep the activations of every layer</source>
        <translation>保留每一层的激活</translation>
    </message>
    <message>
        <source>Keep the last</source>
        <translation>保留最近</translation>
    </message>
    <message>
        <source>Keep the settings of the panel under a name</source>
        <translation>以一个名称保存面板中的设置</translation>
    </message>
    <message>
        <source>Keep those of every k-th layer and recompute the others</source>
        <translation>每 k 层保留一次，其余重计算</translation>
    </message>
    <message>
        <source>Large batch in micro-batches</source>
        <translation>大批量，分成微批</translation>
    </message>
    <message>
        <source>Largest batch that fits: %1. Click to use it</source>
        <translation>放得下的最大批大小：%1。单击采用它</translation>
    </message>
    <message>
        <source>Largest peak of the step, as 24Gi or 16G: %1</source>
        <translation>该步的最大峰值，如 24Gi 或 16G：%1</translation>
    </message>
    <message>
        <source>Layers L</source>
        <translation>层数 L</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Look for devices again</source>
        <translation>重新查找设备</translation>
    </message>
    <message>
        <source>Loss scale</source>
        <translation>损失缩放因子</translation>
    </message>
    <message>
        <source>Measure every operation over some steps</source>
        <translation>用若干步测量每个算子</translation>
    </message>
    <message>
        <source>Measured: %1 (source: %2, median of %3 steps)</source>
        <translation>实测：%1（来源：%2，%3 步的中位数）</translation>
    </message>
    <message>
        <source>Measured: %1 (source: counter)</source>
        <translation>实测：%1（来源：计数器）</translation>
    </message>
    <message>
        <source>Measured: %1 at step %2 of %3</source>
        <translation>实测：%1，%3 的第 %2 步</translation>
    </message>
    <message>
        <source>Measured: 10 % of the steps reached at most %1, 10 % at least %2</source>
        <translation>实测：10 % 的步不高于 %1，10 % 的步不低于 %2</translation>
    </message>
    <message>
        <source>Measured: 10 % of the steps took at most %1, 10 % at least %2</source>
        <translation>实测：10 % 的步不超过 %1，10 % 的步不少于 %2</translation>
    </message>
    <message>
        <source>Measured: the clock over one whole step, without what a run does between two steps</source>
        <translation>实测：由时钟测得的整步时间，不含运行在两步之间所做的事</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>显存上限</translation>
    </message>
    <message>
        <source>Micro-batch</source>
        <translation>微批大小</translation>
    </message>
    <message>
        <source>Name of the preset</source>
        <translation>预设名称</translation>
    </message>
    <message>
        <source>No formula gives the FLOPs of %1 and %2 kinds more.</source>
        <translation>没有公式给出 %1 及另外 %2 类的 FLOP。</translation>
    </message>
    <message>
        <source>No formula gives the FLOPs of %1.</source>
        <translation>没有公式给出 %1 的 FLOP。</translation>
    </message>
    <message>
        <source>No operation, copy or module takes an unusual share of this step.</source>
        <translation>没有算子、拷贝或模块在该步中占异常大的比例。</translation>
    </message>
    <message>
        <source>No prediction: %1</source>
        <translation>没有预测：%1</translation>
    </message>
    <message>
        <source>No training of this step yet</source>
        <translation>这一步尚未训练</translation>
    </message>
    <message>
        <source>Not as predicted</source>
        <translation>与预测不符</translation>
    </message>
    <message>
        <source>Not even the smallest batch fits in memory</source>
        <translation>即使最小的批也放不下</translation>
    </message>
    <message>
        <source>Not measured: only hardware counters measure FLOP</source>
        <translation>未测量：只有硬件计数器能测量 FLOP</translation>
    </message>
    <message>
        <source>Not tried yet</source>
        <translation>尚未试验</translation>
    </message>
    <message>
        <source>Note: %1</source>
        <translation>注意：%1</translation>
    </message>
    <message>
        <source>Of one of %1 ranks, which share the batch</source>
        <translation>%1 个 rank 分担一批，此为其中一个</translation>
    </message>
    <message>
        <source>Older ones are deleted once a newer one is safe on the disk</source>
        <translation>较新的检查点安全写入磁盘后，即删除较旧的</translation>
    </message>
    <message>
        <source>One step of the largest batch that is predicted to fit is run, and one of the next, which must not fit. Meanwhile the engine's allocator gives out no more than the limit.</source>
        <translation>先以预测放得下的最大批大小运行一步，再以下一个本应放不下的批大小运行一步。其间引擎的分配器不会分配超过上限的显存。</translation>
    </message>
    <message>
        <source>Optimizer steps; 0 saves only at the end</source>
        <translation>优化器步数；0 表示只在结束时保存</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Outputs K</source>
        <translation>输出维数 K</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Predicted = sum over %1 operations of executions × (max(FLOP / peak, bytes / bandwidth) + %2 overhead)</source>
        <translation>预测 = 对 %1 个算子求和：执行次数 ×（max(FLOP / 峰值, 字节 / 带宽) + 开销 %2）</translation>
    </message>
    <message>
        <source>Predicted = sum over %1 operations of executions × the time measured in calibrating, interpolated by size, and %2 between two of them</source>
        <translation>预测 = 对 %1 个算子求和：执行次数 × 校准时测得、按大小插值的时间，每两个算子之间再加 %2</translation>
    </message>
    <message>
        <source>Predicted peak: %1</source>
        <translation>预测峰值：%1</translation>
    </message>
    <message>
        <source>Predicted to lie between %1 and %2</source>
        <translation>预测范围：%1 至 %2</translation>
    </message>
    <message>
        <source>Predicted: %1 (read from the file)</source>
        <translation>预测：%1（读自文件）</translation>
    </message>
    <message>
        <source>Predicted: batch %1 fits, and batch %2 does not.</source>
        <translation>预测：批大小 %1 放得下，批大小 %2 放不下。</translation>
    </message>
    <message>
        <source>Predicted: not even the smallest batch fits.</source>
        <translation>预测：连最小的批也放不下。</translation>
    </message>
    <message>
        <source>Preset %1</source>
        <translation>预设 %1</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Presets (*.json);;All files (*)</source>
        <translation>预设 (*.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Presets of the configuration</source>
        <translation>配置的预设</translation>
    </message>
    <message>
        <source>Presets that were added: %1.</source>
        <translation>已添加预设：%1 个。</translation>
    </message>
    <message>
        <source>Products in</source>
        <translation>矩阵乘法精度</translation>
    </message>
    <message>
        <source>Profile takes %1 steps more</source>
        <translation>性能分析另需 %1 步</translation>
    </message>
    <message>
        <source>Profile takes 1 step more</source>
        <translation>性能分析另需 1 步</translation>
    </message>
    <message>
        <source>Profile takes more steps</source>
        <translation>性能分析需要更多步</translation>
    </message>
    <message>
        <source>Profile time and memory only</source>
        <translation>只分析时间和显存</translation>
    </message>
    <message>
        <source>Profile without hardware counters</source>
        <translation>不使用硬件计数器进行分析</translation>
    </message>
    <message>
        <source>Prove it</source>
        <translation>证明</translation>
    </message>
    <message>
        <source>Prove it…</source>
        <translation>证明…</translation>
    </message>
    <message>
        <source>Prove the largest batch</source>
        <translation>证明最大批大小</translation>
    </message>
    <message>
        <source>Proven at %1</source>
        <translation>已在 %1 下证明</translation>
    </message>
    <message>
        <source>Re&amp;name…</source>
        <translation>重命名(&amp;N)…</translation>
    </message>
    <message>
        <source>ReLU</source>
        <translation>ReLU</translation>
    </message>
    <message>
        <source>Recompute each from the input: least memory, most time</source>
        <translation>全部从输入重新计算：显存最少，时间最长</translation>
    </message>
    <message>
        <source>Recorded step</source>
        <translation>录制的步</translation>
    </message>
    <message>
        <source>Rename the preset</source>
        <translation>重命名预设</translation>
    </message>
    <message>
        <source>Replayed as a graph: %1 between two nodes, less %2 that timing an operation by itself adds</source>
        <translation>以图的形式重放：两个节点之间 %1，减去单独计时一个算子所增加的 %2</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Rule of thumb 6·B·N = 6 · %1 · %2 = %3</source>
        <translation>经验公式 6·B·N = 6 · %1 · %2 = %3</translation>
    </message>
    <message>
        <source>Run the largest batch that fits and the next one, which must not, for one step each</source>
        <translation>以放得下的最大批大小和下一个本应放不下的批大小各运行一步</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本数</translation>
    </message>
    <message>
        <source>Save as a preset</source>
        <translation>另存为预设</translation>
    </message>
    <message>
        <source>Save in</source>
        <translation>保存到</translation>
    </message>
    <message>
        <source>Saved at step %1: %2 in %3</source>
        <translation>第 %1 步已保存：%2，位于 %3</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>Sets %1; all other settings stay as they are. Undo takes it back.</source>
        <translation>设置：%1；其他设置保持不变。可以撤销。</translation>
    </message>
    <message>
        <source>Settings of the optimizer, learning rate schedule, loss scale, initial weights, checkpoints</source>
        <translation>优化器、学习率调度、损失缩放因子、初始权重、检查点的设置</translation>
    </message>
    <message>
        <source>Show in Operations</source>
        <translation>在“算子”中显示</translation>
    </message>
    <message>
        <source>Small and quick</source>
        <translation>小而快</translation>
    </message>
    <message>
        <source>Small batch, bound by memory</source>
        <translation>小批量，受限于访存</translation>
    </message>
    <message>
        <source>Start and data</source>
        <translation>起始与数据</translation>
    </message>
    <message>
        <source>Stop the run and start it again with the settings above</source>
        <translation>停止运行，并用上面的设置重新开始</translation>
    </message>
    <message>
        <source>Take presets in from a file</source>
        <translation>从文件读入预设</translation>
    </message>
    <message>
        <source>Take the deleted preset back</source>
        <translation>恢复已删除的预设</translation>
    </message>
    <message>
        <source>The least recomputation whose peak fits in a budget</source>
        <translation>峰值不超过预算时的最少重计算</translation>
    </message>
    <message>
        <source>The memory is that of a micro-batch, however many make the batch</source>
        <translation>显存取决于单个微批，与一批含多少个微批无关</translation>
    </message>
    <message>
        <source>The presets in the settings cannot be read and stay as they are: %1</source>
        <translation>设置中的预设无法读取，将保持原样：%1</translation>
    </message>
    <message>
        <source>The same, and FLOPs of the CUDA cores and bytes of shared memory</source>
        <translation>同上，另加 CUDA 核心的 FLOP 和共享内存的字节数</translation>
    </message>
    <message>
        <source>The settings that the program comes with</source>
        <translation>程序自带的设置</translation>
    </message>
    <message>
        <source>The step is predicted for this device by its ceilings</source>
        <translation>按该设备的性能上限预测该步</translation>
    </message>
    <message>
        <source>The step says nothing of memory.</source>
        <translation>该步没有显存信息。</translation>
    </message>
    <message>
        <source>The step says nothing of memory: it was made of a trace without allocations</source>
        <translation>该步没有显存信息：它来自一份不含分配记录的追踪</translation>
    </message>
    <message>
        <source>There is a preset “%1” already</source>
        <translation>已有名为“%1”的预设</translation>
    </message>
    <message>
        <source>There is a preset “%1” already. Replace it?</source>
        <translation>已有名为“%1”的预设。要替换它吗？</translation>
    </message>
    <message>
        <source>There is a preset “%1” that cannot be read</source>
        <translation>名为“%1”的预设已存在，但无法读取</translation>
    </message>
    <message>
        <source>There is no preset “%1” any more</source>
        <translation>预设“%1”已不存在</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>线程</translation>
    </message>
    <message>
        <source>Training checkpoints</source>
        <translation>训练检查点</translation>
    </message>
    <message>
        <source>Trying it</source>
        <translation>正在试验</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>使用 %1</translation>
    </message>
    <message>
        <source>What it holds now would be lost.</source>
        <translation>它现有的内容将会丢失。</translation>
    </message>
    <message>
        <source>What the allocator gave out beyond the tensors is inside libraries</source>
        <translation>分配器在张量之外分配的部分位于库的内部</translation>
    </message>
    <message>
        <source>What the preset sets</source>
        <translation>该预设的设置</translation>
    </message>
    <message>
        <source>What-if / run − 1: what was measured is another step, %1 on %2</source>
        <translation>假设 / 运行 − 1：实测的是另一种步，%2 上的 %1</translation>
    </message>
    <message>
        <source>Width D</source>
        <translation>宽度 D</translation>
    </message>
    <message>
        <source>Write your own presets to a file, for another computer or person</source>
        <translation>将自己的预设写入文件，供其他计算机或他人使用</translation>
    </message>
    <message>
        <source>Written to %1.</source>
        <translation>已写入 %1。</translation>
    </message>
    <message>
        <source>a new training</source>
        <translation>新的训练</translation>
    </message>
    <message>
        <source>activation</source>
        <translation>激活函数</translation>
    </message>
    <message>
        <source>all of the device: %1</source>
        <translation>设备全部：%1</translation>
    </message>
    <message>
        <source>allocator</source>
        <translation>分配器</translation>
    </message>
    <message>
        <source>any batch fits</source>
        <translation>任何批大小都放得下</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>bf16 with fp32 master weights</source>
        <translation>bf16，带 fp32 主权重</translation>
    </message>
    <message>
        <source>ceiling too low</source>
        <translation>上限偏低</translation>
    </message>
    <message>
        <source>checkpoint budget</source>
        <translation>检查点预算</translation>
    </message>
    <message>
        <source>checkpoints</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>choose a file that was exported from the presets</source>
        <translation>请选择由预设导出的文件</translation>
    </message>
    <message>
        <source>choose a file…</source>
        <translation>选择文件…</translation>
    </message>
    <message>
        <source>choose another name</source>
        <translation>请换一个名称</translation>
    </message>
    <message>
        <source>default of this optimizer in PyTorch</source>
        <translation>该优化器在 PyTorch 中的默认值</translation>
    </message>
    <message>
        <source>during %1</source>
        <translation>所在算子：%1</translation>
    </message>
    <message>
        <source>every k</source>
        <translation>每 k 层</translation>
    </message>
    <message>
        <source>features</source>
        <translation>特征</translation>
    </message>
    <message>
        <source>features and targets</source>
        <translation>特征和目标</translation>
    </message>
    <message>
        <source>folder for training checkpoints</source>
        <translation>训练检查点文件夹</translation>
    </message>
    <message>
        <source>fp16 with loss scaling</source>
        <translation>fp16，带损失缩放</translation>
    </message>
    <message>
        <source>fp32 gradients</source>
        <translation>fp32 梯度</translation>
    </message>
    <message>
        <source>fp32 master weights</source>
        <translation>fp32 主权重</translation>
    </message>
    <message>
        <source>fp8 with per-tensor scales</source>
        <translation>fp8，每个张量一个缩放因子</translation>
    </message>
    <message>
        <source>full</source>
        <translation>完整</translation>
    </message>
    <message>
        <source>further steps, one for each pass over the metrics</source>
        <translation>另外若干步，每轮度量一步</translation>
    </message>
    <message>
        <source>give at most that depth</source>
        <translation>请给出不大于层数的值</translation>
    </message>
    <message>
        <source>give it one</source>
        <translation>请为它取一个名称</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>k larger than the depth of %1 keeps no fewer layers</source>
        <translation>k 大于层数 %1 时保留的层并不会更少</translation>
    </message>
    <message>
        <source>learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>look among the others: another window may have renamed it</source>
        <translation>请在其他预设中查找：可能已被另一个窗口重命名</translation>
    </message>
    <message>
        <source>master weights</source>
        <translation>主权重</translation>
    </message>
    <message>
        <source>max batch %1</source>
        <translation>最大批大小 %1</translation>
    </message>
    <message>
        <source>no batch fits</source>
        <translation>任何批都放不下</translation>
    </message>
    <message>
        <source>none: shapes alone</source>
        <translation>无：仅有形状</translation>
    </message>
    <message>
        <source>not saved (choose…)</source>
        <translation>不保存（选择…）</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>precision</source>
        <translation>精度</translation>
    </message>
    <message>
        <source>quick</source>
        <translation>快速</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>source: allocator</source>
        <translation>来源：分配器</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>such as %1</source>
        <translation>例如 %1</translation>
    </message>
    <message>
        <source>synthetic (choose a file…)</source>
        <translation>合成数据（选择文件…）</translation>
    </message>
    <message>
        <source>take the line “presets=” out of the file of the settings while no window is open</source>
        <translation>请在没有打开任何窗口时，从设置文件中移出“presets=”一行</translation>
    </message>
    <message>
        <source>targets</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>tensors</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>torch</source>
        <translation>torch</translation>
    </message>
    <message>
        <source>training checkpoint</source>
        <translation>训练检查点</translation>
    </message>
    <message>
        <source>update this one</source>
        <translation>请更新本程序</translation>
    </message>
    <message>
        <source>without a name</source>
        <translation>未命名</translation>
    </message>
    <message>
        <source>write it as %1</source>
        <translation>请写成 %1 这样</translation>
    </message>
    <message>
        <source>“%1” is back.</source>
        <translation>“%1”已恢复。</translation>
    </message>
    <message>
        <source>“%1” is deleted.</source>
        <translation>“%1”已删除。</translation>
    </message>
    <message>
        <source>“%1” is kept.</source>
        <translation>“%1”已保存。</translation>
    </message>
    <message>
        <source>“%1” is no size</source>
        <translation>“%1”不是大小</translation>
    </message>
    <message>
        <source>√L</source>
        <translation>√L</translation>
    </message>
    <message>
        <source>▸ Advanced</source>
        <translation>▸ 高级</translation>
    </message>
    <message>
        <source>▾ Advanced</source>
        <translation>▾ 高级</translation>
    </message>
</context>
</TS>
