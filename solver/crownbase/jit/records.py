"""Records: blocks of 64-bit words with names, which kernels read and write through an address.

::

    class Desk(Record):
        papers: int
        \"\"\"Address of int64[10], ...\"\"\"
        count: int

    words = np.zeros(Desk.SIZE, np.int64)
    words[Desk.count] = 3                       # in Python: the number of the word
    desk = Address(words.ctypes.data, record=Desk)
    ...
    desk.count = desk.count + 1                 # in a kernel, and in its plain twin: the word

The name, its unit and its shape then stand in one place, the class; a record that inherits from
another one goes on behind its words.
"""

from __future__ import annotations

from typing import Any, ClassVar


class Record:
    """Base of all records. Every annotated name is a word; its class attribute is its number."""

    FIELDS: ClassVar[dict[str, int]] = {}
    SIZE: ClassVar[int] = 0

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        own = [name for name in cls.__dict__.get("__annotations__", {}) if name.islower()]
        cls.FIELDS = dict(cls.FIELDS)
        for name in own:
            cls.FIELDS[name] = len(cls.FIELDS)
            setattr(cls, name, cls.FIELDS[name])
        cls.SIZE = len(cls.FIELDS)
