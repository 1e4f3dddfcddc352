import { errorCodes } from '../error-row'

export const QUEUE_ERRORS = errorCodes({
  QUEUE_NOT_FOUND: {
    number: 5001,
    kind: 'absent',
    title: 'There is no such queue.',
    happened:
      'The project of the key has no queue of this `queue_id`. Queues of other projects read the same, and a queue that was deleted too.',
    mend: 'Compare the id with `GET /v1/queues`: it is the `queue_id` that you chose, not the name. If the list is empty, make the queue with `POST /v1/queues` and a server key; if it stands in another project, use a key of that one.',
    retry: 'in-vain',
    near: ['QUEUE_DISABLED', 'QUEUE_VERSION_NOT_FOUND', 'INVALID_API_KEY'],
  },
  QUEUE_DISABLED: {
    number: 5002,
    kind: 'conflict',
    title: 'The queue is disabled.',
    happened:
      'The queue is switched off (`enabled` is false): no lobby is made in it or moved to it, and none begins to search.',
    mend: 'Tell players that this mode is closed for now. Open it with `PATCH /v1/queues/{queue_id}` and `{"enabled": true}`. Lobbies in it go on, and may still be started directly.',
    retry: 'in-vain',
    near: ['QUEUE_NOT_FOUND', 'MATCHMAKING_NOT_CONFIGURED'],
  },
  QUEUE_EXISTS: {
    number: 5003,
    kind: 'conflict',
    title: 'A queue with this id exists.',
    happened: 'The project has a queue of this `queue_id`.',
    mend: 'Change it with `PATCH /v1/queues/{queue_id}`, or choose another id. In a script that should run again and again take `matchyard queues put`, or PATCH first and make the queue where that is `QUEUE_NOT_FOUND`.',
    retry: 'in-vain',
    near: ['QUEUE_NOT_FOUND', 'QUEUE_IN_USE'],
  },
  QUEUE_IN_USE: {
    number: 5004,
    kind: 'conflict',
    title: 'Lobbies live in this queue.',
    happened: 'The queue cannot be deleted while a lobby lives in it.',
    mend: 'Disable it, so that no new ones come, and delete it when the last is gone: by themselves they end after `lobby_ttl`. With a server key you may delete them at once.',
    retry: 'when-changed',
    near: ['QUEUE_DISABLED', 'QUEUE_NOT_FOUND'],
  },
  QUEUE_VERSION_NOT_FOUND: {
    number: 5014,
    kind: 'absent',
    title: 'The queue has no such version in its history.',
    happened:
      'The history of the queue has no such version: it was never written, or it is so old that it is kept no more.',
    mend: 'Take `version` from `GET /v1/queues/{queue_id}/history`.',
    retry: 'in-vain',
    near: ['QUEUE_NOT_FOUND'],
  },
  MATCHMAKING_NOT_CONFIGURED: {
    number: 5005,
    kind: 'conflict',
    title: 'The queue has no matchmaking.',
    happened:
      'A lobby is to search, or a match asks for players, and the queue has no `matchmaking`: nobody is paired in it.',
    mend: 'Give the queue some: `PATCH /v1/queues/{queue_id}` with `{"matchmaking": {"teams": 2, "players_per_team": 1}}`. Or start the lobby as it is with `POST /v1/lobbies/{lobby_id}/start`.',
    retry: 'in-vain',
    near: ['QUEUE_DISABLED', 'PARTY_CANNOT_MATCH'],
  },
  PARTY_TOO_LARGE: {
    number: 5006,
    kind: 'conflict',
    title: 'The party is too large for this queue.',
    happened:
      'More players are in the lobby than one party may have in this queue: `max_party_size`, or the largest team.',
    mend: 'Let as many leave as `detail` says, or search in a queue with larger teams. A lobby takes the `max_players` of its queue unless it is made with its own, and that is 10 unless the queue says otherwise, whatever the size of its teams: for one player a team set it to 1, in the queue or for each lobby. A lobby that is started directly may be larger than a party.',
    retry: 'when-changed',
    near: ['PARTY_CANNOT_MATCH', 'LOBBY_FULL'],
  },
  PARTY_CANNOT_MATCH: {
    number: 5007,
    kind: 'conflict',
    title: 'The party can never be matched in this queue.',
    happened:
      'The party breaks a rule of the queue by itself, so it would wait in vain: its own players are too far apart, play two versions or none that is allowed, lack a field that is required, or have roles that no team has.',
    mend: "Look at the players' `state` against the rule that `details` names. A field that is missing is most often not sent yet: write the state first, then search. `POST /v1/lobbies/{lobby_id}/start` begins a match without matchmaking.",
    details:
      '`rule`: the type of the rule that it breaks, or `version`, `roles`, `players`; `field`: the field of `state` that it reads; `values`: the values of the players, at most 8; `bound`: the bound that they break, at its loosest step; `player`: the player whose required field is missing or of another kind.',
    retry: 'when-changed',
    near: ['PARTY_TOO_LARGE', 'MATCHMAKING_NOT_CONFIGURED', 'BUILD_NOT_READY'],
  },
  MATCH_NOT_FOUND: {
    number: 5008,
    kind: 'absent',
    title: 'There is no such match.',
    happened:
      'There is no match of this id in the project. A game server that was launched without a match gets this error too.',
    mend: 'Take `match_id` (`mat_…`) from the lobby or from an event. A lobby has one from `matched` on; before that it is null.',
    retry: 'in-vain',
    near: ['INVALID_MATCH_STATE', 'LOBBY_NOT_FOUND', 'SERVER_NOT_FOUND'],
  },
  INVALID_MATCH_STATE: {
    number: 5009,
    kind: 'conflict',
    title: 'The match is not in a state that allows this.',
    happened:
      'The match is at another place of its life than the call needs: it has ended, does not run yet, has no open seat, was started without matchmaking, or is not played on a server of your own. `detail` says which.',
    mend: 'Read the match. Nothing brings one back that has ended. To bring the server yourself, the queue needs `server_settings.source: "external"` before the match is made.',
    details: '`status`: the state that the match is in.',
    retry: 'when-changed',
    near: ['MATCH_NOT_FOUND', 'BACKFILL_NOT_FOUND', 'INVALID_LOBBY_STATE'],
  },
  NO_PROPOSAL: {
    number: 5010,
    kind: 'conflict',
    title: 'No match is proposed to this lobby.',
    happened:
      'A player accepts or declines, and no match is proposed to the lobby: the time to answer is over, somebody declined, or all had accepted and the match is made.',
    mend: "Close the question in your game when the lobby's `proposal` is gone, and go by its `status`: `matched` and what follows it mean that the match is on, `in_queue` and `waiting` that it is off.",
    retry: 'in-vain',
    near: ['PROPOSAL_CHANGED', 'INVALID_LOBBY_STATE', 'PLAYER_COOLING_DOWN'],
  },
  PROPOSAL_CHANGED: {
    number: 5011,
    kind: 'conflict',
    title: 'Another match is proposed to this lobby.',
    happened:
      'The answer names a match, and meanwhile another one is proposed to the lobby. The answer was not counted for the new match, because the player has not seen that match.',
    mend: 'Show the proposal that the lobby has now and let the player answer to it, with its `match_id`.',
    retry: 'in-vain',
    near: ['NO_PROPOSAL', 'INVALID_LOBBY_STATE'],
  },
  PLAYER_COOLING_DOWN: {
    number: 5012,
    kind: 'conflict',
    title: 'A player may not enter this queue yet.',
    happened:
      'A player of the party declined a match of this queue or did not answer in time, and the queue refuses such players for a while (`penalty`).',
    mend: "Show how long it lasts; `retry-after` has the seconds. The rest of the party may search without the players whom `details` names. The queue's `matchmaking.ready_check.penalty` sets the time, 0 takes it off.",
    details: '`players`: the players with a cooldown.',
    retry: 'in-time',
    near: ['NO_PROPOSAL', 'RATE_LIMITED'],
  },
  BACKFILL_NOT_FOUND: {
    number: 5013,
    kind: 'absent',
    title: 'The match has no request for players.',
    happened:
      'The match asks for no players: nobody asked, the seats are filled, the time of the request is over, or the match was closed.',
    mend: 'To ask, `POST` to the same address. If you waited for players, look into the match whether they are there already.',
    retry: 'when-changed',
    near: ['INVALID_MATCH_STATE', 'MATCH_NOT_FOUND'],
  },
})
