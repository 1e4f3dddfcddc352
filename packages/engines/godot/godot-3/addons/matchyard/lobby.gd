# A lobby of the player, kept up to date by long polling, which is also the player's heartbeat. Without answers it repeats the calls. It always
# reaches the final state, and reports no change twice.
extends Reference

const Match := preload("match.gd")
const MatchyardError := preload("error.gd")

# The lobby has a newer version. `before` is the previous snapshot; versions in between may be missing.
signal changed(now, before)
signal player_joined(player)
signal player_left(player_id)
signal host_changed(player_id)
# A match is proposed, and this player has not answered: call `accept()` or `decline()`. `proposal`: {match_id, expires_at, needed,
# accepted, players}.
signal proposed(proposal)
# The match was made; its game server starts.
signal matched(match_id)
# The game server runs.
signal in_game()
# The lobby returned to `waiting`. `last_exit`: {reason, detail, at}, and `will_requeue` when the service continues the search.
signal returned(last_exit)
# The lobby was closed, the last signal: "left", "removed" (kicked, or silent) or "deleted".
signal closed(reason)
# State of the connection: "live", "reconnecting" (an attempt failed), "lost" (no answer for half a minute; attempts continue).
signal connection_changed(state)
# The lobby changed or closed: waiting calls such as `find_match` check it again.
signal _moved()

# Seconds that the service may wait with the answer while nothing changes.
const WAIT := 20
const LOST_AFTER_MS := 30000
# Error codes that mean that the lobby has ended for this player.
const OVER := ["LOBBY_NOT_FOUND", "PROJECT_NOT_FOUND"]
const TOKEN_REFUSED := ["INVALID_PLAYER_TOKEN", "PLAYER_TOKEN_REQUIRED"]

var lobby_id := ""
# Newest snapshot from the service. Do not change it.
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

# Returns this player in the lobby: {player_id, state …}; null after the player left.
func me():
	return _player_in(current, _client.player_id)

# Searches and waits until the game server runs. -> Match `options.accept` (true by default) accepts every proposal; with false answer at
# the signal `proposed`. The host's call starts the search; another member's call waits for it. Gives MATCHMAKING_ENDED with
# `details.reason` when the search ends without a match.
func find_match(options := {}):
	var accepts: bool = options.get("accept", true)
	var has_begun: bool = current.status != "waiting"
	if is_host() and not has_begun:
		var entered = yield(enqueue(), "completed")
		if entered is MatchyardError:
			return entered
		has_begun = true
	else:
		yield(_client.get_tree(), "idle_frame")
	var answered := ""
	while is_open:
		if current.status == "in_game":
			return yield(_match_now(), "completed")
		if current.status == "waiting" and has_begun and not _will_requeue():
			return _came_to_nothing()
		has_begun = has_begun or current.status != "waiting"
		if accepts and _is_asked(current) and current.proposal.match_id != answered:
			answered = current.proposal.match_id
			accept()
		yield(self, "_moved")
	return _came_to_nothing()

# Joins a running match in which a friend keeps a seat for this player (`match.keep_seat`). This lobby must be in the queue of the match and
# have no other player. -> Match
func join_match(match_id: String):
	var answer = yield(_client._send("POST", "/v1/matches/%s/join" % match_id.percent_encode(), {"lobby_id": lobby_id}), "done")
	if answer is MatchyardError:
		return answer
	_take(answer)
	return yield(find_match(), "completed")

# Starts the search; only the host. -> the lobby's snapshot
func enqueue():
	return _changing("POST", "/queue")

# Cancels the search; only the host. -> the lobby's snapshot
func cancel():
	# The first attempt may have ended the search although its answer was lost. An ended search is the requested state, so this is no error.
	var answer = yield(_changing("DELETE", "/queue", null, {"gone": ["INVALID_LOBBY_STATE"]}), "completed")
	return current if answer == null else answer

# Starts a match of this lobby alone; only the host. `teams`: "one" team, "even" teams in the order of joining, or "state" for the
# teams that the players' `state.team` names. -> the lobby's snapshot
func start(teams := "one"):
	return _changing("POST", "/start", {"teams": teams})

# Accepts the proposed match. -> the lobby's snapshot
func accept():
	return _changing("POST", "/proposal/accept", _proposal_of_now())

# Declines the proposed match; this lobby returns to `waiting`. -> the lobby's snapshot
func decline():
	return _changing("POST", "/proposal/decline", _proposal_of_now())

# Merges `state` into this player's state, or replaces it. -> the player
func set_state(state: Dictionary, merge := true):
	return set_state_of(_client.player_id, state, merge)

# Changes the state of any player; only the host. -> the player
func set_state_of(player_id: String, state: Dictionary, merge := true):
	return yield(_send("PATCH", "/players/" + player_id.percent_encode(), {"state": state, "merge": merge}), "done")

# Replaces the settings; only the host. -> the lobby's snapshot
func set_settings(settings: Dictionary):
	return update({"settings": settings})

# Changes any of {name, queue_id, region, is_private, max_players, settings}; only the host. -> the lobby's snapshot
func update(fields: Dictionary):
	return _changing("PATCH", "/settings", fields)

# Removes a player; only the host. -> null
func kick(player_id: String):
	var more := {"gone": ["PLAYER_NOT_IN_LOBBY", "LOBBY_NOT_FOUND"]}
	return yield(_send("DELETE", "/players/" + player_id.percent_encode(), null, more), "done")

# Bans a player from this lobby, and removes the player if present; only the host. -> the lobby's snapshot
func ban(player_id: String):
	return _changing("POST", "/bans", {"player_id": player_id})

# Removes the ban of a player; only the host. -> null
func unban(player_id: String):
	return yield(_send("DELETE", "/bans/" + player_id.percent_encode(), null, {"gone": ["BAN_NOT_FOUND"]}), "done")

# Leaves the lobby. The signal `closed` comes at once; the call to the service is repeated until it arrives. -> null
func leave():
	_close("left")
	return yield(_send("POST", "/leave", null, {"gone": ["PLAYER_NOT_IN_LOBBY", "LOBBY_NOT_FOUND"]}), "done")

# Returns the reasons why the lobby is not matched yet. -> the service's answer: passes and fails by rule, the next relaxation, the cause
# that holds the lobby
func why_waiting():
	return yield(_send("GET", "/queue"), "done")

func _listen() -> void:
	while is_open:
		var version: int = current.version
		var path := "?after_version=%d&wait=%d" % [version, WAIT]
		var exchange = _send("GET", path, null, {"wait_ms": WAIT * 1000, "patience_ms": 0, "final": OVER})
		exchange.connect("faltered", self, "_on_faltered")
		var answer = yield(exchange, "done")
		if answer is MatchyardError:
			_close("deleted")
			return
		_connection_is("live")
		# Any other version counts as new, even a lower one: the service may have been restored from a backup.
		if is_open and answer != null:
			_take(answer, current.version == version)

func _on_faltered(error) -> void:
	if not is_open:
		return
	var now := OS.get_ticks_msec()
	if connection == "live":
		_silent_since = now
		_connection_is("reconnecting")
	elif now - _silent_since > LOST_AFTER_MS:
		_connection_is("lost")
	if error.code in TOKEN_REFUSED:
		_client.emit_signal("player_token_refused", error)

func _connection_is(state: String) -> void:
	if connection == state:
		return
	connection = state
	emit_signal("connection_changed", state)

func _take(now: Dictionary, at_any_version := false) -> void:
	var before := current
	if not is_open or now.version == before.version or (now.version < before.version and not at_any_version):
		return
	current = now
	emit_signal("changed", now, before)
	_tell_players(now, before)
	# A listener of the signal may have left the lobby meanwhile.
	if not is_open:
		return
	_tell_match(now)
	if not is_open:
		return
	if now.status != before.status:
		match now.status:
			"matched":
				emit_signal("matched", now.match_id)
			"in_game":
				emit_signal("in_game")
			"waiting":
				emit_signal("returned", now.last_exit)
	if _is_asked(now) and not (_is_asked(before) and before.proposal.match_id == now.proposal.match_id):
		emit_signal("proposed", now.proposal)
	if _player_in(now, _client.player_id) == null and _client.player_id != "":
		_close("removed")
	_move()

# Reports the lobby's state to its match. The lobby's reference to an ended match is removed first, because a listener of `ended` may leave
# the lobby at once.
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
			emit_signal("player_joined", player)
	for player in before.players:
		if _player_in(now, player.player_id) == null:
			emit_signal("player_left", player.player_id)
	if now.host_player_id != before.host_player_id:
		emit_signal("host_changed", now.host_player_id)

func _close(reason: String) -> void:
	if not is_open:
		return
	is_open = false
	_client._forget(self)
	var played = _match
	_match = null
	if played != null:
		played._end(reason)
	emit_signal("closed", reason)
	_move()

# Wakes the waiting calls. The signal is deferred, because a woken call may close the lobby and wake others before this signal ends.
func _move() -> void:
	call_deferred("emit_signal", "_moved")

# Returns the running match. A match that was read before is the same object, with a new join token.
func _match_now():
	var known = _match
	if known != null and known.match_id == current.match_id:
		if known.server != null:
			var token = yield(known.renew_join_token(), "completed")
			if token is MatchyardError:
				return token
		else:
			yield(_client.get_tree(), "idle_frame")
		return known
	var made = yield(Match.read(Match, _client, self), "completed")
	if made is MatchyardError:
		return made
	if not is_open or current.match_id != made.match_id:
		return _came_to_nothing()
	_match = made
	return made

# Whether the service puts this lobby back into its queue in a moment, after a failed launch.
func _will_requeue() -> bool:
	return current.last_exit != null and current.last_exit.get("will_requeue", false)

func _came_to_nothing():
	var why = current.last_exit
	if not is_open or why == null:
		return MatchyardError.made(MatchyardError, "MATCHMAKING_ENDED", "the lobby is closed", {"reason": "closed"})
	return MatchyardError.made(MatchyardError, "MATCHMAKING_ENDED", why.detail, why)

# Whether this player must still answer a proposal.
func _is_asked(lobby: Dictionary) -> bool:
	if lobby.get("proposal") == null:
		return false
	for player in lobby.proposal.players:
		if player.player_id == _client.player_id:
			return player.answer == "none"
	return false

# Returns the id of the present proposal. An answer names it, so that the answer never counts for a later proposal.
func _proposal_of_now():
	return {"match_id": current.proposal.match_id} if current.get("proposal") != null else null

func _player_in(lobby: Dictionary, player_id: String):
	for player in lobby.players:
		if player.player_id == player_id:
			return player
	return null

func _changing(method: String, path: String, body = null, more := {}):
	var answer = yield(_send(method, path, body, more), "done")
	if answer is Dictionary:
		_take(answer)
	return answer

func _send(method: String, path: String, body = null, more := {}):
	return _client._send(method, "/v1/lobbies/" + lobby_id.percent_encode() + path, body, more)
