<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source>%1
F1: more in the manual</source>
        <translation>%1
F1：在手册中查看更多</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <comment>what a chart shows, and its keys</comment>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>%1: back to the default</source>
        <translation>%1：恢复默认值</translation>
    </message>
    <message>
        <source>Back to the default</source>
        <translation>恢复默认值</translation>
    </message>
    <message>
        <source>Calibrate this machine</source>
        <translation>校准本机</translation>
    </message>
    <message numerus="yes">
        <source>Clear the range of %n operation(s)</source>
        <translation>
            <numerusform>清除 %n 个算子的区间</numerusform>
        </translation>
    </message>
    <message>
        <source>Close the message</source>
        <translation>关闭该消息</translation>
    </message>
    <message>
        <source>Measures the peak rates and the memory bandwidth of this machine</source>
        <translation>测量本机的峰值速率和内存带宽</translation>
    </message>
    <message>
        <source>Open %1</source>
        <translation>打开 %1</translation>
    </message>
    <message>
        <source>Puts it in the place of what was typed</source>
        <translation>用它替换输入的内容</translation>
    </message>
    <message>
        <source>Shows all operations again in all views</source>
        <translation>在所有视图中重新显示全部算子</translation>
    </message>
    <message>
        <source>There is no room for %1</source>
        <translation>没有位置显示：%1</translation>
    </message>
    <message>
        <source>Use no file</source>
        <translation>不使用文件</translation>
    </message>
    <message>
        <source>the run that goes on: %1</source>
        <translation>正在进行的运行：%1</translation>
    </message>
</context>
</TS>
