# A game that a test controls: reads calls as lines of JSON over TCP, runs them, and writes their results and all signals.
extends Node

const Matchyard = preload("res://addons/matchyard/client.gd")
const JoinToken = preload("res://addons/matchyard/join_token.gd")
const SIGNALS = {
	"changed": "_told_two", "player_joined": "_told_one", "player_left": "_told_one", "host_changed": "_told_one", "proposed": "_told_one",
	"matched": "_told_one", "in_game": "_told", "returned": "_told_one", "closed": "_told_one", "connection_changed": "_told_one",
}

var strings = StreamPeerTCP.new()
var heard = ""
var matchyard
var ratings
var lobby
var found
var socket = PacketPeerUDP.new()

func _ready():
	Engine.target_fps = 60
	strings.connect_to_host("127.0.0.1", int(OS.get_environment("PUPPET_PORT")))
	strings.set_no_delay(true)
	matchyard = Matchyard.new(OS.get_environment("MATCHYARD_URL"), OS.get_environment("MATCHYARD_CLIENT_KEY"), OS.get_environment("PLAYER"))
	ratings = matchyard.ratings
	matchyard.connect("lobby_opened", self, "_on_lobby_opened")
	matchyard.connect("player_token_refused", self, "_told_one", ["player_token_refused"])
	add_child(matchyard)

func _process(_delta):
	if strings.get_status() != StreamPeerTCP.STATUS_CONNECTED:
		if strings.get_status() != StreamPeerTCP.STATUS_CONNECTING:
			get_tree().quit()
		return
	if strings.get_available_bytes() > 0:
		heard += strings.get_utf8_string(strings.get_available_bytes())
	while heard.find("\n") >= 0:
		var line = heard.substr(0, heard.find("\n"))
		heard = heard.substr(heard.find("\n") + 1)
		obey(JSON.parse(line).result)
	while socket.get_available_packet_count() > 0:
		tell({"event": "heard", "values": [socket.get_packet().get_string_from_utf8()]})

func obey(order):
	var on = self if order.on == "puppet" else get(order.on)
	var answer = on.callv(order.call, order.args)
	if answer is GDScriptFunctionState:
		answer = yield(answer, "completed")
	if answer is Matchyard.MatchyardError:
		return tell({"id": order.id, "error": plain(answer)})
	if answer is Matchyard.Lobby.Match:
		found = answer
		# Repeated calls return the same match.
		if not found.is_connected("ended", self, "_told_one"):
			found.connect("ended", self, "_told_one", ["ended"])
	tell({"id": order.id, "answer": plain(answer)})

func plain(value):
	if not value is Object:
		return value
	var fields = {}
	for property in value.get_property_list():
		if property.usage & PROPERTY_USAGE_SCRIPT_VARIABLE and not property.name.begins_with("_"):
			fields[property.name] = value.get(property.name)
	return fields

func say(host, port, text):
	if not socket.is_connected_to_host():
		socket.connect_to_host(host, port)
	socket.put_packet(text.to_utf8())

# Imitates a game that shows its menu when the match is over.
func leave_at_end():
	found.connect("ended", self, "_on_ended")

func _on_ended(_reason):
	lobby.leave()

# Imitates the wake-up of a machine that has slept.
func wake():
	matchyard._caller.hurry()

func verify(token, key, match_id, now):
	return JoinToken.verify(token, JoinToken.bytes_of(key), match_id, now)

func hmac(key, message):
	return JoinToken.hmac(JoinToken.bytes_of(key), JoinToken.bytes_of(message)).hex_encode()

func tell(message):
	strings.put_data((JSON.print(message) + "\n").to_utf8())

func _on_lobby_opened(opened):
	lobby = opened
	tell({"event": "lobby_opened", "values": [lobby.lobby_id]})
	for name in SIGNALS:
		lobby.connect(name, self, SIGNALS[name], [name])

func _told(name):
	tell({"event": name, "values": []})

func _told_one(value, name):
	tell({"event": name, "values": [plain(value)]})

func _told_two(one, other, name):
	tell({"event": name, "values": [one, other]})
