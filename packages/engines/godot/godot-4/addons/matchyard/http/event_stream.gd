# UNPROVEN: ported to Godot 4 by hand from godot-3; no Godot 4 has run it here.
# A stream of Server-Sent Events that reconnects by itself with the last event's id. Call `step` in every frame.
extends RefCounted

const Connection := preload("connection.gd")

signal message(name, data)

const FIRST_PAUSE_MS := 500
const LONGEST_PAUSE_MS := 5000
# Longest silence in milliseconds; the service sends at least a comment every 15 s.
const SILENT_MS := 40000

var _origin
var _path := ""
var _headers: Callable
var _connection = null
var _last_id := ""
var _buffer := PackedByteArray()
var _failures := 0
var _heard_at := 0
var _resume_at := 0
var _is_over := false
var _random := RandomNumberGenerator.new()

func _init(origin, path: String, headers: Callable):
	_origin = origin
	_path = path
	_headers = headers
	_random.randomize()

func step() -> void:
	if _is_over:
		return
	var now := Time.get_ticks_msec()
	if _connection == null:
		if now >= _resume_at:
			_open(now)
		return
	var state: int = _connection.step()
	var came: PackedByteArray = _connection.take()
	if came.size() > 0 and _connection.code == 200:
		_heard_at = now
		_failures = 0
		_buffer.append_array(came)
		_read_messages()
	if _connection != null and _connection.code in [204, 401]:
		# No more events follow, or the token is no longer valid because its launch attempt has ended.
		close()
	elif state != Connection.WORKING or now - _heard_at > SILENT_MS:
		_come_back(now)

func close() -> void:
	_is_over = true
	_drop()

func _open(now: int) -> void:
	_heard_at = now
	_buffer = PackedByteArray()
	var lines: Array = _headers.call()
	lines.append("accept: text/event-stream")
	if _last_id != "":
		lines.append("last-event-id: " + _last_id)
	_connection = Connection.new()
	_connection.open(_origin, {"method": HTTPClient.METHOD_GET, "path": _path, "headers": PackedStringArray(lines), "body": ""})

func _come_back(now: int) -> void:
	_drop()
	var longest := minf(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * pow(2, mini(_failures, 10)))
	_failures += 1
	_resume_at = now + _random.randi_range(0, int(longest))

# Splits the text at empty lines. The text after the last empty line is an incomplete message, which is kept.
func _read_messages() -> void:
	var end := -1
	for index in range(_buffer.size() - 1, 0, -1):
		if _buffer[index] == 10 and _buffer[index - 1] == 10:
			end = index
			break
	if end < 0:
		return
	var text := _buffer.slice(0, end + 1).get_string_from_utf8()
	_buffer = PackedByteArray() if end == _buffer.size() - 1 else _buffer.slice(end + 1)
	for part in text.split("\n\n", false):
		_read_message(part)

func _read_message(part: String) -> void:
	var name := ""
	var data := ""
	for line in part.split("\n", false):
		if line.begins_with("event:"):
			name = line.substr(6).strip_edges()
		elif line.begins_with("data:"):
			data += line.substr(5).strip_edges()
		elif line.begins_with("id:"):
			_last_id = line.substr(3).strip_edges()
	if name != "" and data != "" and not _is_over:
		message.emit(name, JSON.parse_string(data))

func _drop() -> void:
	if _connection != null:
		_connection.close()
	_connection = null
