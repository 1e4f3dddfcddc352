#!/bin/sh
# Godot 3 ends at once where it is told to by SIGTERM. Ignored, the server hears of its end by the signal `stopping`, and has ten seconds.
trap '' TERM
exec godot3-server --path . res://sample/server.tscn
