<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source>%1 devices imported</source>
        <translation>已导入 %1 个设备</translation>
    </message>
    <message>
        <source>%1 was deleted</source>
        <translation>已删除 %1</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>关闭(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>删除(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Do not save</source>
        <translation>不保存(&amp;D)</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>导出(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Import…</source>
        <translation>导入(&amp;I)…</translation>
    </message>
    <message>
        <source>&amp;New</source>
        <translation>新建(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Revert</source>
        <translation>还原(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>保存(&amp;S)</translation>
    </message>
    <message>
        <source>1 device imported</source>
        <translation>已导入 1 个设备</translation>
    </message>
    <message>
        <source>A record of your own.</source>
        <translation>自定义记录。</translation>
    </message>
    <message>
        <source>Add the records of a file</source>
        <translation>添加文件中的记录</translation>
    </message>
    <message>
        <source>Begin a record of your own from this one</source>
        <translation>以这条记录为起点新建自定义记录</translation>
    </message>
    <message>
        <source>Built in</source>
        <translation>内置</translation>
    </message>
    <message>
        <source>Built in, to read. Duplicate it to change a figure.</source>
        <translation>内置，只读。创建副本即可修改其中的数值。</translation>
    </message>
    <message>
        <source>Close this window; what was typed stays</source>
        <translation>关闭此窗口；已输入的内容会保留</translation>
    </message>
    <message>
        <source>Copies to and from the device</source>
        <translation>与设备之间的拷贝</translation>
    </message>
    <message>
        <source>Copies: %1, %2</source>
        <translation>拷贝：%1，%2</translation>
    </message>
    <message>
        <source>D&amp;uplicate</source>
        <translation>创建副本(&amp;U)</translation>
    </message>
    <message>
        <source>Delete this record; Undo brings it back</source>
        <translation>删除这条记录；可用“撤销”恢复</translation>
    </message>
    <message>
        <source>Device records (*.json)</source>
        <translation>设备记录 (*.json)</translation>
    </message>
    <message>
        <source>Device records (*.json);;All files (*)</source>
        <translation>设备记录 (*.json);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Devices… in the menu Run shows them; Save there keeps them.</source>
        <translation>“运行”菜单中的“设备…”会显示它们；在那里单击“保存”即可保留。</translation>
    </message>
    <message>
        <source>Enter a device by hand</source>
        <translation>手动输入设备</translation>
    </message>
    <message>
        <source>Export devices</source>
        <translation>导出设备</translation>
    </message>
    <message>
        <source>Exported to %1</source>
        <translation>已导出到 %1</translation>
    </message>
    <message>
        <source>Filter by name</source>
        <translation>按名称筛选</translation>
    </message>
    <message>
        <source>Filter devices</source>
        <translation>筛选设备</translation>
    </message>
    <message>
        <source>Forget what was typed</source>
        <translation>放弃已输入的内容</translation>
    </message>
    <message>
        <source>Import devices</source>
        <translation>导入设备</translation>
    </message>
    <message>
        <source>Keep this record; it can be chosen everywhere then</source>
        <translation>保留这条记录；之后各处都可选择它</translation>
    </message>
    <message>
        <source>Make the change again that was taken back</source>
        <translation>重新执行已撤销的更改</translation>
    </message>
    <message>
        <source>New</source>
        <translation>新建</translation>
    </message>
    <message>
        <source>New device</source>
        <translation>新设备</translation>
    </message>
    <message>
        <source>New record. Give a name and at least one figure.</source>
        <translation>新记录。请给出名称和至少一项数值。</translation>
    </message>
    <message>
        <source>No device is called “%1”</source>
        <translation>没有名为“%1”的设备</translation>
    </message>
    <message>
        <source>Not saved yet</source>
        <translation>尚未保存</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Take back the last change of the records</source>
        <translation>撤销上一次对记录的更改</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>This machine. Its peaks and its bandwidth come from Calibrate in the menu Run.</source>
        <translation>本机。其峰值和带宽由“运行”菜单中的“校准”得到。</translation>
    </message>
    <message>
        <source>This new record is not saved yet: save or revert it, then begin another.</source>
        <translation>这条新记录尚未保存：请先保存或还原它，再新建另一条。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>What was typed of these device records is not saved: %1.</source>
        <translation>这些设备记录中输入的内容尚未保存：%1。</translation>
    </message>
    <message>
        <source>Where the figures are from: a data sheet, a measurement</source>
        <translation>数值的出处：规格表、某次测量</translation>
    </message>
    <message>
        <source>Write numbers with their unit: 989.5 TFLOP/s, 3.35 TB/s, 80 GB. Peaks are dense. What is not known is left out; nothing is ever guessed from another figure.</source>
        <translation>请连同单位书写数字：989.5 TFLOP/s、3.35 TB/s、80 GB。峰值均为稠密值。未知的量留空；绝不由其他数值推测。</translation>
    </message>
    <message>
        <source>Write your own records to a file</source>
        <translation>将自定义记录写入文件</translation>
    </message>
    <message>
        <source>Your own</source>
        <translation>自定义</translation>
    </message>
    <message>
        <source>copied from %1 (%2)</source>
        <translation>复制自 %1（%2）</translation>
    </message>
    <message>
        <source>entered by hand</source>
        <translation>手动输入</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>“%1”</translation>
    </message>
</context>
</TS>
