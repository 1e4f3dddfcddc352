# Adds both nodes to the editor's dialog "Add Node". The scripts also work without it.
tool
extends EditorPlugin

func _enter_tree():
	add_custom_type("MatchyardClient", "Node", preload("client.gd"), null)
	add_custom_type("MatchyardGameServer", "Node", preload("game_server.gd"), null)

func _exit_tree():
	remove_custom_type("MatchyardClient")
	remove_custom_type("MatchyardGameServer")
