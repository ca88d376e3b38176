"""The shell round the rules: HTTP, the store, streams, clocks, tournaments and the command line."""
