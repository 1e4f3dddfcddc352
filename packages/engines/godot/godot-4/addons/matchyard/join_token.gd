# UNPROVEN: ported to Godot 4 by hand from godot-3; no Godot 4 has run it here.
# Checks join tokens: a JWT, HS256, with the key of this match.
extends RefCounted

const MatchyardError := preload("error.gd")

const LONGEST := 4096

# Returns the player {player_id, team, role}, or a MatchyardError INVALID_JOIN_TOKEN with the reason in `detail`.
# `now`: seconds since 1970.
static func verify(token: String, key: PackedByteArray, match_id: String, now: float):
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
	if key.size() == 0 or not Crypto.new().constant_time_compare(hmac(key, ("%s.%s" % [parts[0], parts[1]]).to_ascii_buffer()), signature):
		return _refused("its signature is not of this match")
	if not claims.get("aud") is String or claims.aud != match_id:
		return _refused("it is for another match")
	if not claims.get("exp") is float or claims.exp <= now:
		return _refused("its time is over")
	if not claims.get("sub") is String or claims.sub == "":
		return _refused("it names no player")
	return {"player_id": claims.sub, "team": claims.get("team"), "role": claims.get("role")}

# HMAC-SHA-256 (RFC 2104).
static func hmac(key: PackedByteArray, message: PackedByteArray) -> PackedByteArray:
	return Crypto.new().hmac_digest(HashingContext.HASH_SHA256, key, message)

# Returns the bytes of base64url; empty for other text.
static func bytes_of(text: String) -> PackedByteArray:
	var spelled := text.replace("-", "+").replace("_", "/")
	# The text is checked first, because the engine prints errors for invalid base64, and "+" and "/" are not valid in base64url.
	if text == "" or text.length() % 4 == 1 or text != text.replace("+", "").replace("/", "") or not _is_base64(spelled):
		return PackedByteArray()
	return Marshalls.base64_to_raw(spelled + "===".substr(0, (4 - spelled.length() % 4) % 4))

static func _is_base64(text: String) -> bool:
	for index in range(text.length()):
		var code := text.unicode_at(index)
		var is_letter := (code >= 65 and code <= 90) or (code >= 97 and code <= 122)
		if not (is_letter or (code >= 47 and code <= 57) or code == 43):
			return false
	return true

static func _json_of(part: String):
	var text := bytes_of(part).get_string_from_utf8()
	# `JSON.parse_string` is not used, because it would print an error for text that is not JSON.
	var json := JSON.new()
	return json.data if text != "" and json.parse(text) == OK else null

static func _refused(why: String):
	return MatchyardError.made(MatchyardError, "INVALID_JOIN_TOKEN", "the join token is refused: " + why)
