"""For people and programs: the command line, and later the game, the engine and the web page."""
