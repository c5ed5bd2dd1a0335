<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source> · %1 of %2</source>
        <translation> · %1 / %2</translation>
    </message>
    <message>
        <source>%1 CPU ranks</source>
        <translation>%1 个 CPU rank</translation>
    </message>
    <message>
        <source>%1 cannot be reached</source>
        <translation>无法连接 %1</translation>
    </message>
    <message>
        <source>%1 cannot be reached (%2)</source>
        <translation>无法连接 %1（%2）</translation>
    </message>
    <message>
        <source>%1 did not start (%2)</source>
        <translation>%1 没有启动（%2）</translation>
    </message>
    <message>
        <source>%1 during step %2; everything received is kept</source>
        <translation>%1（第 %2 步期间）；已收到的全部保留</translation>
    </message>
    <message>
        <source>%1 is %2</source>
        <translation>%1 无法运行（%2）</translation>
    </message>
    <message>
        <source>%1 of %2 was not fetched (%3)</source>
        <translation>没有取回 %2 的 %1（%3）</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%2 上的 %1</translation>
    </message>
    <message>
        <source>A message of the engine was refused (%1)</source>
        <translation>已拒绝引擎的一条消息（%1）</translation>
    </message>
    <message>
        <source>Another program has calibrated this computer, and predictions follow it</source>
        <translation>另一个程序校准了本机，预测随之更新</translation>
    </message>
    <message>
        <source>Another window is attached to this engine now</source>
        <translation>现在由另一个窗口连接到该引擎</translation>
    </message>
    <message>
        <source>Asking the engine on %1 for its devices…</source>
        <translation>正在向 %1 上的引擎询问其设备…</translation>
    </message>
    <message>
        <source>Batch %1 ran and batch %2 was refused, as predicted, but the peak was %3 and not %4.</source>
        <translation>与预测一致，批大小 %1 运行成功，批大小 %2 分配失败；但峰值是 %3，而不是 %4。</translation>
    </message>
    <message>
        <source>Build Plumbline there: this program does not run on %1, since %2</source>
        <translation>请在该主机上构建 Plumbline：本程序不能在 %1 上运行，因为%2</translation>
    </message>
    <message>
        <source>Connect once in a terminal (ssh %1) and compare its key, which ssh then knows</source>
        <translation>请在终端中连接一次（ssh %1）并核对其密钥，之后 ssh 便会记住</translation>
    </message>
    <message>
        <source>Connecting to %1</source>
        <translation>正在连接 %1</translation>
    </message>
    <message>
        <source>Connecting to %1…</source>
        <translation>正在连接 %1…</translation>
    </message>
    <message>
        <source>Copy this version there</source>
        <translation>将本版本复制到该主机</translation>
    </message>
    <message>
        <source>Copying %1 (%2) to %3…</source>
        <translation>正在将 %1（%2）复制到 %3…</translation>
    </message>
    <message>
        <source>Install the client of OpenSSH</source>
        <translation>请安装 OpenSSH 客户端</translation>
    </message>
    <message>
        <source>Install the libraries that it names, or build Plumbline there</source>
        <translation>请安装其列出的库，或在该主机上构建 Plumbline</translation>
    </message>
    <message>
        <source>Load your key into the agent (ssh-add), and see that %1 accepts it</source>
        <translation>请用 ssh-add 将密钥加入代理，并确认 %1 接受它</translation>
    </message>
    <message>
        <source>Looked for devices again: %1 of %2 can run</source>
        <translation>已重新查找设备：%2 个中有 %1 个可以运行</translation>
    </message>
    <message>
        <source>Making a folder on %1…</source>
        <translation>正在 %1 上创建文件夹…</translation>
    </message>
    <message>
        <source>No answer within %1</source>
        <translation>在 %1 内没有响应</translation>
    </message>
    <message>
        <source>Not proven: batch %1 ran, and batch %2 failed for another reason than memory.</source>
        <translation>未能证明：批大小 %1 运行成功，但批大小 %2 失败的原因不是显存。</translation>
    </message>
    <message>
        <source>Profiled without counters: %1</source>
        <translation>已完成性能分析，但没有计数器：%1</translation>
    </message>
    <message>
        <source>Proven: batch %1 ran with the %2 that were predicted, and batch %3 was refused.</source>
        <translation>已证明：批大小 %1 运行成功，用量正是预测的 %2；批大小 %3 分配失败。</translation>
    </message>
    <message>
        <source>Ran</source>
        <translation>运行成功</translation>
    </message>
    <message>
        <source>Refuted: batch %1 must fit (%2 of %3), and it did not run.</source>
        <translation>预测不成立：批大小 %1 本应放得下（%2，上限 %3），却未能运行。</translation>
    </message>
    <message>
        <source>Refuted: batch %1 must not fit (%2 of %3), and it ran with %4.</source>
        <translation>预测不成立：批大小 %1 本应放不下（%2，上限 %3），却以 %4 运行成功。</translation>
    </message>
    <message>
        <source>Run %1 devices there</source>
        <translation>请在该主机上运行 %1 devices</translation>
    </message>
    <message>
        <source>See what ssh %1 says in a terminal</source>
        <translation>请在终端中查看 ssh %1 的输出</translation>
    </message>
    <message>
        <source>Starting the copy on %1…</source>
        <translation>正在 %1 上启动副本…</translation>
    </message>
    <message>
        <source>The address “%1” is none that ssh could use: enter a name or a number without spaces</source>
        <translation>地址“%1”不能用于 ssh：请输入不含空格的主机名或 IP 地址</translation>
    </message>
    <message>
        <source>The connection to %1 is lost</source>
        <translation>与 %1 的连接已断开</translation>
    </message>
    <message>
        <source>The connection to the engine is lost</source>
        <translation>与引擎的连接已断开</translation>
    </message>
    <message>
        <source>The connection was lost for so long that %1 messages are gone: the curve of losses is thinned out there</source>
        <translation>连接断开时间过长，丢失了 %1 条消息：损失曲线在该处较稀疏</translation>
    </message>
    <message>
        <source>The copy does not run on %1 (%2)</source>
        <translation>副本无法在 %1 上运行（%2）</translation>
    </message>
    <message>
        <source>The engine answers again</source>
        <translation>引擎重新响应</translation>
    </message>
    <message>
        <source>The engine command cannot be read (%1)</source>
        <translation>无法读取引擎命令（%1）</translation>
    </message>
    <message>
        <source>The engine did not answer within %1: check the engine command (%2)</source>
        <translation>引擎在 %1 内没有响应：请检查引擎命令（%2）</translation>
    </message>
    <message>
        <source>The engine did not say hello first: check the engine command (%1)</source>
        <translation>引擎没有先发送握手消息：请检查引擎命令（%1）</translation>
    </message>
    <message>
        <source>The engine did not start (%1): %2</source>
        <translation>引擎没有启动（%1）：%2</translation>
    </message>
    <message>
        <source>The engine did not start (no pipe: %1)</source>
        <translation>引擎没有启动（没有管道：%1）</translation>
    </message>
    <message>
        <source>The engine did not stop and was ended; another one is started, and everything received is kept</source>
        <translation>引擎没有停止，已强制结束；正在启动另一个，已收到的全部保留</translation>
    </message>
    <message>
        <source>The engine does not answer (for %1): wait, since a long step may be under way, or restart it; everything received is kept</source>
        <translation>引擎没有响应（已持续 %1）：请等待（可能正在执行较长的一步），或重新启动它；已收到的全部保留</translation>
    </message>
    <message>
        <source>The engine ended (exit code %1)</source>
        <translation>引擎已退出（退出码 %1）</translation>
    </message>
    <message>
        <source>The engine ended (signal %1)</source>
        <translation>引擎已退出（信号 %1）</translation>
    </message>
    <message>
        <source>The engine has ended while the connection to it was lost</source>
        <translation>连接断开期间，引擎已退出</translation>
    </message>
    <message>
        <source>The engine has not answered for %1 and is waited for until %2 have passed; it last said: %3</source>
        <translation>引擎已 %1 无响应，最多等待 %2；其最后一条消息：%3</translation>
    </message>
    <message>
        <source>The engine has not stopped for %1: wait, since a long step may be under way, or stop once more, which ends its process and starts another; everything received is kept</source>
        <translation>引擎已 %1 没有停止：请等待（可能正在执行较长的一步），或再次停止，这会结束其进程并启动另一个；已收到的全部保留</translation>
    </message>
    <message>
        <source>The engine has said nothing for %1 and is waited for until %2 have passed: check the engine command (%3) where it stays silent</source>
        <translation>引擎已 %1 没有任何消息，最多等待 %2：若一直没有消息，请检查引擎命令（%3）</translation>
    </message>
    <message>
        <source>The engine is busy: wait until it is done, or stop it</source>
        <translation>引擎正忙：请等它完成，或将其停止</translation>
    </message>
    <message>
        <source>The engine is not ready</source>
        <translation>引擎尚未就绪</translation>
    </message>
    <message>
        <source>The engine is not ready: restart it</source>
        <translation>引擎尚未就绪：请重新启动它</translation>
    </message>
    <message>
        <source>The engine is not running</source>
        <translation>引擎没有运行</translation>
    </message>
    <message>
        <source>The engine is of another release (%1), which speaks version %2 of the protocol, and this window version %3: install the same Plumbline on both sides</source>
        <translation>引擎是另一个版本（%1），使用协议版本 %2，而本窗口使用版本 %3：请在两端安装相同的 Plumbline</translation>
    </message>
    <message>
        <source>The engine is starting</source>
        <translation>引擎正在启动</translation>
    </message>
    <message>
        <source>The engine is told to stop as soon as the connection to it is back</source>
        <translation>连接恢复后将立即通知引擎停止</translation>
    </message>
    <message>
        <source>The engine on %1 did not list its devices (%2)</source>
        <translation>%1 上的引擎没有列出其设备（%2）</translation>
    </message>
    <message>
        <source>The engine on %1 is %2, and this window is %3</source>
        <translation>%1 上的引擎为 %2，而本窗口为 %3</translation>
    </message>
    <message>
        <source>The engine was ended: %1 of its messages in a row cannot be used (%2)</source>
        <translation>已结束引擎：它连续发来的 %1 条消息无法使用（%2）</translation>
    </message>
    <message>
        <source>The engine was training already: its run is shown from the first step on</source>
        <translation>引擎原本就在训练：该次运行从第一步起显示</translation>
    </message>
    <message>
        <source>The engine works on something else: stop that first</source>
        <translation>引擎正在做其他工作：请先停止它</translation>
    </message>
    <message>
        <source>The engine's allocator gave out %1 at most, as asked.</source>
        <translation>引擎的分配器按要求最多分配 %1。</translation>
    </message>
    <message>
        <source>The engine's allocator gave out %1 at most, since no more of %2 was safely free.</source>
        <translation>引擎的分配器最多分配 %1，因为 %2 中可安全使用的空闲显存不超过该值。</translation>
    </message>
    <message>
        <source>The engine's allocator gave out %1 at most, since no more was safely free.</source>
        <translation>引擎的分配器最多分配 %1，因为可安全使用的空闲显存不超过该值。</translation>
    </message>
    <message>
        <source>The engine's allocator gave out %1 at most, the memory of the device.</source>
        <translation>引擎的分配器最多分配 %1，即设备的全部显存。</translation>
    </message>
    <message>
        <source>The host needs a name</source>
        <translation>主机需要名称</translation>
    </message>
    <message>
        <source>The port %1 does not exist: enter one from 1 to %2, or none</source>
        <translation>不存在端口 %1：请输入 1 至 %2 的端口，或留空</translation>
    </message>
    <message>
        <source>There is a host with the name %1 already</source>
        <translation>已有名为 %1 的主机</translation>
    </message>
    <message>
        <source>There is no plumbline-cli on %1, neither in PATH nor copied there</source>
        <translation>%1 上没有 plumbline-cli：PATH 中没有，也没有复制过去的副本</translation>
    </message>
    <message>
        <source>This is no engine of Plumbline, since it repeats what it is told: check the engine command (%1)</source>
        <translation>这不是 Plumbline 的引擎，因为它只会重复收到的内容：请检查引擎命令（%1）</translation>
    </message>
    <message>
        <source>This is no engine of Plumbline, since its first message cannot be used (%1): check the engine command (%2)</source>
        <translation>这不是 Plumbline 的引擎，因为它的第一条消息无法使用（%1）：请检查引擎命令（%2）</translation>
    </message>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>choose Run, Restart the engine</source>
        <translation>请选择“运行 &gt; 重新启动引擎”</translation>
    </message>
    <message>
        <source>choose a device of the engine to run</source>
        <translation>请选择引擎提供的设备</translation>
    </message>
    <message>
        <source>every %1</source>
        <translation>每 %1 层</translation>
    </message>
    <message>
        <source>fit %1</source>
        <translation>自动（预算 %1）</translation>
    </message>
    <message>
        <source>from an opened file</source>
        <translation>来自打开的文件</translation>
    </message>
    <message>
        <source>it begins with “%1”</source>
        <translation>其开头为“%1”</translation>
    </message>
    <message>
        <source>it has another C library than glibc</source>
        <translation>它的 C 库不是 glibc</translation>
    </message>
    <message>
        <source>its C library is glibc %1, older than %2 here</source>
        <translation>其 C 库为 glibc %1，低于本机的 %2</translation>
    </message>
    <message>
        <source>its processor is %1 and the one here %2</source>
        <translation>其处理器为 %1，而本机为 %2</translation>
    </message>
    <message>
        <source>measuring %1 · %2 of %3</source>
        <translation>正在测量 %1 · %2 / %3</translation>
    </message>
    <message>
        <source>no longer listed by the engine</source>
        <translation>引擎不再列出它</translation>
    </message>
    <message>
        <source>none</source>
        <comment>activations are kept</comment>
        <translation>不保留</translation>
    </message>
    <message>
        <source>operations of two steps</source>
        <translation>两步的算子</translation>
    </message>
    <message>
        <source>reading counters</source>
        <translation>正在读取计数器</translation>
    </message>
    <message>
        <source>sqrt</source>
        <translation>√L</translation>
    </message>
    <message>
        <source>the engine ended during step %1</source>
        <translation>引擎在第 %1 步期间退出</translation>
    </message>
    <message>
        <source>this device is for prediction only</source>
        <translation>该设备仅用于预测</translation>
    </message>
    <message>
        <source>try again when it is ready</source>
        <translation>请在其就绪后重试</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>what arrived before it is kept</source>
        <translation>此前收到的内容已保留</translation>
    </message>
    <message>
        <source>“%1” is no name of a user</source>
        <translation>“%1”不是用户名</translation>
    </message>
    <message>
        <source>“%1” is no path of a program</source>
        <translation>“%1”不是程序的路径</translation>
    </message>
</context>
</TS>
