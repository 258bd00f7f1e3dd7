"""Searching beyond the tables: alpha-beta that ends in moves, evaluation or exact table values.

``crownbase.search`` is this package and, called, its main function: ``crownbase.search(pos)`` is
``crownbase.search.search(pos)``.
"""

from crownbase._callable import make_callable
from crownbase.search.loader import Loader, search_at_once
from crownbase.search.proof import Proof, prove
from crownbase.search.searcher import Limits, Searcher, SearchResult, search
from crownbase.search.tables import TableView

__all__ = [
    "Limits",
    "Loader",
    "Proof",
    "SearchResult",
    "Searcher",
    "TableView",
    "prove",
    "search",
    "search_at_once",
]


make_callable(__name__, search)
