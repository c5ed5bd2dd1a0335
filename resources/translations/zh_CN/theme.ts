<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source>%1, %2</source>
        <comment>parts of a list</comment>
        <translation>%1、%2</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <comment>clauses</comment>
        <translation>%1；%2</translation>
    </message>
    <message>
        <source>Press shortcut</source>
        <translation>按下快捷键</translation>
    </message>
    <message>
        <source>“Calibrate this machine”</source>
        <translation>“校准本机”</translation>
    </message>
</context>
</TS>
