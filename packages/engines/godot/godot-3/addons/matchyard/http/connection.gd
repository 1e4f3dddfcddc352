# One request and its answer over one HTTPClient. Each `step` does a part of the work, so that no frame waits for the network.
extends Reference

enum { WORKING, ENDED, BROKEN }

# Maximum pieces of an answer that one frame reads (at most 4 kB each).
const PIECES_A_STEP := 32

# HTTP status; 0 before the head of the answer.
var code := 0
# Headers of the answer by their names in lower case.
var headers := {}

var _http := HTTPClient.new()
var _state := WORKING
var _request := {}
var _is_asked := false
var _received := PoolByteArray()

# `request`: {method, path, headers (an array of lines), body}.
func open(origin, request: Dictionary) -> void:
	_request = request
	_request.path = origin.prefix + request.path
	if _http.connect_to_host(origin.host, origin.port, origin.is_secure, true) != OK:
		_end(BROKEN)

func step() -> int:
	if _state == WORKING:
		_http.poll()
		_look(_http.get_status())
	return _state

# Returns the part of the body that arrived since the last call.
func take() -> PoolByteArray:
	var taken := _received
	_received = PoolByteArray()
	return taken

func close() -> void:
	_end(BROKEN)

func _look(status: int) -> void:
	match status:
		HTTPClient.STATUS_RESOLVING, HTTPClient.STATUS_CONNECTING, HTTPClient.STATUS_REQUESTING:
			pass
		HTTPClient.STATUS_CONNECTED:
			if _is_asked:
				# The answer has no body, so only its head is read.
				_read_head()
				_end(ENDED if code != 0 else BROKEN)
			else:
				_ask()
		HTTPClient.STATUS_BODY:
			_read_head()
			_read_body()
		HTTPClient.STATUS_DISCONNECTED:
			_end(ENDED if _ends_with_connection() else BROKEN)
		_:
			_end(BROKEN)

func _ask() -> void:
	_is_asked = true
	if _http.request(_request.method, _request.path, _request.headers, _request.body) != OK:
		_end(BROKEN)

func _read_head() -> void:
	if code != 0 or not _http.has_response():
		return
	code = _http.get_response_code()
	var named := _http.get_response_headers_as_dictionary()
	for name in named:
		headers[name.to_lower()] = named[name]

func _read_body() -> void:
	for _piece in range(PIECES_A_STEP):
		var piece := _http.read_response_body_chunk()
		if piece.size() > 0:
			_received.append_array(piece)
		if _http.get_status() == HTTPClient.STATUS_CONNECTED:
			_end(ENDED)
			return
		if piece.size() == 0:
			return

# Whether the body ends when its connection ends: that is so for a body without a length. With a length, such an end means a cut body.
func _ends_with_connection() -> bool:
	return code != 0 and not headers.has("content-length") and not headers.has("transfer-encoding")

func _end(state: int) -> void:
	if _state == WORKING:
		_state = state
	_http.close()
