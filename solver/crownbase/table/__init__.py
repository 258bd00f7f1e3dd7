"""Tables on disk: bytes in, values out; this package knows no rules.

`write_table` makes a file, `Table` reads it through a `BlockCache`, `Manifest` lists a directory.
The layout of a file is drawn in `crownbase.table.format`.
"""

from crownbase.table.block_cache import BlockCache
from crownbase.table.codec import FREE, content_digest
from crownbase.table.files import FilePool, remove_temporaries, write_atomically
from crownbase.table.format import FORMAT_VERSION, METRICS, SectionHeader, SectionStats, TableHeader
from crownbase.table.manifest import MANIFEST_NAME, FileEntry, Manifest
from crownbase.table.packed_wdl import PackedWdl
from crownbase.table.reader import Table
from crownbase.table.writer import (
    SMALL_TABLE,
    SectionInput,
    WrittenTable,
    default_level,
    default_producer,
    write_table,
)

__all__ = [
    "FORMAT_VERSION",
    "FREE",
    "MANIFEST_NAME",
    "METRICS",
    "SMALL_TABLE",
    "BlockCache",
    "FileEntry",
    "FilePool",
    "Manifest",
    "PackedWdl",
    "SectionHeader",
    "SectionInput",
    "SectionStats",
    "Table",
    "TableHeader",
    "WrittenTable",
    "content_digest",
    "default_level",
    "default_producer",
    "remove_temporaries",
    "write_atomically",
    "write_table",
]
