<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source>Digits, trained on a CPU</source>
        <translation>CPU 上训练的手写数字</translation>
    </message>
    <message>
        <source>PyTorch decoder on a CPU</source>
        <translation>CPU 上的 PyTorch 解码器</translation>
    </message>
    <message>
        <source>PyTorch perceptron on a CPU</source>
        <translation>CPU 上的 PyTorch 感知机</translation>
    </message>
</context>
</TS>
