# A player's connection to Matchyard, as a node: it runs in every frame, even while the game is paused. No call blocks a frame. A method
# with "->" in its comment is asynchronous: `var answer = yield(matchyard.play("arena"), "completed")` returns the value behind the arrow,
# or a MatchyardError (`is_error(answer)`).
extends Node

const Caller := preload("http/caller.gd")
const Lobby := preload("lobby.gd")
const MatchyardError := preload("error.gd")
const Ratings := preload("ratings.gd")
const Regions := preload("regions.gd")

# A lobby was created, joined or resumed. While `play` searches, this signal gives its lobby.
signal lobby_opened(lobby)
# The player's token was refused while a lobby is followed. Put a new one into `player_token` to continue.
signal player_token_refused(error)
# A search of `play` ended: further calls of `play` for this queue return its result.
signal _play_ended(queue_id, found)

# Address of the service, for example "https://play.example.com".
export var base_url := "http://127.0.0.1:8080"
# Client key (`ck_live_…`); it may be shipped with a game.
export var client_key := ""
# Id of the player, 1 to 128 characters.
export var player_id := ""
# Token that your backend signed, for projects whose players must prove their identity. It may be replaced at any time.
export var player_token := ""

# Reads ratings and leaderboards: `ratings.of()`, `ratings.leaderboard(rating_id)`, `ratings.around(rating_id)`.
var ratings = Ratings.new(self)

var _regions = Regions.new(self)

var _caller = null
var _lobbies := []
# Queues in which `play` searches.
var _searched := {}

func _init(url := "", key := "", player := ""):
	pause_mode = PAUSE_MODE_PROCESS
	if url != "":
		base_url = url
	client_key = key
	player_id = player

# Whether an answer is an error; with `code`, whether it is the error with that code.
func is_error(answer, code := "") -> bool:
	return answer is MatchyardError and (code == "" or answer.code == code)

# Finds a match: creates a lobby in the queue (private by default), searches and accepts. -> Match
# `options`: those of `create_lobby` and `Lobby.find_match`; with `leave_other` (false by default) the player leaves the match that keeps the
# player out of this one. With `measure` (false by default), the field `measure_field` (`pings`) of the state gets the latencies to the regions,
# for the queue's `latency` rule; a measurement counts for five minutes.
# While this client searches or plays in the queue, another call returns the same match and ignores its options. After a failure the player
# has left the lobby. PLAYER_IN_MATCH: `resume` returns to the other match, `match_id` of the error.
func play(queue_id: String, options := {}):
	if not _searched.has(queue_id):
		_searched[queue_id] = true
		var found = yield(_search(queue_id, options), "completed")
		_searched.erase(queue_id)
		emit_signal("_play_ended", queue_id, found)
		return found
	while true:
		var told = yield(self, "_play_ended")
		if told[0] == queue_id:
			return told[1]

# Returns to the player's live match after the game was closed, and waits until its game server runs. -> Match, or null
# Matches of a queue with `concurrent_matches` do not count.
func resume():
	var me = yield(_send("GET", "/v1/players/me"), "done")
	if me is MatchyardError:
		return me
	if me.live_match == null:
		return null
	var snapshot = yield(_send("GET", "/v1/lobbies/" + me.live_match.lobby_id.percent_encode()), "done")
	if snapshot is MatchyardError:
		return snapshot
	var lobby = _follow(snapshot)
	# In a lobby that waits again, `find_match` would begin a search.
	if lobby.current.status == "waiting":
		return null
	return yield(lobby.find_match(), "completed")

# Measures the latency to each region in which game servers can run: the median of five UDP requests to a beacon near the game servers, in
# milliseconds. A region without an answer is absent. `timeout`: seconds for which answers are awaited, at most 10. -> {"fra": 24, "iad": 98}
func measure_regions(timeout := 1.5):
	return yield(_regions.measure(timeout), "completed")

# Creates a lobby with this player as the host. -> Lobby
# `options`: any of {name, region, is_private, max_players, settings, state}.
func create_lobby(queue_id: String, options := {}):
	var body := {"queue_id": queue_id}
	for name in ["name", "region", "is_private", "max_players", "settings", "state"]:
		if options.has(name):
			body[name] = options[name]
	return _open("/v1/lobbies", body)

# Joins a public lobby. -> Lobby
func join_lobby(lobby_id: String, state := {}):
	return _open("/v1/lobbies/%s/join" % lobby_id.percent_encode(), {"state": state})

# Joins a lobby, public or private, by its invite code. -> Lobby
func join_by_code(invite_code: String, state := {}):
	return _open("/v1/lobbies/join", {"invite_code": invite_code, "state": state})

# Joins the fullest public lobby whose settings have the values of `filter`, or creates a lobby. -> Lobby
# With `create` false: LOBBY_NOT_FOUND when there is none.
func quick_join(queue_id: String, filter := {}, state := {}, create := true):
	return _open("/v1/lobbies/quick-join", {"queue_id": queue_id, "filter": filter, "state": state, "create": create})

# Returns to the player's newest lobby after the game was closed. -> Lobby, or null
func resume_lobby():
	var page = yield(_send("GET", "/v1/players/me/lobbies"), "done")
	if page is MatchyardError:
		return page
	return _follow(page.data[0]) if page.data.size() > 0 else null

# Returns a page of public lobbies. -> {total, limit, offset, has_more, data}
# `query`: any of {queue_id, status, region, sort, limit, offset, include_absent}. The next page begins at the page's `offset` plus its
# number of lobbies. With `include_absent`: also waiting lobbies whose host is absent.
func browse(query := {}):
	return yield(_fetch("/v1/lobbies", query), "done")

func _process(_delta: float) -> void:
	if _caller != null:
		_caller.step()

func _notification(what: int) -> void:
	# The phone has slept, so connections that were open before may be dead.
	if what == MainLoop.NOTIFICATION_APP_RESUMED and _caller != null:
		_caller.hurry()
	if what == NOTIFICATION_PREDELETE:
		_regions.abandon()
	if what == NOTIFICATION_PREDELETE and _caller != null:
		_caller.abandon_all()
		# A lobby and its match reference each other. One reference is removed, so that both objects can be freed.
		for lobby in _lobbies:
			lobby._match = null

func _search(queue_id: String, options: Dictionary):
	for known in _lobbies:
		if known.current.queue_id == queue_id and known.current.status != "waiting":
			return yield(known.find_match(options), "completed")
	var wanted := options.duplicate()
	if not wanted.has("is_private"):
		wanted.is_private = true
	if options.get("measure", false):
		wanted.state = yield(_regions.state_with(options.get("state", {}), options.get("measure_field", "pings")), "completed")
		if wanted.state is MatchyardError:
			return wanted.state
	var lobby = yield(create_lobby(queue_id, wanted), "completed")
	if lobby is MatchyardError:
		return lobby
	var found = yield(lobby.find_match(options), "completed")
	if is_error(found, "PLAYER_IN_MATCH") and options.get("leave_other", false):
		var left = yield(_leave_match(found.match_id), "completed")
		if left is MatchyardError:
			found = left
		else:
			found = yield(lobby.find_match(options), "completed")
	if found is MatchyardError:
		lobby.leave()
	return found

func _leave_match(match_id: String):
	for lobby in _lobbies:
		if lobby.current.match_id == match_id:
			return yield(lobby.leave(), "completed")
	var left = yield(_send("POST", "/v1/players/me/leave-match"), "done")
	return null if is_error(left, "MATCH_NOT_FOUND") else left

func _open(path: String, body: Dictionary):
	var answer = yield(_send("POST", path, body), "done")
	return answer if answer is MatchyardError else _follow(answer)

# Returns the object of a lobby. There is only one object for each lobby, even after repeated joins.
func _follow(snapshot: Dictionary):
	for lobby in _lobbies:
		if lobby.lobby_id == snapshot.lobby_id:
			lobby._take(snapshot)
			return lobby
	var lobby = Lobby.new(self, snapshot)
	_lobbies.append(lobby)
	lobby._listen()
	emit_signal("lobby_opened", lobby)
	return lobby

func _forget(lobby) -> void:
	_lobbies.erase(lobby)

func _fetch(path: String, query := {}):
	var parts := PoolStringArray()
	for name in query:
		# A boolean is lower case in the service's queries.
		var text := str(query[name]).to_lower() if query[name] is bool else str(query[name])
		parts.append("%s=%s" % [name.percent_encode(), text.percent_encode()])
	return _send("GET", path + ("?" + parts.join("&") if parts.size() > 0 else ""))

func _send(method: String, path: String, body = null, more := {}):
	if _caller == null:
		_caller = Caller.new(base_url, funcref(self, "_headers"))
	return _caller.send(method, path, body, more)

func _headers() -> Array:
	var lines := ["api-key: " + _in_a_line(client_key)]
	if player_id != "":
		lines.append("x-player-id: " + _in_a_line(player_id))
	if player_token != "":
		lines.append("authorization: Bearer " + _in_a_line(player_token))
	return lines

# Replaces line breaks in a header's value by tabs, because a line break would begin another header.
func _in_a_line(text: String) -> String:
	return text.replace("\r", "\t").replace("\n", "\t")
