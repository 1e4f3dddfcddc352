# UNPROVEN: ported to Godot 4 by hand from godot-3; no Godot 4 has run it here.
# Measures the latencies to the regions in which game servers can run. A method with "->" in its comment is asynchronous. A thread sends and
# receives the packets, so that the frames of the game do not delay them.
extends RefCounted

const MatchyardError := preload("error.gd")

# Maximum regions that are measured, and beacons of one region.
const MAX_REGIONS := 32
const MAX_BEACONS := 3
# Number of requests to one beacon, and microseconds between two of them.
const SAMPLES := 5
const GAP_USEC := 50000
# Microseconds between the first requests to two beacons, so that their answers do not arrive together.
const APART_USEC := 1000
# Seconds for which answers are awaited at most.
const MAX_TIMEOUT := 10.0
# Milliseconds for which `play` uses measured latencies.
const MEASURED_FOR_MS := 300000
# Request, and answers: a beacon answers MYR1, and a plain echo (for example the ping service of Agones) returns the request.
const REQUEST := [0x4d, 0x59, 0x50, 0x31]
const ANSWER := [0x4d, 0x59, 0x52, 0x31]

# The thread of a measurement has ended.
signal _measured(medians)

# Measurement of one thread.
class Job extends RefCounted:
	var beacons := {}
	var timeout := 0.0
	var is_stopped := false

var _client
var _thread = null
var _job = null
var _last = null
var _last_at := 0

func _init(client):
	_client = client

# Returns milliseconds by the code of each region that answered. -> {"fra": 24, "iad": 98}
func measure(timeout: float):
	var answer = await _client._fetch("/v1/regions").done
	if answer is MatchyardError:
		return answer
	while _job != null:
		await _client.get_tree().process_frame
	_job = Job.new()
	_job.timeout = clamp(timeout, 0.0, MAX_TIMEOUT)
	var keys := {}
	for served in answer.regions.slice(0, MAX_REGIONS):
		keys[served.region] = _keys_of(served.beacons)
	_thread = Thread.new()
	_thread.start(_run.bind(_job))
	var medians = await _measured
	_thread.wait_to_finish()
	_thread = null
	_job = null
	_last = {}
	_last_at = Time.get_ticks_msec()
	for region in keys:
		for key in keys[region]:
			if medians.has(key):
				_last[region] = int(min(round(medians[key]), _last.get(region, INF)))
	return _last.duplicate()

# Returns the state of a player with the latencies in a field; a state that has the field as it is. -> {…}
func state_with(state: Dictionary, field: String):
	var latencies = _last
	if latencies == null or Time.get_ticks_msec() - _last_at >= MEASURED_FOR_MS:
		latencies = await measure(1.5)
	else:
		await _client.get_tree().process_frame
	if latencies is MatchyardError:
		return latencies
	var measured = state.duplicate()
	# A rule treats an empty map as unreachable regions, and an absent field as a player without latencies.
	if not measured.has(field) and not latencies.is_empty():
		measured[field] = latencies.duplicate()
	return measured

# Ends the thread, because the client is freed.
func abandon() -> void:
	if _thread != null:
		_job.is_stopped = true
		_thread.wait_to_finish()
		_thread = null

# Adds the beacons of a region to the job, each address once, and returns their keys.
func _keys_of(beacons: Array) -> Array:
	var keys := []
	for beacon in beacons:
		if beacon.has("udp_port") and keys.size() < MAX_BEACONS:
			var key := "%s %d" % [beacon.host, beacon.udp_port]
			_job.beacons[key] = [beacon.host, int(beacon.udp_port)]
			keys.append(key)
	return keys

func _run(job) -> void:
	call_deferred("emit_signal", "_measured", _medians(job))

func _medians(job) -> Dictionary:
	var random := RandomNumberGenerator.new()
	random.randomize()
	var pings := []
	for key in job.beacons:
		var ip := IP.resolve_hostname(job.beacons[key][0])
		if ip != "" and not job.is_stopped:
			var socket := PacketPeerUDP.new()
			socket.set_dest_address(ip, job.beacons[key][1])
			pings.append({"key": key, "socket": socket, "sent": {}, "times": [], "count": 0})
	var begin := Time.get_ticks_usec()
	var open := pings.size() * SAMPLES
	while open > 0 and not job.is_stopped and Time.get_ticks_usec() - begin < job.timeout * 1000000:
		for index in pings.size():
			var ping = pings[index]
			if ping.count < SAMPLES and Time.get_ticks_usec() - begin >= ping.count * GAP_USEC + index * APART_USEC:
				_send(ping, random)
			open -= _receive(ping)
		OS.delay_usec(300)
	var medians := {}
	for ping in pings:
		ping.socket.close()
		if ping.times.size() > 0:
			ping.times.sort()
			medians[ping.key] = ping.times[(ping.times.size() - 1) >> 1]
	return medians

func _send(ping: Dictionary, random: RandomNumberGenerator) -> void:
	var packet := PackedByteArray(REQUEST)
	for _byte in 8:
		packet.append(random.randi() & 0xff)
	ping.count += 1
	ping.sent[packet.slice(4, 12).hex_encode()] = Time.get_ticks_usec()
	ping.socket.put_packet(packet)

# Returns the number of answers.
func _receive(ping: Dictionary) -> int:
	var answers := 0
	while ping.socket.get_available_packet_count() > 0:
		var packet: PackedByteArray = ping.socket.get_packet()
		if packet.size() != 12:
			continue
		var word := Array(packet.slice(0, 4))
		var id := packet.slice(4, 12).hex_encode()
		if (word == ANSWER or word == REQUEST) and ping.sent.has(id):
			ping.times.append((Time.get_ticks_usec() - ping.sent[id]) / 1000.0)
			ping.sent.erase(id)
			answers += 1
	return answers
