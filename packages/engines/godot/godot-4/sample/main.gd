# UNPROVEN: ported to Godot 4 by hand from godot-3; no Godot 4 has run it here.
extends VBoxContainer

# Two windows of this sample are matched in the queue "arena", talk to `server.gd` over UDP, and end the match by a click.

const Matchyard = preload("res://addons/matchyard/client.gd")

# Use the values that `matchyard dev` prints, or start Godot with these environment variables.
var url = from_environment("MATCHYARD_URL", "http://127.0.0.1:8080")
var key = from_environment("MATCHYARD_CLIENT_KEY", "ck_live_…")

var socket = PacketPeerUDP.new()
var found = null

func _ready():
	$Play.pressed.connect(_on_pressed)
	if OS.get_environment("MATCHYARD_PLAY") != "":
		_on_pressed()

func _on_pressed():
	if found == null:
		search()
	else:
		socket.put_packet("over".to_utf8_buffer())

func search():
	$Play.disabled = true
	var player_id = "player_%d" % (Time.get_ticks_usec() ^ OS.get_process_id())
	var matchyard = Matchyard.new(url, key, player_id)
	add_child(matchyard)
	matchyard.lobby_opened.connect(_on_lobby_opened)
	note("%s searches" % player_id)
	var answer = await matchyard.play("arena")
	if matchyard.is_error(answer):
		note(str(answer))
		matchyard.queue_free()
	else:
		found = answer
		found.ended.connect(_on_ended.bind(matchyard))
		var game = found.endpoint("game")
		socket.connect_to_host(game.host, game.port)
		socket.put_packet(("join " + game.join_token).to_utf8_buffer())
		$Play.text = "End the match"
	$Play.disabled = false

func _process(_delta):
	while found != null and socket.get_available_packet_count() > 0:
		note(socket.get_packet().get_string_from_utf8())

func _on_lobby_opened(lobby):
	lobby.connection_changed.connect(note)
	lobby.proposed.connect(_on_proposed)

func _on_proposed(proposal):
	note("a match of %d is proposed" % proposal.needed)

func _on_ended(reason, matchyard):
	note("the match is over: " + reason)
	await found.lobby.leave()
	found = null
	socket.close()
	matchyard.queue_free()
	$Play.text = "Play"

func note(line):
	$Log.add_text(line + "\n")
	print(line)

func from_environment(name, otherwise):
	var given = OS.get_environment(name)
	return given if given != "" else otherwise
