# UNPROVEN: ported to Godot 4 by hand from godot-3; no Godot 4 has run it here.
# A running match: its teams and its server.
extends RefCounted

const MatchyardError := preload("error.gd")

# The match ended for this player, with the reason of the lobby's `last_exit` (match_ended, server_failed …), or the reason why the lobby
# closed ("left", "removed", "deleted").
signal ended(reason)

var match_id := ""
# Lobby of the match; after the end `lobby.find_match()` finds the next match.
var lobby
# Teams at the time the match was found: [{name, players: [{player_id, lobby_id, role}]}].
var teams := []
# Team and role of this player; the role is empty when the queue has no roles.
var team := ""
var role := ""
# Server of the match; null when the match has no server.
var server = null
# Join token of this player, valid for five minutes; empty without a server. `renew_join_token` fetches another token.
var join_token := ""
# Reason of the end; empty before the match has ended.
var ended_because := ""

var _client

# Returns the match of a lobby in `in_game`. `script` is this script, which cannot name itself. -> Match
static func read(script, client, lobby):
	var played: String = lobby.current.match_id
	var found = await client._send("GET", "/v1/matches/" + played).done
	if found is MatchyardError:
		return found
	var made = script.new()
	made._client = client
	made.lobby = lobby
	made.match_id = played
	made.teams = found.teams
	made.server = lobby.current.server
	made._find_me()
	if made.server != null:
		var token = await made.renew_join_token()
		if token is MatchyardError:
			return token
	return made

# Returns the address of a port: {host, port, protocol, tls, join_token}; a MatchyardError NO_ENDPOINT for an unknown port.
func endpoint(port_name: String):
	if server == null:
		return MatchyardError.made(MatchyardError, "NO_ENDPOINT", "the match has no server")
	var names := PackedStringArray()
	for port in server.network_ports:
		if port.name == port_name:
			var is_tls: bool = port.get("tls_enabled") == true
			return {"host": port.host, "port": int(port.external_port), "protocol": port.protocol, "tls": is_tls, "join_token": join_token}
		names.append(port.name)
	var sentence := "the server has no port \"%s\"; it has: %s" % [port_name, ", ".join(names)]
	return MatchyardError.made(MatchyardError, "NO_ENDPOINT", sentence)

# Keeps an open seat for a friend, who joins with `lobby.join_match` before the seat expires; the queue needs `late_join`. A player keeps
# at most one seat. `options`: any of {team, hold (seconds)}. -> {player_id, team, expires_at}
func keep_seat(player_id: String, options := {}):
	var body := options.duplicate()
	body["player_id"] = player_id
	return await _client._send("POST", "/v1/matches/%s/seats" % match_id, body).done

# Gives back the seat that is kept for a player. -> null
func free_seat(player_id: String):
	return await _client._send("DELETE", "/v1/matches/%s/seats/%s" % [match_id, player_id.uri_encode()]).done

# Fetches another join token, for example to reconnect after a crash. -> the token
func renew_join_token():
	var answer = await _client._send("POST", "/v1/matches/%s/join-token" % match_id).done
	if answer is MatchyardError:
		return answer
	join_token = answer.token
	return join_token

func _find_me() -> void:
	for one in teams:
		for player in one.players:
			if player.player_id == _client.player_id and player.get("left_at") == null:
				team = one.name
				role = "" if player.get("role") == null else player.role

func _take(now: Dictionary) -> void:
	if now.match_id == match_id:
		server = now.server
		return
	_end(now.last_exit.reason if now.last_exit != null else "match_ended")

func _end(reason: String) -> void:
	if ended_because != "":
		return
	ended_because = reason
	ended.emit(reason)
