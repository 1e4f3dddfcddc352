# Checks join tokens: a JWT, HS256, with the key of this match. HMAC is implemented here, because Godot has it only from 3.3.
extends Reference

const MatchyardError := preload("error.gd")

# Block size of SHA-256 in bytes.
const BLOCK := 64
const LONGEST := 4096

# Returns the player {player_id, team, role}, or a MatchyardError INVALID_JOIN_TOKEN with the reason in `detail`.
# `now`: seconds since 1970.
static func verify(token: String, key: PoolByteArray, match_id: String, now: float):
	var parts := token.split(".")
	if token.length() > LONGEST or parts.size() != 3:
		return _refused("it is not a token")
	var head = _json_of(parts[0])
	var claims = _json_of(parts[1])
	var signature := bytes_of(parts[2])
	if not head is Dictionary or not claims is Dictionary:
		return _refused("it cannot be read")
	# Only the service's algorithm (HS256) is accepted; the token's own statement of its algorithm must not decide.
	if not head.get("alg") is String or head.alg != "HS256" or head.has("crit"):
		return _refused("its algorithm is not HS256")
	if key.size() == 0 or not _are_equal(hmac(key, ("%s.%s" % [parts[0], parts[1]]).to_ascii()), signature):
		return _refused("its signature is not of this match")
	if not claims.get("aud") is String or claims.aud != match_id:
		return _refused("it is for another match")
	if not claims.get("exp") is float or claims.exp <= now:
		return _refused("its time is over")
	if not claims.get("sub") is String or claims.sub == "":
		return _refused("it names no player")
	return {"player_id": claims.sub, "team": claims.get("team"), "role": claims.get("role")}

# HMAC-SHA-256 (RFC 2104).
static func hmac(key: PoolByteArray, message: PoolByteArray) -> PoolByteArray:
	var block := _sha256(key) if key.size() > BLOCK else key
	var inner := PoolByteArray()
	var outer := PoolByteArray()
	for index in range(BLOCK):
		var byte := block[index] if index < block.size() else 0
		inner.append(byte ^ 0x36)
		outer.append(byte ^ 0x5c)
	inner.append_array(message)
	outer.append_array(_sha256(inner))
	return _sha256(outer)

# Returns the bytes of base64url; empty for other text.
static func bytes_of(text: String) -> PoolByteArray:
	var spelled := text.replace("-", "+").replace("_", "/")
	# The text is checked first, because the engine prints errors for invalid base64, and "+" and "/" are not valid in base64url.
	if text == "" or text.length() % 4 == 1 or text != text.replace("+", "").replace("/", "") or not _is_base64(spelled):
		return PoolByteArray()
	return Marshalls.base64_to_raw(spelled + "===".substr(0, (4 - spelled.length() % 4) % 4))

static func _is_base64(text: String) -> bool:
	for index in range(text.length()):
		var code := text.ord_at(index)
		var is_letter := (code >= 65 and code <= 90) or (code >= 97 and code <= 122)
		if not (is_letter or (code >= 47 and code <= 57) or code == 43):
			return false
	return true

static func _json_of(part: String):
	var text := bytes_of(part).get_string_from_utf8()
	if text == "" or validate_json(text) != "":
		return null
	return JSON.parse(text).result

static func _sha256(bytes: PoolByteArray) -> PoolByteArray:
	var hashing := HashingContext.new()
	hashing.start(HashingContext.HASH_SHA256)
	if bytes.size() > 0:
		hashing.update(bytes)
	return hashing.finish()

# Compares every byte, so that the time does not depend on the content.
static func _are_equal(one: PoolByteArray, other: PoolByteArray) -> bool:
	if one.size() != other.size():
		return false
	var difference := 0
	for index in range(one.size()):
		difference |= one[index] ^ other[index]
	return difference == 0

static func _refused(why: String):
	return MatchyardError.made(MatchyardError, "INVALID_JOIN_TOKEN", "the join token is refused: " + why)
