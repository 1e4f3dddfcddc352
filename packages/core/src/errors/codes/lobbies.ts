import { errorCodes } from '../error-row'

export const LOBBY_ERRORS = errorCodes({
  LOBBY_NOT_FOUND: {
    number: 4001,
    kind: 'absent',
    title: 'There is no such lobby.',
    happened:
      'There is no such lobby: it was deleted, ended with its last player or its time, or belongs to another project. From a quick join with `create: false`: no open lobby of the queue fits.',
    mend: 'Leave the lobby in your game and let the player make or join another one. If it happens to lobbies that were just made, compare the projects of both keys; and look at `lobby_ttl` of the queue if idle ones end too early.',
    retry: 'in-vain',
    near: ['INVALID_INVITE_CODE', 'PLAYER_NOT_IN_LOBBY', 'LOBBY_NOT_ACCEPTING'],
  },
  LOBBY_FULL: {
    number: 4002,
    kind: 'conflict',
    title: 'The lobby is full.',
    happened: 'Every place of the lobby is taken. Two players who join at once may both have seen the last one free.',
    mend: 'Offer another lobby: `POST /v1/lobbies/quick-join` finds one with room, or makes one. The host may raise `max_players` up to the maximum of the queue.',
    retry: 'when-changed',
    near: ['LOBBY_NOT_ACCEPTING', 'LOBBY_NOT_FOUND'],
  },
  PLAYER_NOT_IN_LOBBY: {
    number: 4003,
    kind: 'forbidden',
    title: 'The player is not in the lobby.',
    happened:
      'The player who acts is not in the lobby (403), or the player that the path names is not (404). They left, were kicked, or were taken for gone because no heartbeat came.',
    mend: 'Read the lobby and show what is so now; join again if the player should be in it. If players are lost while they are there, keep the event stream of the lobby open or send heartbeats, more often than `heartbeat_timeout` of the queue: the clients do so by themselves.',
    retry: 'in-vain',
    near: ['NOT_HOST', 'LOBBY_NOT_FOUND', 'PLAYER_STATE_FORBIDDEN'],
  },
  NOT_HOST: {
    number: 4004,
    kind: 'forbidden',
    title: 'Only the lobby host may do this.',
    happened:
      'Only the host of the lobby may do this, and another player called. The host may have changed a moment ago: when a host leaves, the player who has been there longest becomes host. To end a match that several lobbies share takes your backend.',
    mend: 'Show the control to the player whose id is `host_player_id` only, and take that from each event anew. Your backend may do the same for any lobby with a server key.',
    retry: 'when-changed',
    near: ['PLAYER_NOT_IN_LOBBY', 'PLAYER_STATE_FORBIDDEN', 'CREDENTIAL_NOT_ALLOWED'],
  },
  INVALID_INVITE_CODE: {
    number: 4005,
    kind: 'absent',
    title: 'No lobby has this invite code.',
    happened: 'No lobby of the project has this invite code now: it is mistyped, or its lobby is gone.',
    mend: 'Let the player type it again, or ask the host for the code that their lobby shows now; a lobby gets another one when the host asks for it, and when it moves to another queue. Capitals do not matter.',
    retry: 'in-vain',
    near: ['LOBBY_NOT_FOUND', 'LOBBY_NOT_ACCEPTING', 'LOBBY_FULL'],
  },
  PLAYER_STATE_FORBIDDEN: {
    number: 4006,
    kind: 'forbidden',
    title: "The caller may not make this change of the player's state.",
    happened:
      "A player changes another player's state without being host, or a client writes a field that the queue keeps for your backend (`trusted_fields`).",
    mend: 'Let each player write their own state. Values that clients must not invent, such as a rating, come from your backend with a server key, or from the player token. The game must not send these fields.',
    retry: 'in-vain',
    near: ['NOT_HOST', 'PLAYER_NOT_IN_LOBBY'],
  },
  INVALID_LOBBY_STATE: {
    number: 4007,
    kind: 'conflict',
    title: 'The lobby is not in a state that allows this.',
    happened:
      'The lobby is at another place of its life than the call needs: it searches already, plays, or does not search. `detail` says what is possible when. It is often a button that was pressed twice, or by two players at once.',
    mend: "Follow the lobby's events and show each control only in the states in which it works. Read the lobby now: if it is where you wanted it, nothing is wrong. A new invite code is drawn only where the queue has codes (`invite_code_config.enabled`).",
    details: '`status`: the state that the lobby is in.',
    retry: 'when-changed',
    near: ['LOBBY_NOT_ACCEPTING', 'NO_PROPOSAL', 'INVALID_MATCH_STATE'],
  },
  LOBBY_NOT_ACCEPTING: {
    number: 4008,
    kind: 'conflict',
    title: 'The lobby does not accept players this way now.',
    happened:
      'The lobby takes nobody in this way: it is private and was joined by its id, or it searches, starts or plays.',
    mend: 'Join a private lobby with its invite code. While a lobby searches or plays, offer another one; it takes players again once it is `waiting`.',
    details: '`status`: the state that the lobby is in, where that is the reason.',
    retry: 'when-changed',
    near: ['LOBBY_FULL', 'INVALID_INVITE_CODE', 'INVALID_LOBBY_STATE'],
  },
  INVITE_CODES_EXHAUSTED: {
    number: 4009,
    kind: 'conflict',
    title: 'No free invite code was found.',
    happened:
      'A new lobby was to get an invite code, and 32 codes drawn at random were all in use: the queue has more lobbies than its codes can tell apart.',
    mend: 'Make `invite_code_config.length` of the queue larger, or let it use letters and digits. Each character more gives 36 times as many codes; six are two billion.',
    retry: 'in-vain',
    near: ['INVALID_INVITE_CODE', 'CONFLICT'],
  },
  PLAYER_BANNED: {
    number: 4010,
    kind: 'forbidden',
    title: 'The player is banned here.',
    happened:
      'The player may not join this lobby: its host, or your backend, has banned them from it. That holds for joining by id and by invite code, and for a backend that joins on behalf of the player.',
    mend: 'Tell the player, and offer another lobby: `POST /v1/lobbies/quick-join` passes over lobbies that bar the player. The host lets the player in again with `DELETE /v1/lobbies/{lobby_id}/bans/{player_id}`.',
    details: '`scope`: the scope of the ban; `lobby`: from this lobby.',
    retry: 'when-changed',
    near: ['BAN_NOT_FOUND', 'LOBBY_NOT_ACCEPTING', 'NOT_HOST'],
  },
  BAN_NOT_FOUND: {
    number: 4011,
    kind: 'absent',
    title: 'There is no such ban.',
    happened: 'There is no such ban: the player was never banned from this lobby, or has been let in again.',
    mend: 'Read the lobby: `banned` lists whom it keeps out. If the player is not in it, nothing is left to do.',
    retry: 'in-vain',
    near: ['PLAYER_BANNED', 'PLAYER_NOT_IN_LOBBY'],
  },
  BAN_LIMIT: {
    number: 4012,
    kind: 'conflict',
    title: 'The lobby has the maximum number of bans.',
    happened: 'The lobby already has 100 bans, the maximum.',
    mend: 'Let some in again with `DELETE /v1/lobbies/{lobby_id}/bans/{player_id}`. Against strangers who return under new names, make the lobby private and create a new invite code: `POST /v1/lobbies/{lobby_id}/invite-code`.',
    retry: 'when-changed',
    near: ['PLAYER_BANNED', 'BAN_NOT_FOUND'],
  },
})
