#!/bin/sh
# UNPROVEN. Whether Godot 4 ends at SIGTERM was not tried; ignored, the server hears of its end by the signal `stopping`, and has ten seconds.
trap '' TERM
exec godot --headless --path . res://sample/server.tscn
