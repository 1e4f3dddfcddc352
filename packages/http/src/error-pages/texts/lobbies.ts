import type { ErrorText } from '../error-text'

export const LOBBIES = {
  LOBBY_NOT_FOUND: {
    happened:
      'There is no such lobby: it was deleted, ended with its last player or its time, or belongs to another project. From a quick join with `create: false`: no open lobby of the queue fits.',
    mend: 'Leave the lobby in your game and let the player make or join another one. If it happens to lobbies that were just made, compare the projects of both keys; and look at `lobby_ttl` of the queue if idle ones end too early.',
    retry: 'in-vain',
    near: ['INVALID_INVITE_CODE', 'PLAYER_NOT_IN_LOBBY', 'LOBBY_NOT_ACCEPTING'],
  },
  LOBBY_FULL: {
    happened: 'Every place of the lobby is taken. Two players who join at once may both have seen the last one free.',
    mend: 'Offer another lobby: `POST /v1/lobbies/quick-join` finds one with room, or makes one. The host may raise `max_players` up to what the queue allows.',
    retry: 'when-changed',
    near: ['LOBBY_NOT_ACCEPTING', 'LOBBY_NOT_FOUND'],
  },
  PLAYER_NOT_IN_LOBBY: {
    happened:
      'The player who acts is not in the lobby (403), or the player that the path names is not (404). They left, were kicked, or were taken for gone because no heartbeat came.',
    mend: 'Read the lobby and show what is so now; join again if the player should be in it. If players are lost while they are there, keep the event stream of the lobby open or send heartbeats, more often than `heartbeat_timeout` of the queue: the clients do so by themselves.',
    retry: 'in-vain',
    near: ['NOT_HOST', 'LOBBY_NOT_FOUND', 'PLAYER_STATE_FORBIDDEN'],
  },
  NOT_HOST: {
    happened:
      'Only the host of the lobby may do this, and another player called. The host may have changed a moment ago: when a host leaves, the player who has been there longest becomes host. To end a match that several lobbies share takes your backend.',
    mend: 'Show the control to the player whose id is `host_player_id` only, and take that from each event anew. Your backend may do the same for any lobby with a server key.',
    retry: 'when-changed',
    near: ['PLAYER_NOT_IN_LOBBY', 'PLAYER_STATE_FORBIDDEN', 'CREDENTIAL_NOT_ALLOWED'],
  },
  INVALID_INVITE_CODE: {
    happened: 'No lobby of the project has this invite code now: it is mistyped, or its lobby is gone.',
    mend: 'Let the player type it again, or ask the host for the code that their lobby shows now; a lobby gets another one when the host asks for it, and when it moves to another queue. Capitals do not matter.',
    retry: 'in-vain',
    near: ['LOBBY_NOT_FOUND', 'LOBBY_NOT_ACCEPTING', 'LOBBY_FULL'],
  },
  PLAYER_STATE_FORBIDDEN: {
    happened:
      "A player changes another player's state without being host, or a client writes a field that the queue keeps for your backend (`trusted_fields`).",
    mend: 'Let each player write their own state. What clients must not invent, such as a rating, is written by your backend with a server key, or comes in the player token; leave those fields out of what the game sends.',
    retry: 'in-vain',
    near: ['NOT_HOST', 'PLAYER_NOT_IN_LOBBY'],
  },
  INVALID_LOBBY_STATE: {
    happened:
      'The lobby is at another place of its life than the call needs: it searches already, plays, or does not search. `detail` says what is possible when. It is often a button that was pressed twice, or by two players at once.',
    mend: "Follow the lobby's events and show each control only in the states in which it works. Read the lobby now: if it is where you wanted it, nothing is wrong. A new invite code is drawn only where the queue has codes (`invite_code_config.enabled`).",
    details: '`status`: the state that the lobby is in.',
    retry: 'when-changed',
    near: ['LOBBY_NOT_ACCEPTING', 'NO_PROPOSAL', 'INVALID_MATCH_STATE'],
  },
  LOBBY_NOT_ACCEPTING: {
    happened:
      'The lobby takes nobody in this way: it is private and was joined by its id, or it searches, starts or plays.',
    mend: 'Join a private lobby with its invite code. While a lobby searches or plays, offer another one; it takes players again once it is `waiting`.',
    details: '`status`: the state that the lobby is in, where that is the reason.',
    retry: 'when-changed',
    near: ['LOBBY_FULL', 'INVALID_INVITE_CODE', 'INVALID_LOBBY_STATE'],
  },
  INVITE_CODES_EXHAUSTED: {
    happened:
      'A new lobby was to get an invite code, and 32 codes drawn at random were all in use: the queue has more lobbies than its codes can tell apart.',
    mend: 'Make `invite_code_config.length` of the queue larger, or let it use letters and digits. Each character more gives 36 times as many codes; six are two billion.',
    retry: 'in-vain',
    near: ['INVALID_INVITE_CODE', 'CONFLICT'],
  },
  PLAYER_BANNED: {
    happened:
      'The player may not join this lobby: its host, or your backend, has banned them from it. That holds for joining by id and by invite code, and for a backend that joins on behalf of the player.',
    mend: 'Tell the player, and offer another lobby: `POST /v1/lobbies/quick-join` passes over lobbies that bar the player. The host lets the player in again with `DELETE /v1/lobbies/{lobby_id}/bans/{player_id}`.',
    details: '`scope`: from what the player is banned; `lobby`: from this lobby.',
    retry: 'when-changed',
    near: ['BAN_NOT_FOUND', 'LOBBY_NOT_ACCEPTING', 'NOT_HOST'],
  },
  BAN_NOT_FOUND: {
    happened: 'There is no such ban: the player was never banned from this lobby, or has been let in again.',
    mend: 'Read the lobby: `banned` lists whom it keeps out. If the player is not in it, nothing is left to do.',
    retry: 'in-vain',
    near: ['PLAYER_BANNED', 'PLAYER_NOT_IN_LOBBY'],
  },
  BAN_LIMIT: {
    happened: 'The lobby keeps 100 players out already, which is as many as one may.',
    mend: 'Let some in again with `DELETE /v1/lobbies/{lobby_id}/bans/{player_id}`. Against strangers who come under ever new names, make the lobby private and draw a new invite code: `POST /v1/lobbies/{lobby_id}/invite-code`.',
    retry: 'when-changed',
    near: ['PLAYER_BANNED', 'BAN_NOT_FOUND'],
  },
  PARTY_TOO_LARGE: {
    happened:
      'More players are in the lobby than one party may have in this queue: `max_party_size`, or the largest team.',
    mend: 'Let as many leave as `detail` says, or search in a queue with larger teams. A lobby takes the `max_players` of its queue unless it is made with its own, and that is 10 unless the queue says otherwise, whatever the size of its teams: for one player a team set it to 1, in the queue or for each lobby. A lobby that is started directly may be larger than a party.',
    retry: 'when-changed',
    near: ['PARTY_CANNOT_MATCH', 'LOBBY_FULL'],
  },
  PARTY_CANNOT_MATCH: {
    happened:
      'The party breaks a rule of the queue by itself, so it would wait in vain: its own players are too far apart, play two versions or none that is allowed, lack a field that is required, or have roles that no team has.',
    mend: "Look at the players' `state` against the rule that `details` names. A field that is missing is most often not sent yet: write the state first, then search. `POST /v1/lobbies/{lobby_id}/start` begins a match without matchmaking.",
    details:
      '`rule`: the type of the rule that it breaks, or `version`, `roles`, `players`; `field`: the field of `state` that it reads; `values`: what the players have there, at most 8; `bound`: the bound that they break, at its loosest step; `player`: the player whose required field is missing or of another kind.',
    retry: 'when-changed',
    near: ['PARTY_TOO_LARGE', 'MATCHMAKING_NOT_CONFIGURED', 'BUILD_NOT_READY'],
  },
  NO_PROPOSAL: {
    happened:
      'A player accepts or declines, and no match is proposed to the lobby: the time to answer is over, somebody declined, or all had accepted and the match is made.',
    mend: "Close the question in your game when the lobby's `proposal` is gone, and go by its `status`: `matched` and what follows it mean that the match is on, `in_queue` and `waiting` that it is off.",
    retry: 'in-vain',
    near: ['PROPOSAL_CHANGED', 'INVALID_LOBBY_STATE', 'PLAYER_COOLING_DOWN'],
  },
  PROPOSAL_CHANGED: {
    happened:
      'The answer names a match, and meanwhile another one is proposed to the lobby. It was not counted for the new one, which the player has not seen.',
    mend: 'Show the proposal that the lobby has now and let the player answer to it, with its `match_id`.',
    retry: 'in-vain',
    near: ['NO_PROPOSAL', 'INVALID_LOBBY_STATE'],
  },
  PLAYER_COOLING_DOWN: {
    happened:
      'A player of the party turned a match of this queue down or let the question pass, and the queue keeps such players out for a while (`penalty`).',
    mend: "Show how long it lasts; `retry-after` has the seconds. The rest of the party may search without the players whom `details` names. The queue's `matchmaking.ready_check.penalty` sets the time, 0 takes it off.",
    details: '`players`: who is kept out.',
    retry: 'in-time',
    near: ['NO_PROPOSAL', 'RATE_LIMITED'],
  },
} as const satisfies Readonly<Record<string, ErrorText>>
