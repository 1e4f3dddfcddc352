# UNPROVEN: ported to Godot 4 by hand from godot-3; no Godot 4 has run it here.
# Error of a call. Programs use `code`; `detail` is for a developer.
extends RefCounted

# Code from the service's catalogue (LOBBY_FULL, NOT_HOST …), or a code of the addon, whose number is 0:
# NETWORK: no answer in time.
# UNEXPECTED_ANSWER: the answer is not from the service.
# MATCHMAKING_ENDED: the search or the launch ended without a match; `details.reason` is the reason of the lobby's `last_exit`.
# NO_ENDPOINT: the match has no server, or its server has no port of that name.
# INVALID_ARGUMENT: a value cannot be sent.
# INVALID_JOIN_TOKEN: the token is refused.
# NO_CONFIGURATION: Matchyard did not launch the game server, and no configuration was given.
var code := ""
# Number of the code in the catalogue.
var number := 0
# Explanation for a developer.
var detail := ""
# Further data of the code, such as `issues` of VALIDATION_FAILED.
var details := {}
# Match that keeps a player out of another match; only of PLAYER_IN_MATCH. If several players of the lobby are in a match, this is the match
# of the first; `details.players` has all.
var match_id := ""
# HTTP status; 0 without an answer.
var status := 0
# Id of the request in the service's log; empty without an answer.
var request_id := ""
# Seconds after which the service accepts another attempt; 0 when it named none.
var retry_after := 0.0

# Returns an error of the addon.
static func made(script, own_code: String, sentence: String, more := {}):
	var error = script.new()
	error.code = own_code
	error.detail = sentence
	error.details = more
	return error

func _to_string() -> String:
	return "%s: %s" % [code, detail]
