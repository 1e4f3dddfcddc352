# Reads ratings of players, and leaderboards. A method with "->" in its comment is asynchronous: `yield(matchyard.ratings.of(), "completed")`
# returns the value behind the arrow, or a MatchyardError. A standing is {player_id, rating_id, season, mu, sigma, value, matches, placed,
# rank, updated_at}; `rank` is null for a player in placement and beyond the first 10,000 places.
extends Reference

const MatchyardError := preload("error.gd")

# Maximum ratings of a project, and the longest page: one page has all standings of a player.
const ALL_RATINGS := 100

var _client

func _init(client):
	_client = client

# Returns the standings of a player in the present seasons, one for each rating with a counted match. -> [standing]
# Default: the player of this client.
func of(player_id := ""):
	var player = yield(_player(player_id), "completed")
	if player is MatchyardError:
		return player
	return yield(_data("/v1/players/%s/ratings" % player.percent_encode(), {"limit": ALL_RATINGS}), "completed")

# Returns a page of the leaderboard of a rating, the best player first. -> {total, data, next_cursor}
# `query`: any of {season, placement, cursor, limit}. `season` names a season; an empty text means before the first season. `placement` true
# lists the players in placement, in place of the others. The next page begins at the page's `next_cursor`, which the last page does not have.
func leaderboard(rating_id: String, query := {}):
	return yield(_client._fetch(_board(rating_id), query), "done")

# Returns up to ten players on either side of a player, with this player; nobody if the leaderboard does not list the player. -> [standing]
# Default: the player of this client. `query`: {season}, as for `leaderboard`.
func around(rating_id: String, player_id := "", query := {}):
	var player = yield(_player(player_id), "completed")
	if player is MatchyardError:
		return player
	var fields = query.duplicate()
	fields.around = player
	return yield(_data(_board(rating_id), fields), "completed")

func _board(rating_id: String) -> String:
	return "/v1/ratings/%s/leaderboard" % rating_id.percent_encode()

func _data(path: String, query: Dictionary):
	var page = yield(_client._fetch(path, query), "done")
	return page if page is MatchyardError else page.data

# Returns the id of a player. The id of a player who proves their identity may be in the token only, so the service is asked.
func _player(player_id: String):
	yield(_client.get_tree(), "idle_frame")
	var known = player_id if player_id != "" else _client.player_id
	if known != "":
		return known
	var me = yield(_client._fetch("/v1/players/me"), "done")
	return me if me is MatchyardError else me.player_id
