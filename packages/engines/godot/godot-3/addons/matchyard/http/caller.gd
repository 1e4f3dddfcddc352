# The calls that are under way. Whoever owns it calls `step` in every frame.
extends Reference

const Exchange := preload("exchange.gd")
const Origin := preload("origin.gd")

# How long a call is repeated unless it says otherwise.
const PATIENCE_MS := 30000
# The clock on the wall ran on by so much more than the time that this process knows of: the machine has slept.
const SLEPT_MS := 5000

var origin
var _headers: FuncRef
var _under_way := []
var _ahead := 0
var _has_looked := false

func _init(url: String, headers: FuncRef):
	origin = Origin.new(url)
	_headers = headers

# `more`: what else Exchange understands. Wait for it with `yield(caller.send(…), "done")`: it is never done in the same frame.
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
	# A call that ends makes others, which have their turn in the next frame.
	for exchange in _under_way.duplicate():
		exchange.step()
	for index in range(_under_way.size() - 1, -1, -1):
		if _under_way[index].is_done:
			_under_way.remove(index)

# What is under way asks again at once.
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
