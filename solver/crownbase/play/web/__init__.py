"""The explorer: an HTTP API for programs, and a page for people.

``databases`` opens the tables of each rule set once; ``answers`` turns positions into JSON;
``pages`` draws what is seen without JavaScript; ``app`` is the server that joins them, with the
bounds of ``bounds``. FastAPI comes with the extra ``web``; nothing else here needs it.
"""
