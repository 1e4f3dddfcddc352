import { errorCodes } from '../error-row'

export const LOBBY_ERRORS = errorCodes({
  LOBBY_NOT_FOUND: {
    number: 4001,
    kind: 'absent',
    title: 'There is no such lobby.',
    happened:
      'The project has no lobby with this id: it was deleted, its last player left, it reached the end of its `lobby_ttl`, or it belongs to another project. For a quick join with `create: false`, no open lobby of the queue matches.',
    mend: 'Close the lobby in your game and let the player create or join another one. If this happens to new lobbies, check that both keys belong to the same project. If idle lobbies end too early, increase `lobby_ttl` of the queue.',
    retry: 'in-vain',
    near: ['INVALID_INVITE_CODE', 'PLAYER_NOT_IN_LOBBY', 'LOBBY_NOT_ACCEPTING'],
  },
  LOBBY_FULL: {
    number: 4002,
    kind: 'conflict',
    title: 'The lobby is full.',
    happened:
      'Every place in the lobby is taken. Two players who join at the same time may both have seen one free place.',
    mend: 'Offer another lobby: `POST /v1/lobbies/quick-join` finds a lobby with room, or creates one. The host can increase `max_players` up to the maximum of the queue.',
    retry: 'when-changed',
    near: ['LOBBY_NOT_ACCEPTING', 'LOBBY_NOT_FOUND'],
  },
  PLAYER_NOT_IN_LOBBY: {
    number: 4003,
    kind: 'forbidden',
    title: 'The player is not in the lobby.',
    happened:
      'The calling player is not in the lobby (status 403), or the player in the path is not in the lobby (status 404). The player left, was kicked, or was removed because no heartbeat arrived in time.',
    mend: 'Read the lobby and show its current players; join again if the player should be in it. If players are removed while they are still playing, keep the event stream of the lobby open, or send heartbeats more often than `heartbeat_timeout` of the queue. The client libraries do this automatically.',
    retry: 'in-vain',
    near: ['NOT_HOST', 'LOBBY_NOT_FOUND', 'PLAYER_STATE_FORBIDDEN'],
  },
  NOT_HOST: {
    number: 4004,
    kind: 'forbidden',
    title: 'Only the lobby host may do this.',
    happened:
      'Only the host of the lobby may do this, and the caller is another player. The host may have changed a moment ago: when the host leaves, the player who joined first among the others becomes host. A match that several lobbies share can be ended only by your backend.',
    mend: 'Show the control only to the player whose id is `host_player_id`, and read this field again from each event. Your backend can do this operation for any lobby with a server key.',
    retry: 'when-changed',
    near: ['PLAYER_NOT_IN_LOBBY', 'PLAYER_STATE_FORBIDDEN', 'CREDENTIAL_NOT_ALLOWED'],
  },
  INVALID_INVITE_CODE: {
    number: 4005,
    kind: 'absent',
    title: 'No lobby has this invite code.',
    happened:
      'No lobby of the project has this invite code now: the code is mistyped, the lobby got a new code, or the lobby was deleted.',
    mend: 'Let the player type the code again, or ask the host for the current code of the lobby. A lobby gets a new code when the host requests one, and when the lobby moves to another queue. Upper and lower case are the same.',
    retry: 'in-vain',
    near: ['LOBBY_NOT_FOUND', 'LOBBY_NOT_ACCEPTING', 'LOBBY_FULL'],
  },
  PLAYER_STATE_FORBIDDEN: {
    number: 4006,
    kind: 'forbidden',
    title: "The caller may not make this change of the player's state.",
    happened:
      "The caller is not the host and changed another player's state, or a client wrote a field that only your backend may write (`trusted_fields` of the queue).",
    mend: 'Let each player write only their own state. Remove the fields in `trusted_fields` from the requests of your game: your backend writes them with a server key, or the player token contains them.',
    retry: 'in-vain',
    near: ['NOT_HOST', 'PLAYER_NOT_IN_LOBBY'],
  },
  INVALID_LOBBY_STATE: {
    number: 4007,
    kind: 'conflict',
    title: 'The lobby is not in a state that allows this.',
    happened:
      'The lobby has a `status` in which this operation is not possible: for example, it is already in the queue, is in a match, or is not in the queue. `detail` names the statuses in which the operation is possible. The usual cause is a button that was pressed twice, or by two players at the same time.',
    mend: "Follow the lobby's events and show each control only in the statuses in which it works. Read the lobby: if it already has the status that you wanted, nothing is wrong. A new invite code can be requested only if the queue has invite codes (`invite_code_config.enabled`).",
    details: '`status`: the current status of the lobby.',
    retry: 'when-changed',
    near: ['LOBBY_NOT_ACCEPTING', 'NO_PROPOSAL', 'INVALID_MATCH_STATE'],
  },
  LOBBY_NOT_ACCEPTING: {
    number: 4008,
    kind: 'conflict',
    title: 'Players cannot join the lobby in this way now.',
    happened:
      'Nobody can join the lobby in this way: it is private and the request joins it by its id, or its status is not `waiting`.',
    mend: 'Join a private lobby with its invite code. If the lobby is in the queue or in a match, offer another lobby; players can join it again when it is `waiting`.',
    details: '`status`: the current status of the lobby, if that is the cause.',
    retry: 'when-changed',
    near: ['LOBBY_FULL', 'INVALID_INVITE_CODE', 'INVALID_LOBBY_STATE'],
  },
  INVITE_CODES_EXHAUSTED: {
    number: 4009,
    kind: 'conflict',
    title: 'No free invite code was found.',
    happened:
      'A new lobby needed an invite code, and 32 random codes were all in use: the queue has almost as many lobbies as possible codes.',
    mend: 'Increase `invite_code_config.length` of the queue, or allow letters and digits in its codes. With letters and digits, each further character gives 36 times as many codes; six characters give two billion.',
    retry: 'in-vain',
    near: ['INVALID_INVITE_CODE', 'CONFLICT'],
  },
  PLAYER_BANNED: {
    number: 4010,
    kind: 'forbidden',
    title: 'The player is banned here.',
    happened:
      'A ban keeps the player out of the lobby, the queue or the whole project. The host or your backend bans from a lobby; your backend or a developer bans from a queue or the project. A lobby with a banned player can neither enter the queue nor start a match. The ban also applies when your backend acts for the player.',
    mend: 'Tell the player the reason and the end of the ban, if the details have them. If the ban is of one lobby only, offer another lobby: `POST /v1/lobbies/quick-join` skips lobbies that have banned the player. The host lifts a ban of a lobby with `DELETE /v1/lobbies/{lobby_id}/bans/{player_id}`; your backend lifts other bans with `DELETE /v1/players/{player_id}/ban`.',
    details:
      '`scope`: where the ban applies (`lobby`, `queue` or `project`). Except for `lobby` also: `until`, the end of the ban, or null; `reason`, for the banned player and your backend, otherwise null; `players`, the banned players of the lobby.',
    retry: 'when-changed',
    near: ['BAN_NOT_FOUND', 'LOBBY_NOT_ACCEPTING', 'NOT_HOST'],
  },
  BAN_NOT_FOUND: {
    number: 4011,
    kind: 'absent',
    title: 'There is no such ban.',
    happened:
      'The player is not banned from this lobby, or not from this project: the player was never banned, the ban was lifted, or it has ended.',
    mend: 'Read the present bans: `banned` of the lobby lists the players who are banned from it, and `GET /v1/bans` lists the bans of the project. If the player has no ban in force, nothing needs to be done.',
    retry: 'in-vain',
    near: ['PLAYER_BANNED', 'PLAYER_NOT_IN_LOBBY'],
  },
  BAN_LIMIT: {
    number: 4012,
    kind: 'conflict',
    title: 'The maximum number of bans is reached.',
    happened: 'The lobby already has 100 bans, or the project has 10,000 bans in force.',
    mend: 'Lift bans that are no longer needed: of a lobby with `DELETE /v1/lobbies/{lobby_id}/bans/{player_id}`, of a project with `DELETE /v1/players/{player_id}/ban`. Give bans an end (`until`), so that they end by themselves. If banned players return to a lobby under new ids, make the lobby private and create a new invite code: `POST /v1/lobbies/{lobby_id}/invite-code`.',
    retry: 'when-changed',
    near: ['PLAYER_BANNED', 'BAN_NOT_FOUND'],
  },
})
