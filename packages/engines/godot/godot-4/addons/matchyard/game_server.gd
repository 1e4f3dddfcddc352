# UNPROVEN: ported to Godot 4 by hand from godot-3; no Godot 4 has run it here.
# A game server that Matchyard launched: its match, its players, and its calls to the service. A node; add it to the tree, call
# `attach()`, listen on `port("game")`, then call `report_ready()`. A method with "->" in its comment is asynchronous: `await …`
# returns the value behind the arrow, or a MatchyardError. A game may also ignore the result.
extends Node

const Caller := preload("http/caller.gd")
const EventStream := preload("http/event_stream.gd")
const JoinToken := preload("join_token.gd")
const MatchyardError := preload("error.gd")

# Players joined by backfill, or players left. `teams` has the form of the variable `teams` below.
signal match_updated(teams)
# The server must end. `deadline`: the time at which its process is killed (ISO 8601).
signal stopping(deadline)

# Path of the configuration file in containers.
const CONFIG_FILE := "/svc/its_svc.json"
const HEARTBEAT_SECONDS := 10.0
# Seconds between two checks for the configuration file, by a server that was started before its match. The second constant is the longest
# time in milliseconds that writing the file takes.
const LOOK_SECONDS := 0.05
const WRITTEN_WITHIN_MS := 5000

# Content of the configuration file at the launch.
var config := {}
var match_id := ""
# Version of the match, which grows when players join or leave.
var match_version := 0
# Teams with the present players: [{name, players: [{player_id, lobby_id, role, state}]}].
var teams := []
# Settings of the lobby that waited longest.
var settings := {}
# `custom_data` of the queue.
var custom_data := {}

var _caller = null
var _stream = null
var _key := PackedByteArray()
var _beat_in := HEARTBEAT_SECONDS

func _init():
	process_mode = PROCESS_MODE_ALWAYS

# Waits for the match, for queues whose servers start before their match (`warm`); elsewhere it returns at once. Call it before
# `attach()`, after loading the common data of all matches. -> null
func wait_for_match():
	await get_tree().process_frame
	var begun := -1
	while FileAccess.file_exists(_path()) and not _parsed(_path()) is Dictionary:
		if begun < 0 and not _is_empty(_path()):
			begun = Time.get_ticks_msec()
		if begun >= 0 and Time.get_ticks_msec() - begun > WRITTEN_WITHIN_MS:
			break
		await get_tree().create_timer(LOOK_SECONDS).timeout
	return null

# Reads the file that SVC_CONFIG_FILE names. Returns null, or a MatchyardError NO_CONFIGURATION.
# `local` replaces a missing file when the game is run by hand; the calls to the service then do nothing.
func attach(local = null):
	var found = _read(_path())
	if found is MatchyardError:
		if OS.get_environment("SVC_CONFIG_FILE") != "" or local == null:
			return found
		found = local
	config = found
	match_id = _text("match_id")
	settings = config.get("settings", {})
	custom_data = config.get("custom_data", {})
	_key = JoinToken.bytes_of(_text("join_token_key"))
	_take(config)
	if _text("api_url") == "":
		return null
	_caller = Caller.new(config.api_url, _headers)
	_stream = EventStream.new(_caller.origin, "/v1/servers/self/events", _headers)
	_stream.message.connect(_on_message)
	return null

# Returns the port to listen on, by its name in the queue (PORT_<NAME>); `otherwise` without Matchyard.
func port(name: String, otherwise := 0) -> int:
	var spelled := ""
	for index in range(name.length()):
		var letter := name[index]
		spelled += letter.to_upper() if letter.is_valid_identifier() or letter.is_valid_int() else "_"
	var given := OS.get_environment("PORT_" + spelled)
	return int(given) if given != "" else otherwise

# Returns the present players of all teams: [{player_id, lobby_id, role, state}].
func players() -> Array:
	var all := []
	for team in teams:
		all.append_array(team.players)
	return all

# Returns the player of a join token: {player_id, team, role}, or a MatchyardError INVALID_JOIN_TOKEN. Works offline and returns at once.
func verify(join_token: String):
	return JoinToken.verify(join_token, _key, match_id, Time.get_unix_time_from_system())

# Reports that players may connect; required with the readiness `self`. -> null
func report_ready():
	return await _tell("POST", "ready")

# Reports that a player has left for good. With `excused`, the player gets no penalty of the queue (leaver_penalty). -> null
func report_player_left(player_id: String, excused := false):
	return await _tell("DELETE", "players/" + player_id.uri_encode() + ("?excused=true" if excused else ""))

# Requests newcomers for the open seats. -> {match_id, status, teams, expires_at, created_at}
# `options`: any of {teams: [{name, open}], players: [{player_id, state}], timeout (seconds)}.
func backfill(options := {}):
	return await _tell("POST", "backfill", options)

# Withdraws the request for newcomers. -> null
func end_backfill():
	return await _tell("DELETE", "backfill")

# Keeps an open seat for one player, who joins without a search; the queue needs `late_join`. `options`: any of {team, hold (seconds)}.
# -> {player_id, team, expires_at}
func keep_seat(player_id: String, options := {}):
	var body := options.duplicate()
	body["player_id"] = player_id
	return await _tell("POST", "seats", body)

# Gives back the seat that is kept for a player. -> null
func free_seat(player_id: String):
	return await _tell("DELETE", "seats/" + player_id.uri_encode())

# Reports the result of the match, once; the same result again changes nothing. -> the match
# `result`: {teams: [{name, rank or score}], and any of players: [{player_id, score, stats, left}], completed, end}. With `end` the match
# ends too.
func report_result(result: Dictionary):
	return await _tell("POST", "result", result)

# Closes the match to newcomers until it ends. -> null
func close():
	return await _tell("POST", "close")

# Ends the match: its lobbies return to `waiting`, and this process ends. -> null
func shutdown():
	var answer = await _tell("POST", "shutdown")
	get_tree().quit()
	return answer

func _process(delta: float) -> void:
	if _caller == null:
		return
	_caller.step()
	_stream.step()
	_beat_in -= delta
	if _beat_in < 0:
		_beat_in = HEARTBEAT_SECONDS
		_tell("POST", "heartbeat")

func _notification(what: int) -> void:
	if what == NOTIFICATION_PREDELETE and _caller != null:
		_caller.abandon_all()
		_stream.close()

func _tell(method: String, name: String, body = null):
	if _caller == null:
		await get_tree().process_frame
		return null
	return await _caller.send(method, "/v1/servers/self/" + name, body).done

func _on_message(name: String, data) -> void:
	if name == "stopping":
		stopping.emit(data.deadline)
	elif name == "match_updated" and data.match_version != match_version:
		_take(data)
		match_updated.emit(teams)

func _take(known: Dictionary) -> void:
	match_version = int(known.get("match_version", 0))
	teams = known.get("teams", [])

func _path() -> String:
	var named := OS.get_environment("SVC_CONFIG_FILE")
	return named if named != "" else CONFIG_FILE

func _read(path: String):
	if not FileAccess.file_exists(path):
		return MatchyardError.made(MatchyardError, "NO_CONFIGURATION", "there is no configuration file %s: was this server launched by Matchyard?" % path)
	var parsed = _parsed(path)
	if parsed is Dictionary:
		return parsed
	var hint := "%s is empty: say `await server.wait_for_match()` before attach()" if _is_empty(path) else "%s is not a JSON object"
	return MatchyardError.made(MatchyardError, "NO_CONFIGURATION", hint % path)

func _parsed(path: String):
	var json := JSON.new()
	return json.data if json.parse(FileAccess.get_file_as_string(path)) == OK else null

func _is_empty(path: String) -> bool:
	return FileAccess.get_file_as_string(path) == ""

func _text(name: String) -> String:
	var value = config.get(name)
	return value if value is String else ""

func _headers() -> Array:
	return ["authorization: Bearer " + _text("token")]
