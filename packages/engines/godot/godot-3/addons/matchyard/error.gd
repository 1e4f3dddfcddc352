# Why a call came to nothing. Act on `code`, show `detail` to a developer.
extends Reference

# A code of the service's catalogue (LOBBY_FULL, NOT_HOST …), or one of the addon's own, whose number is 0:
# NETWORK: nobody answered in time. UNEXPECTED_ANSWER: something answered that is not the service.
# MATCHMAKING_ENDED: the search or the launch came to nothing; `details.reason` is the reason of the lobby's `last_exit`.
# NO_ENDPOINT: the match has no server, or its server no port of that name.
# INVALID_ARGUMENT: what was given cannot be sent. INVALID_JOIN_TOKEN: this player is not to be let in.
# NO_CONFIGURATION: the game server was not launched by Matchyard, and no configuration was given to it.
var code := ""
# The number of the code in the catalogue.
var number := 0
# What happened, in a sentence that helps to mend it.
var detail := ""
# What belongs to the code, such as `issues` of VALIDATION_FAILED.
var details := {}
# The HTTP status; 0 where nobody answered.
var status := 0
# Names the request in the service's log; empty where nobody answered.
var request_id := ""
# Seconds after which it is worth trying again; 0 where the service said nothing of it.
var retry_after := 0.0

# One of the addon's own.
static func made(script, own_code: String, sentence: String, more := {}):
	var error = script.new()
	error.code = own_code
	error.detail = sentence
	error.details = more
	return error

func _to_string() -> String:
	return "%s: %s" % [code, detail]
