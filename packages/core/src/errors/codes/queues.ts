import { errorCodes } from '../error-row'

export const QUEUE_ERRORS = errorCodes({
  QUEUE_NOT_FOUND: {
    number: 5001,
    kind: 'absent',
    title: 'There is no such queue.',
    happened:
      'The project of the key has no queue with this `queue_id`. A queue of another project and a deleted queue get the same answer.',
    mend: 'Compare the id with `GET /v1/queues`: it is the `queue_id` that you chose, not the name. If the list is empty, create the queue with `POST /v1/queues` and a server key. If the queue belongs to another project, use a key of that project.',
    retry: 'in-vain',
    near: ['QUEUE_DISABLED', 'QUEUE_VERSION_NOT_FOUND', 'INVALID_API_KEY'],
  },
  QUEUE_DISABLED: {
    number: 5002,
    kind: 'conflict',
    title: 'The queue is disabled.',
    happened:
      'The queue is disabled (`enabled` is false): no lobby can be created in it or moved to it, and no lobby can start matchmaking.',
    mend: 'Tell players that this game mode is closed for now. Enable the queue with `PATCH /v1/queues/{queue_id}` and `{"enabled": true}`. Existing lobbies of the queue are not affected, and can still be started directly.',
    retry: 'in-vain',
    near: ['QUEUE_NOT_FOUND', 'MATCHMAKING_NOT_CONFIGURED'],
  },
  QUEUE_EXISTS: {
    number: 5003,
    kind: 'conflict',
    title: 'A queue with this id exists.',
    happened: 'The project already has a queue with this `queue_id`.',
    mend: 'Change the existing queue with `PATCH /v1/queues/{queue_id}`, or choose another id for the new queue. In a script that runs repeatedly, use `matchyard queues put`; or send the PATCH first and create the queue if it returns `QUEUE_NOT_FOUND`.',
    retry: 'in-vain',
    near: ['QUEUE_NOT_FOUND', 'QUEUE_IN_USE'],
  },
  QUEUE_IN_USE: {
    number: 5004,
    kind: 'conflict',
    title: 'The queue still has lobbies.',
    happened: 'The queue cannot be deleted while it has lobbies.',
    mend: 'Disable the queue, so that no new lobbies are created in it, and delete it when its last lobby has ended. Lobbies end after `lobby_ttl`; with a server key you can delete them immediately.',
    retry: 'when-changed',
    near: ['QUEUE_DISABLED', 'QUEUE_NOT_FOUND'],
  },
  QUEUE_VERSION_NOT_FOUND: {
    number: 5014,
    kind: 'absent',
    title: 'The queue has no such version in its history.',
    happened:
      'The history of the queue does not contain this version: the version never existed, or it is so old that it was removed.',
    mend: 'Take `version` from `GET /v1/queues/{queue_id}/history`.',
    retry: 'in-vain',
    near: ['QUEUE_NOT_FOUND'],
  },
  RATING_NOT_FOUND: {
    number: 5019,
    kind: 'absent',
    title: 'There is no such rating.',
    happened:
      'The project has no rating with this id, or a queue was given the id of a rating that the project does not have.',
    mend: 'Compare the id with `GET /v1/ratings`. Create the rating with `PUT /v1/ratings/{rating_id}` and a server key before a queue names it.',
    retry: 'in-vain',
    near: ['RATING_IN_USE', 'QUEUE_NOT_FOUND'],
  },
  RATING_IN_USE: {
    number: 5021,
    kind: 'conflict',
    title: 'A queue has this rating.',
    happened: 'The rating cannot be deleted while a queue names it in `rating`.',
    mend: 'Set `rating` of each such queue to null with `PATCH /v1/queues/{queue_id}`, or delete the queue. Then delete the rating.',
    retry: 'when-changed',
    near: ['RATING_NOT_FOUND', 'QUEUE_IN_USE'],
  },
  MATCHMAKING_NOT_CONFIGURED: {
    number: 5005,
    kind: 'conflict',
    title: 'The queue has no matchmaking.',
    happened:
      'The request starts matchmaking for a lobby, requests players for a match, or starts a lobby with the teams of its queue, but the queue has no `matchmaking` settings.',
    mend: 'Add the settings to the queue: `PATCH /v1/queues/{queue_id}` with `{"matchmaking": {"teams": 2, "players_per_team": 1}}`. Or start the lobby without matchmaking with `POST /v1/lobbies/{lobby_id}/start`.',
    retry: 'in-vain',
    near: ['QUEUE_DISABLED', 'PARTY_CANNOT_MATCH'],
  },
  PARTY_TOO_LARGE: {
    number: 5006,
    kind: 'conflict',
    title: 'The party is too large for this queue.',
    happened:
      'The lobby has more players than a party in this queue may have: `max_party_size`, or the size of the largest team.',
    mend: '`detail` gives the number of players who must leave; or search in a queue with larger teams. To keep lobbies small enough, set `max_players` of the queue, or of each lobby, to the size of a team: its default is 10, whatever the team size. A lobby that is started directly, without matchmaking, may be larger than a party.',
    retry: 'when-changed',
    near: ['PARTY_CANNOT_MATCH', 'LOBBY_FULL'],
  },
  PARTY_CANNOT_MATCH: {
    number: 5007,
    kind: 'conflict',
    title: 'The party can never be matched in this queue.',
    happened:
      'The party cannot fulfil the rules of the queue, so it would never get a match: its players differ too much from each other, have different game versions or a version that is not allowed, lack a required field, or have roles that no team has. Or a direct start with `teams` finds no seat for a player in the teams of the queue.',
    mend: 'Compare the players\' `state` with the rule that `details` names. If a field is missing, the game has usually not written it yet: write the state before you start matchmaking. `POST /v1/lobbies/{lobby_id}/start` starts a match without matchmaking; if its `teams` do not fit, move players to another team (`state.team`), or use `{"teams": "one"}`.',
    details:
      '`rule`: the type of the rule that the party breaks, or `version`, `roles`, `players`, `team`; `field`: the field of `state` that the rule reads; `values`: the values of the players, at most 8; `bound`: the limit that these values exceed, after all its relaxation steps; `player`: the player whose required field is missing or has the wrong type; `players`: with `team`, the players without a seat.',
    retry: 'when-changed',
    near: ['PARTY_TOO_LARGE', 'MATCHMAKING_NOT_CONFIGURED', 'BUILD_NOT_READY'],
  },
  MATCH_NOT_FOUND: {
    number: 5008,
    kind: 'absent',
    title: 'There is no such match.',
    happened:
      'The project has no match with this id. A game server that was launched without a match also gets this error.',
    mend: 'Take `match_id` (`mat_…`) from the lobby or from an event. A lobby has a `match_id` when its status is `matched` or later; before that it is null.',
    retry: 'in-vain',
    near: ['INVALID_MATCH_STATE', 'LOBBY_NOT_FOUND', 'SERVER_NOT_FOUND'],
  },
  INVALID_MATCH_STATE: {
    number: 5009,
    kind: 'conflict',
    title: 'The match is not in a state that allows this.',
    happened:
      'This operation is not possible for the match: the match has ended, is not running yet, has no open seat, was started without matchmaking, is closed, lets nobody join late (`matchmaking.late_join` is false), or is not played on your own server. `detail` gives the cause.',
    mend: 'Read the match to see its status. An ended match cannot be continued. To use your own server for a match, set `server_settings.source: "external"` in the queue before the match is made.',
    details: '`status`: the current status of the match.',
    retry: 'when-changed',
    near: ['MATCH_NOT_FOUND', 'BACKFILL_NOT_FOUND', 'INVALID_LOBBY_STATE'],
  },
  NO_PROPOSAL: {
    number: 5010,
    kind: 'conflict',
    title: 'No match is proposed to this lobby.',
    happened:
      'A player accepted or declined a match, but no match is proposed to the lobby now: the time to answer has ended, a player declined, or all players accepted and the match was made.',
    mend: "Close the accept dialog in your game when the lobby's `proposal` is null, and read its `status`: `matched` or a later status means that the match takes place; `in_queue` and `waiting` mean that it does not.",
    retry: 'in-vain',
    near: ['PROPOSAL_CHANGED', 'INVALID_LOBBY_STATE', 'PLAYER_COOLING_DOWN'],
  },
  PROPOSAL_CHANGED: {
    number: 5011,
    kind: 'conflict',
    title: 'Another match is proposed to this lobby.',
    happened:
      'The answer is for a match that is no longer proposed to the lobby; another match is proposed now. The answer was not used for the new match, because the player has not seen it.',
    mend: "Show the player the current `proposal` of the lobby, and send the player's answer with the `match_id` of that proposal.",
    retry: 'in-vain',
    near: ['NO_PROPOSAL', 'INVALID_LOBBY_STATE'],
  },
  PLAYER_COOLING_DOWN: {
    number: 5012,
    kind: 'conflict',
    title: 'A player may not enter this queue yet.',
    happened:
      'A player of the party declined a match of this queue, did not answer in time, or left a running match, and the queue blocks such players for some time (`penalty`, `leaver_penalty`).',
    mend: "Show the remaining time; the `retry-after` header gives it in seconds. The rest of the party can start matchmaking without the players in `details`. The queue's `matchmaking.ready_check.penalty` and `leaver_penalty` set the blocked time; 0 means none.",
    details: '`players`: the blocked players.',
    retry: 'in-time',
    near: ['NO_PROPOSAL', 'RATE_LIMITED'],
  },
  PLAYER_IN_MATCH: {
    number: 5015,
    kind: 'conflict',
    title: 'A player is in another match.',
    happened:
      'A player is in a match that has not ended, and the queue allows each player only one match at a time (`concurrent_matches` is false). The match ends for a player when it is over, when the player leaves it, or when the player is kicked.',
    mend: 'Let the player return to the match in `details`, or leave it with `POST /v1/players/me/leave-match`. `GET /v1/players/me` shows the live match of a player. Your backend can end the match. Set `concurrent_matches: true` in queues whose matches may overlap.',
    details:
      '`players`: the players of your lobby that are in a match, each with `player_id` and `match_id`. For players of other lobbies, `players` is empty.',
    retry: 'when-changed',
    near: ['TOO_MANY_SEARCHES', 'PLAYER_COOLING_DOWN', 'INVALID_LOBBY_STATE'],
  },
  MATCH_FULL: {
    number: 5016,
    kind: 'conflict',
    title: 'The match has no open seat.',
    happened:
      'A seat was to be kept for a player, but all seats of the match, or of the named team, are taken or kept for other players.',
    mend: 'Try again after a player has left, or when a kept seat is free again (at most 120 seconds). Without `team` the service chooses a team with an open seat. A match has the size that its queue had when the match was made.',
    retry: 'when-changed',
    near: ['SEAT_NOT_FOUND', 'INVALID_MATCH_STATE', 'LOBBY_FULL'],
  },
  SEAT_NOT_FOUND: {
    number: 5017,
    kind: 'absent',
    title: 'No seat is kept for this player.',
    happened:
      'The match keeps no seat for the player: no player of the match asked for the seat, its time is over, it was given back, the match was closed, or the lobby of the player is in another queue than the match.',
    mend: 'Let a player of the match, its game server or your backend keep a seat (`POST /v1/matches/{match_id}/seats`), and join within the time of `hold`. Create the lobby of the player in the queue of the match.',
    retry: 'when-changed',
    near: ['MATCH_FULL', 'MATCH_NOT_FOUND', 'INVALID_MATCH_STATE'],
  },
  RESULT_EXISTS: {
    number: 5018,
    kind: 'conflict',
    title: 'The match already has another result.',
    happened:
      'A result was reported for a match that has another result. A match has one result. The same result again, in any order, is accepted and changes nothing.',
    mend: 'Read the match to see its result. To correct it, send the new result with `amend: true` and a server key within 7 days after the first result. A game server cannot amend a result.',
    retry: 'in-vain',
    near: ['INVALID_MATCH_STATE', 'MATCH_NOT_FOUND'],
  },
  TOO_MANY_SEARCHES: {
    number: 5020,
    kind: 'conflict',
    title: 'A player searches in too many lobbies.',
    happened: 'A player of the lobby is already in five lobbies that search for a match.',
    mend: 'Cancel another search of the player, or let the player leave the lobby. `GET /v1/players/me` lists the searches of a player.',
    details: '`players`: the players with too many searches. `limit`: the maximum number of searches of a player.',
    retry: 'when-changed',
    near: ['PLAYER_IN_MATCH', 'PLAYER_COOLING_DOWN'],
  },
  BACKFILL_NOT_FOUND: {
    number: 5013,
    kind: 'absent',
    title: 'The match has no request for players.',
    happened:
      'The match has no open request for players: no request was made, all seats are filled, the request has expired, or the match was closed to new players.',
    mend: 'To request players, send `POST` to the same address. If you were waiting for players, read the match: they may have joined already.',
    retry: 'when-changed',
    near: ['INVALID_MATCH_STATE', 'MATCH_NOT_FOUND'],
  },
})
