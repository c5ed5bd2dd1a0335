<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>plumbline</name>
    <message>
        <source>%1 (not in this step)</source>
        <translation>%1（不在此步中）</translation>
    </message>
    <message>
        <source>%1, in %2, %3</source>
        <translation>%1，位于%2，%3</translation>
    </message>
    <message>
        <source>A file takes no longer note than this: the rest was left out.</source>
        <translation>文件容纳不下更长的备注：其余部分已舍去。</translation>
    </message>
    <message>
        <source>Bookmark</source>
        <translation>书签</translation>
    </message>
    <message>
        <source>Bookmarks</source>
        <translation>书签</translation>
    </message>
    <message>
        <source>Bookmarks of the document</source>
        <translation>文档的书签</translation>
    </message>
    <message>
        <source>Change the title of the chosen bookmark (F2)</source>
        <translation>更改选中书签的标题（F2）</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>No place is marked yet. Choose an operation or a range in any view, and mark it with Edit &gt; Bookmark this place (Ctrl+B).</source>
        <translation>还没有书签。在任一视图中选择一个算子或一段范围，然后用“编辑 &gt; 将此处加入书签”（Ctrl+B）标记。</translation>
    </message>
    <message>
        <source>Note of the document</source>
        <translation>文档的备注</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Take the chosen bookmark away (Delete)</source>
        <translation>删除选中的书签（Delete）</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>What is worth remembering of this document. It is kept in its file.</source>
        <translation>关于此文档值得记住的内容，随文件一起保存。</translation>
    </message>
    <message>
        <source>the whole view</source>
        <translation>整个视图</translation>
    </message>
</context>
</TS>
