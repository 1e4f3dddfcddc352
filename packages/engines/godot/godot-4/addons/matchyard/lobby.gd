# UNPROVEN: ported to Godot 4 by hand from godot-3; no Godot 4 has run it here.
# A lobby as its player sees it, kept up to date by long polling, which is the player's heartbeat as well. Where nobody answers it asks again
# for as long as it takes; nothing that is so in the end is missed, and nothing is told twice.
extends RefCounted

const Match := preload("match.gd")
const MatchyardError := preload("error.gd")

# Each newer version of the lobby. `before` is the snapshot before it; versions in between may have been left out.
signal changed(now, before)
signal player_joined(player)
signal player_left(player_id)
signal host_changed(player_id)
# A match is proposed and this player has not answered: `accept()` or `decline()`. `proposal`: {match_id, expires_at, needed, accepted, players}.
signal proposed(proposal)
# A match is made; its game server is being started.
signal matched(match_id)
# The game server runs.
signal in_game()
# Back in `waiting`. `last_exit`: {reason, detail, at}.
signal returned(last_exit)
# The last one: "left", "removed" (kicked, or not heard of) or "deleted".
signal closed(reason)
# "live", "reconnecting" (an attempt failed), "lost" (nobody has answered for half a minute; it is still tried).
signal connection_changed(state)
# Something may have changed for who waits for it.
signal _moved()

# Seconds for which the service holds the answer back while nothing happens.
const WAIT := 20
const LOST_AFTER_MS := 30000
# With these there is no lobby any more, or none for this player.
const OVER := ["LOBBY_NOT_FOUND", "PROJECT_NOT_FOUND"]
const TOKEN_REFUSED := ["INVALID_PLAYER_TOKEN", "PLAYER_TOKEN_REQUIRED"]

var lobby_id := ""
# The newest snapshot: the lobby as the service shows it. Read it, do not write to it.
var current := {}
var is_open := true
# See `connection_changed`.
var connection := "live"

var _client
var _match = null
var _silent_since := 0

func _init(client, snapshot: Dictionary):
	_client = client
	lobby_id = snapshot.lobby_id
	current = snapshot

func is_host() -> bool:
	return current.host_player_id == _client.player_id

# This player as the lobby shows it: {player_id, state …}; null once it is not in there.
func me():
	return _player_in(current, _client.player_id)

# Searches and waits until the game server runs. -> Match
# `options.accept` (true unless said): says yes to every proposal; with false it is yours to answer at the signal `proposed`.
# The host's call begins the search, another member's waits for it. MATCHMAKING_ENDED, with `details.reason`, where it comes to nothing.
func find_match(options := {}):
	var accepts: bool = options.get("accept", true)
	var has_begun: bool = current.status != "waiting"
	if is_host() and not has_begun:
		var entered = await enqueue()
		if entered is MatchyardError:
			return entered
		has_begun = true
	else:
		await _client.get_tree().process_frame
	var answered := ""
	while is_open:
		if current.status == "in_game":
			return await _match_now()
		if current.status == "waiting" and has_begun:
			return _came_to_nothing()
		has_begun = has_begun or current.status != "waiting"
		if accepts and _is_asked(current) and current.proposal.match_id != answered:
			answered = current.proposal.match_id
			accept()
		await _moved
	return _came_to_nothing()

# Enters the queue, as its host. -> the lobby's snapshot
func enqueue():
	return await _changing("POST", "/queue")

# Ends the search, as its host. -> the lobby's snapshot
func cancel():
	# Where an answer was lost, a search that is over is what was asked for.
	var answer = await _changing("DELETE", "/queue", null, {"gone": ["INVALID_LOBBY_STATE"]})
	return current if answer == null else answer

# A match of this lobby alone. -> the lobby's snapshot
func start():
	return await _changing("POST", "/start")

# Says yes to the match that is proposed now. -> the lobby's snapshot
func accept():
	return await _changing("POST", "/proposal/accept", _proposal_of_now())

# Turns it down: this lobby is back in `waiting`. -> the lobby's snapshot
func decline():
	return await _changing("POST", "/proposal/decline", _proposal_of_now())

# Merges into this player's state, or replaces it. -> the player
func set_state(state: Dictionary, merge := true):
	return await set_state_of(_client.player_id, state, merge)

# The host may set every player's. -> the player
func set_state_of(player_id: String, state: Dictionary, merge := true):
	return await _send("PATCH", "/players/" + player_id.uri_encode(), {"state": state, "merge": merge}).done

# Replaces the settings, as the host. -> the lobby's snapshot
func set_settings(settings: Dictionary):
	return await update({"settings": settings})

# As the host, any of {name, queue_id, region, is_private, max_players, settings}. -> the lobby's snapshot
func update(fields: Dictionary):
	return await _changing("PATCH", "/settings", fields)

# Removes a player, as the host. -> null
func kick(player_id: String):
	var more := {"gone": ["PLAYER_NOT_IN_LOBBY", "LOBBY_NOT_FOUND"]}
	return await _send("DELETE", "/players/" + player_id.uri_encode(), null, more).done

# Kicks a player, if there, and keeps the player out of this lobby, as the host. -> the lobby's snapshot
func ban(player_id: String):
	return await _changing("POST", "/bans", {"player_id": player_id})

# Lets a banned player in again, as the host. -> null
func unban(player_id: String):
	return await _send("DELETE", "/bans/" + player_id.uri_encode(), null, {"gone": ["BAN_NOT_FOUND"]}).done

# Leaves; the signal `closed` comes at once, and the service is told for as long as it takes. -> null
func leave():
	_close("left")
	return await _send("POST", "/leave", null, {"gone": ["PLAYER_NOT_IN_LOBBY", "LOBBY_NOT_FOUND"]}).done

# Why does it still wait? -> what the service answers: per rule how many pass and fail, what loosens next, what holds it
func why_waiting():
	return await _send("GET", "/queue").done

func _listen() -> void:
	while is_open:
		var version: int = current.version
		var path := "?after_version=%d&wait=%d" % [version, WAIT]
		var exchange = _send("GET", path, null, {"wait_ms": WAIT * 1000, "patience_ms": 0, "final": OVER})
		exchange.faltered.connect(_on_faltered)
		var answer = await exchange.done
		if answer is MatchyardError:
			_close("deleted")
			return
		_connection_is("live")
		# Another version than the newest is a newer one, unless the service was set back to a copy from before.
		if is_open and answer != null:
			_take(answer, current.version == version)

func _on_faltered(error) -> void:
	if not is_open:
		return
	var now := Time.get_ticks_msec()
	if connection == "live":
		_silent_since = now
		_connection_is("reconnecting")
	elif now - _silent_since > LOST_AFTER_MS:
		_connection_is("lost")
	if error.code in TOKEN_REFUSED:
		_client.player_token_refused.emit(error)

func _connection_is(state: String) -> void:
	if connection == state:
		return
	connection = state
	connection_changed.emit(state)

func _take(now: Dictionary, at_any_version := false) -> void:
	var before := current
	if not is_open or now.version == before.version or (now.version < before.version and not at_any_version):
		return
	current = now
	changed.emit(now, before)
	_tell_players(now, before)
	# Who heard that may have left.
	if not is_open:
		return
	_tell_match(now)
	if not is_open:
		return
	if now.status != before.status:
		match now.status:
			"matched":
				matched.emit(now.match_id)
			"in_game":
				in_game.emit()
			"waiting":
				returned.emit(now.last_exit)
	if _is_asked(now) and not (_is_asked(before) and before.proposal.match_id == now.proposal.match_id):
		proposed.emit(now.proposal)
	if _player_in(now, _client.player_id) == null and _client.player_id != "":
		_close("removed")
	_move()

# Who hears that the match has ended may leave at once, so this lobby has let go of it by then.
func _tell_match(now: Dictionary) -> void:
	var played = _match
	if played == null:
		return
	if now.match_id != played.match_id:
		_match = null
	played._take(now)

func _tell_players(now: Dictionary, before: Dictionary) -> void:
	for player in now.players:
		if _player_in(before, player.player_id) == null:
			player_joined.emit(player)
	for player in before.players:
		if _player_in(now, player.player_id) == null:
			player_left.emit(player.player_id)
	if now.host_player_id != before.host_player_id:
		host_changed.emit(now.host_player_id)

func _close(reason: String) -> void:
	if not is_open:
		return
	is_open = false
	_client._forget(self)
	var played = _match
	_match = null
	if played != null:
		played._end(reason)
	closed.emit(reason)
	_move()

# After what happens now: who is woken by it may close the lobby, and so wake others, before this signal has come to its end.
func _move() -> void:
	_moved.emit.call_deferred()

func _match_now():
	var made = await Match.read(Match, _client, self)
	if made is MatchyardError:
		return made
	if not is_open or current.match_id != made.match_id:
		return _came_to_nothing()
	_match = made
	return made

func _came_to_nothing():
	var why = current.last_exit
	if not is_open or why == null:
		return MatchyardError.made(MatchyardError, "MATCHMAKING_ENDED", "the lobby is closed", {"reason": "closed"})
	return MatchyardError.made(MatchyardError, "MATCHMAKING_ENDED", why.detail, why)

# Whether this player has still to answer a proposal.
func _is_asked(lobby: Dictionary) -> bool:
	if lobby.get("proposal") == null:
		return false
	for player in lobby.proposal.players:
		if player.player_id == _client.player_id:
			return player.answer == "none"
	return false

# Guards against answering the proposal after the one that the player saw.
func _proposal_of_now():
	return {"match_id": current.proposal.match_id} if current.get("proposal") != null else null

func _player_in(lobby: Dictionary, player_id: String):
	for player in lobby.players:
		if player.player_id == player_id:
			return player
	return null

func _changing(method: String, path: String, body = null, more := {}):
	var answer = await _send(method, path, body, more).done
	if answer is Dictionary:
		_take(answer)
	return answer

func _send(method: String, path: String, body = null, more := {}):
	return _client._send(method, "/v1/lobbies/" + lobby_id.uri_encode() + path, body, more)
