# UNPROVEN: ported to Godot 4 by hand from godot-3; no Godot 4 has run it here.
# A player's way to Matchyard: a node, so that it is asked once in every frame, also while the game is paused. No call blocks a frame.
# Each method with "->" in its comment is waited for: `var answer = await matchyard.play("arena")`. It answers what stands
# behind the arrow, or a MatchyardError (`is_error(answer)`).
extends Node

const Caller := preload("http/caller.gd")
const Lobby := preload("lobby.gd")
const MatchyardError := preload("error.gd")

# A lobby is there, made, joined or resumed: the way to it while `play` still searches.
signal lobby_opened(lobby)
# The player's token was refused while a lobby is followed: put a new one into `player_token`, and it goes on.
signal player_token_refused(error)

# Where the service is, such as "https://play.example.com".
@export var base_url := "http://127.0.0.1:8080"
# A client key (`ck_live_…`); it may stand in a game that is given out.
@export var client_key := ""
# Who plays, 1 to 128 characters.
@export var player_id := ""
# Where the project asks players to prove who they are: the token that your backend signed. It may be replaced at any time.
@export var player_token := ""

var _caller = null
var _lobbies := []

func _init(url := "", key := "", player := ""):
	process_mode = PROCESS_MODE_ALWAYS
	if url != "":
		base_url = url
	client_key = key
	player_id = player

# Whether an answer is an error; with a code, whether it is that error.
func is_error(answer, code := "") -> bool:
	return answer is MatchyardError and (code == "" or answer.code == code)

# From nothing to a match: makes a lobby in the queue (private unless `options` say otherwise), searches and accepts. -> Match
# `options`: what `create_lobby` and `Lobby.find_match` take. Where it comes to nothing, the lobby is left again.
func play(queue_id: String, options := {}):
	var wanted := options.duplicate()
	if not wanted.has("is_private"):
		wanted.is_private = true
	var lobby = await create_lobby(queue_id, wanted)
	if lobby is MatchyardError:
		return lobby
	var found = await lobby.find_match(options)
	if found is MatchyardError:
		lobby.leave()
	return found

# A lobby whose host is this player. -> Lobby
# `options`: any of {name, region, is_private, max_players, settings, state}.
func create_lobby(queue_id: String, options := {}):
	var body := {"queue_id": queue_id}
	for name in ["name", "region", "is_private", "max_players", "settings", "state"]:
		if options.has(name):
			body[name] = options[name]
	return await _open("/v1/lobbies", body)

# Joins a public lobby. -> Lobby
func join_lobby(lobby_id: String, state := {}):
	return await _open("/v1/lobbies/%s/join" % lobby_id.uri_encode(), {"state": state})

# Joins by an invite code, public or private. -> Lobby
func join_by_code(invite_code: String, state := {}):
	return await _open("/v1/lobbies/join", {"invite_code": invite_code, "state": state})

# A seat in the fullest public lobby whose settings have the values of `filter`, else a new lobby. -> Lobby
# With `create` false: LOBBY_NOT_FOUND where there is none.
func quick_join(queue_id: String, filter := {}, state := {}, create := true):
	return await _open("/v1/lobbies/quick-join", {"queue_id": queue_id, "filter": filter, "state": state, "create": create})

# The lobby in which the player was when the game was closed or broke. -> Lobby, or null
func resume():
	var page = await _send("GET", "/v1/players/me/lobbies").done
	if page is MatchyardError:
		return page
	return _follow(page.data[0]) if page.data.size() > 0 else null

# One page of public lobbies. -> {total, limit, offset, has_more, data}
# `query`: any of {queue_id, status, region, sort, limit, offset}.
func browse(query := {}):
	var parts := PackedStringArray()
	for name in query:
		parts.append("%s=%s" % [name.uri_encode(), str(query[name]).uri_encode()])
	return await _send("GET", "/v1/lobbies?" + "&".join(parts)).done

func _process(_delta: float) -> void:
	if _caller != null:
		_caller.step()

func _notification(what: int) -> void:
	# A phone kept the game asleep: what was open then may be dead.
	if what == NOTIFICATION_APPLICATION_RESUMED and _caller != null:
		_caller.hurry()
	if what == NOTIFICATION_PREDELETE and _caller != null:
		_caller.abandon_all()
		# A lobby and its match hold each other.
		for lobby in _lobbies:
			lobby._match = null

func _open(path: String, body: Dictionary):
	var answer = await _send("POST", path, body).done
	return answer if answer is MatchyardError else _follow(answer)

# One object for each lobby, however often it is joined or resumed.
func _follow(snapshot: Dictionary):
	for lobby in _lobbies:
		if lobby.lobby_id == snapshot.lobby_id:
			lobby._take(snapshot)
			return lobby
	var lobby = Lobby.new(self, snapshot)
	_lobbies.append(lobby)
	lobby._listen()
	lobby_opened.emit(lobby)
	return lobby

func _forget(lobby) -> void:
	_lobbies.erase(lobby)

func _send(method: String, path: String, body = null, more := {}):
	if _caller == null:
		_caller = Caller.new(base_url, _headers)
	return _caller.send(method, path, body, more)

func _headers() -> Array:
	var lines := ["api-key: " + _in_a_line(client_key)]
	if player_id != "":
		lines.append("x-player-id: " + _in_a_line(player_id))
	if player_token != "":
		lines.append("authorization: Bearer " + _in_a_line(player_token))
	return lines

# A line break would begin another header; the service refuses what is left.
func _in_a_line(text: String) -> String:
	return text.replace("\r", "\t").replace("\n", "\t")
