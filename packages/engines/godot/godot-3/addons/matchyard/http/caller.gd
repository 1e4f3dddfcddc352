# Runs the calls to the service. The owner of this object calls `step` in every frame.
extends Reference

const Exchange := preload("exchange.gd")
const Origin := preload("origin.gd")

# Milliseconds for which a call is repeated by default.
const PATIENCE_MS := 30000
# Milliseconds by which the wall clock must be ahead of the process's time before the machine counts as having slept.
const SLEPT_MS := 5000

var origin
var _headers: FuncRef
var _under_way := []
var _ahead := 0
var _has_looked := false

func _init(url: String, headers: FuncRef):
	origin = Origin.new(url)
	_headers = headers

# Sends a call; `more` holds further options of Exchange. Wait for it by `yield(caller.send(…), "done")`: it never completes in the same
# frame.
func send(method: String, path: String, body = null, more := {}):
	var order := {"wait_ms": 0, "patience_ms": PATIENCE_MS, "final": [], "gone": []}
	for name in more:
		order[name] = more[name]
	order.method = method
	order.path = path
	order.body = body
	var exchange = Exchange.new(origin, _headers, order)
	_under_way.append(exchange)
	return exchange

func step() -> void:
	if _has_slept():
		hurry()
	# A completed call may start others, which run in the next frame.
	for exchange in _under_way.duplicate():
		exchange.step()
	for index in range(_under_way.size() - 1, -1, -1):
		if _under_way[index].is_done:
			_under_way.remove(index)

# Repeats all running calls at once.
func hurry() -> void:
	for exchange in _under_way:
		exchange.hurry()

func abandon_all() -> void:
	for exchange in _under_way:
		exchange.abandon()
	_under_way.clear()

func _has_slept() -> bool:
	var ahead := OS.get_system_time_msecs() - OS.get_ticks_msec()
	var has_slept := _has_looked and ahead - _ahead > SLEPT_MS
	_ahead = ahead
	_has_looked = true
	return has_slept
