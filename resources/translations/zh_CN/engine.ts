<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source> during step %1; everything received is kept</source>
        <translation> （在第 %1 步期间）；已收到的全部保留</translation>
    </message>
    <message>
        <source> · %1 of %2</source>
        <translation> · %1 / %2</translation>
    </message>
    <message>
        <source>%1 is %2: choose a device of the engine to run</source>
        <translation>%1 %2：请选择引擎提供的设备来运行</translation>
    </message>
    <message>
        <source>%1 is calibrated: predicted times now use its own ceilings</source>
        <translation>%1 已校准：预测时间现在使用它自己的上限</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>A message of the engine was refused (%1)</source>
        <translation>引擎的一条消息被拒绝（%1）</translation>
    </message>
    <message>
        <source>Looked for devices again: %1 of %2 can run</source>
        <translation>已重新查找设备：%2 个中有 %1 个可以运行</translation>
    </message>
    <message>
        <source>Profiled without counters: %1</source>
        <translation>已在没有计数器的情况下完成性能分析：%1</translation>
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
        <translation>引擎没有先发送问候消息：请检查引擎命令（%1）</translation>
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
        <translation>引擎没有停止，已将其结束；正在启动另一个，已收到的全部保留</translation>
    </message>
    <message>
        <source>The engine does not answer (for %1): wait, since a long step may be under way, or restart it; everything received is kept</source>
        <translation>引擎没有响应（已 %1）：请等待，可能正在执行较长的一步，或重新启动它；已收到的全部保留</translation>
    </message>
    <message>
        <source>The engine ended (exit code %1)</source>
        <translation>引擎已结束（退出代码 %1）</translation>
    </message>
    <message>
        <source>The engine ended (signal %1)</source>
        <translation>引擎已结束（信号 %1）</translation>
    </message>
    <message>
        <source>The engine has not answered for %1 and is waited for until %2 have passed; it last said: %3</source>
        <translation>引擎已 %1 没有响应，将等待至 %2；它最后的消息：%3</translation>
    </message>
    <message>
        <source>The engine has not stopped for %1: wait, since a long step may be under way, or stop once more, which ends its process and starts another; everything received is kept</source>
        <translation>引擎已 %1 没有停止：请等待，可能正在执行较长的一步，或再次停止，这会结束其进程并启动另一个；已收到的全部保留</translation>
    </message>
    <message>
        <source>The engine has said nothing for %1 and is waited for until %2 have passed: check the engine command (%3) where it stays silent</source>
        <translation>引擎已 %1 没有任何消息，将等待至 %2：若一直沉默，请检查引擎命令（%3）</translation>
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
        <translation>引擎属于另一发行版（%1），使用协议版本 %2，而本窗口使用版本 %3：请在两端安装相同的 Plumbline</translation>
    </message>
    <message>
        <source>The engine is starting</source>
        <translation>引擎正在启动</translation>
    </message>
    <message>
        <source>The engine was ended: %1 of its messages in a row cannot be used (%2)</source>
        <translation>已结束引擎：它连续发来的 %1 条消息无法使用（%2）</translation>
    </message>
    <message>
        <source>The engine works on something else: stop that first</source>
        <translation>引擎正在做其他工作：请先停止它</translation>
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
        <source>every %1</source>
        <translation>每 %1 层</translation>
    </message>
    <message>
        <source>fit %1</source>
        <translation>预算 %1</translation>
    </message>
    <message>
        <source>from an opened file</source>
        <translation>来自打开的文件</translation>
    </message>
    <message>
        <source>from its data sheet: for prediction only</source>
        <translation>来自规格表：仅用于预测</translation>
    </message>
    <message>
        <source>it begins with “%1”</source>
        <translation>其开头为“%1”</translation>
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
        <source>only NVIDIA GPUs have counters</source>
        <translation>只有 NVIDIA GPU 提供计数器</translation>
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
        <translation>引擎在第 %1 步期间结束</translation>
    </message>
    <message>
        <source>this device is for prediction only</source>
        <translation>该设备仅用于预测</translation>
    </message>
    <message>
        <source>what arrived before it is kept</source>
        <translation>此前收到的内容已保留</translation>
    </message>
</context>
</TS>
