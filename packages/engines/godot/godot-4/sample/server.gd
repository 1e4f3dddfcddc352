# UNPROVEN: ported to Godot 4 by hand from godot-3; no Godot 4 has run it here.
extends Node

const GameServer = preload("res://addons/matchyard/game_server.gd")

var server = GameServer.new()
var socket = PacketPeerUDP.new()
var inside = {} # players who have joined: player id -> [address, port]

func _ready():
	Engine.max_fps = 60 # without a screen, nothing else limits the frame rate
	add_child(server)
	var problem = server.attach()
	if problem != null:
		print(problem)
		get_tree().quit(1)
		return
	server.match_updated.connect(_on_match_updated)
	server.stopping.connect(_on_stopping)
	socket.bind(server.port("game"))
	server.report_ready()

func _process(_delta):
	while socket.get_available_packet_count() > 0:
		var words = socket.get_packet().get_string_from_utf8().split(" ")
		var from = [socket.get_packet_ip(), socket.get_packet_port()]
		if words[0] == "join" and words.size() == 2:
			let_in(words[1], from)
		elif who_is(from) != "":
			take(words[0], who_is(from))

func let_in(join_token, from):
	var who = server.verify(join_token)
	if who is GameServer.MatchyardError:
		return say("refused", from)
	inside[who.player_id] = from
	tell_all("welcome %s to %s" % [who.player_id, who.team])

func take(word, player_id):
	match word:
		"leave": # the player has left for good: another player may get the seat
			inside.erase(player_id)
			await server.report_player_left(player_id)
			server.backfill()
		"won": # this player has won, which ends the match
			await server.report_result(won_by(player_id))
			tell_all("bye")
			server.shutdown()
		"over":
			tell_all("bye")
			server.shutdown()

func won_by(player_id):
	var ranks = []
	for team in server.teams:
		ranks.append({"name": team.name, "rank": 2})
		for player in team.players:
			if player.player_id == player_id:
				ranks.back().rank = 1
	return {"teams": ranks}

func who_is(from):
	for player_id in inside:
		if inside[player_id] == from:
			return player_id
	return ""

func tell_all(text):
	for from in inside.values():
		say(text, from)

func say(text, to):
	socket.set_dest_address(to[0], to[1])
	socket.put_packet(text.to_utf8_buffer())

func _on_match_updated(_teams):
	var names = PackedStringArray()
	for player in server.players():
		names.append(player.player_id)
	tell_all("%s play" % ", ".join(names))

func _on_stopping(_deadline):
	tell_all("bye")
	get_tree().quit()
