# UNPROVEN: ported to Godot 4 by hand from godot-3; no Godot 4 has run it here.
# One call and its repetitions. It repeats after temporary failures: no answer, or a busy service. The pauses grow, are random up to their
# bound (full jitter), and never shorter than `retry-after`. All repetitions of a POST carry one idempotency key, so that a call whose
# answer was lost has no second effect.
extends RefCounted

const Connection := preload("connection.gd")
const MatchyardError := preload("../error.gd")

# Result: the body as JSON (null for an empty one), or a MatchyardError.
signal done(answer)
# An attempt failed; another attempt follows.
signal faltered(error)

const FIRST_PAUSE_MS := 500
const LONGEST_PAUSE_MS := 5000
# Timeout of one attempt in milliseconds, without the wait that the call itself requests.
const ATTEMPT_MS := 15000
# HTTP statuses of temporary failures.
const PASSING := [408, 429, 502, 503, 504]

var is_done := false

var _origin
# Called before each attempt, because a player's token may have been replaced.
var _headers: Callable
var _order := {}
var _key := ""
var _attempts := 0
var _connection = null
var _attempt_until := 0
var _resume_at := 0
var _give_up_at := 0
var _body := PackedByteArray()
var _random := RandomNumberGenerator.new()

# `order`: {method, path, body (anything, or null), wait_ms, patience_ms (0: for ever), final (codes that end a call with patience
# for ever), gone (codes that mean success where an earlier attempt may have arrived)}.
func _init(origin, headers: Callable, order: Dictionary):
	_origin = origin
	_headers = headers
	_order = order
	_random.randomize()
	_resume_at = Time.get_ticks_msec()
	if order.patience_ms > 0:
		_give_up_at = _resume_at + order.patience_ms
	if order.method == "POST":
		_key = Crypto.new().generate_random_bytes(16).hex_encode()

func step() -> void:
	if is_done:
		return
	var now := Time.get_ticks_msec()
	if _connection == null:
		if now >= _resume_at:
			_begin(now)
		return
	var state: int = _connection.step()
	_body.append_array(_connection.take())
	if state == Connection.ENDED:
		_judge(_connection.code, _connection.headers)
	elif state == Connection.BROKEN:
		_falter(_network_error("the connection broke, or could not be made"))
	elif now > _attempt_until:
		_falter(_network_error("no answer within %d s" % [(ATTEMPT_MS + _order.wait_ms) / 1000]))

# Repeats the call at once. Called when the machine has slept, because connections from before may be dead.
func hurry() -> void:
	_drop()
	_resume_at = 0

func abandon() -> void:
	is_done = true
	_drop()

func _begin(now: int) -> void:
	_attempts += 1
	_attempt_until = now + ATTEMPT_MS + _order.wait_ms
	_body = PackedByteArray()
	var lines: Array = _headers.call()
	var text := ""
	if _order.body != null:
		text = JSON.stringify(_order.body, "", false)
		lines.append("content-type: application/json")
	elif _order.method != "GET":
		lines.append("content-length: 0")
	if _key != "":
		lines.append("idempotency-key: " + _key)
	_connection = Connection.new()
	_connection.open(_origin, {"method": _method(), "path": _order.path, "headers": PackedStringArray(lines), "body": text})

func _method() -> int:
	match _order.method:
		"POST":
			return HTTPClient.METHOD_POST
		"PATCH":
			return HTTPClient.METHOD_PATCH
		"DELETE":
			return HTTPClient.METHOD_DELETE
	return HTTPClient.METHOD_GET

func _judge(status: int, headers: Dictionary) -> void:
	_drop()
	var text := _body.get_string_from_utf8()
	if status == 204:
		_finish(null)
		return
	# Answers that are not JSON, such as the login page of a hotel's network, are not parsed, because the engine would print an error.
	var parsed = JSON.parse_string(text) if text.begins_with("{") else null
	if status >= 200 and status < 300:
		if parsed is Dictionary:
			_finish(parsed)
			return
		_falter(MatchyardError.made(MatchyardError, "UNEXPECTED_ANSWER", "an answer of %d that is not JSON" % status))
		return
	var error = _refusal(status, headers, parsed if parsed is Dictionary else {})
	if _attempts > 1 and error.code in _order.gone:
		_finish(null)
		return
	if status in PASSING or error.code == "CONFLICT" or (_give_up_at == 0 and not error.code in _order.final):
		_falter(error)
		return
	_finish(error)

func _falter(error) -> void:
	_drop()
	# The exponent has a bound: in half a day, the attempts would double the pause more often than an integer has bits.
	var longest := minf(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * pow(2, mini(_attempts - 1, 10)))
	var pause := int(error.retry_after * 1000) + _random.randi_range(0, int(longest))
	_resume_at = Time.get_ticks_msec() + pause
	if _give_up_at > 0 and _resume_at > _give_up_at:
		_finish(error)
		return
	faltered.emit(error)

func _finish(answer) -> void:
	is_done = true
	done.emit(answer)

func _drop() -> void:
	if _connection != null:
		_connection.close()
	_connection = null

func _network_error(sentence: String):
	var where := "%s:%d" % [_origin.host, _origin.port]
	return MatchyardError.made(MatchyardError, "NETWORK", "%s %s at %s: %s" % [_order.method, _order.path, where, sentence])

# Returns the error of a refused call. The body is the service's problem document; an answer of a proxy has none.
func _refusal(status: int, headers: Dictionary, problem: Dictionary):
	var error = MatchyardError.new()
	error.status = status
	error.code = str(problem.get("code", "UNEXPECTED_ANSWER"))
	error.number = int(problem.get("number", 0))
	error.detail = str(problem.get("detail", "%s %s was answered %d" % [_order.method, _order.path, status]))
	error.request_id = str(problem.get("request_id", headers.get("x-request-id", "")))
	if problem.get("details") is Dictionary:
		error.details = problem.details
	if error.code == "PLAYER_IN_MATCH" and error.details.get("players", []).size() > 0:
		error.match_id = error.details.players[0].match_id
	error.retry_after = float(headers.get("retry-after", "0"))
	return error
