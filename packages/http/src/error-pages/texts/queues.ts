import type { ErrorText } from '../error-text'

export const QUEUES = {
  QUEUE_NOT_FOUND: {
    happened:
      'The project of the key has no queue of this `queue_id`. Queues of other projects read the same, and a queue that was deleted too.',
    mend: 'Compare the id with `GET /v1/queues`: it is the `queue_id` that you chose, not the name. If the list is empty, make the queue with `POST /v1/queues` and a server key; if it stands in another project, use a key of that one.',
    retry: 'in-vain',
    near: ['QUEUE_DISABLED', 'QUEUE_VERSION_NOT_FOUND', 'INVALID_API_KEY'],
  },
  QUEUE_DISABLED: {
    happened:
      'The queue is switched off (`enabled` is false): no lobby is made in it or moved to it, and none begins to search.',
    mend: 'Tell players that this mode is closed for now. Open it with `PATCH /v1/queues/{queue_id}` and `{"enabled": true}`. Lobbies in it go on, and may still be started directly.',
    retry: 'in-vain',
    near: ['QUEUE_NOT_FOUND', 'MATCHMAKING_NOT_CONFIGURED'],
  },
  QUEUE_EXISTS: {
    happened: 'The project has a queue of this `queue_id`.',
    mend: 'Change it with `PATCH /v1/queues/{queue_id}`, or choose another id. In a script that should run again and again take `matchyard queues put`, or PATCH first and make the queue where that is `QUEUE_NOT_FOUND`.',
    retry: 'in-vain',
    near: ['QUEUE_NOT_FOUND', 'QUEUE_IN_USE'],
  },
  QUEUE_IN_USE: {
    happened: 'The queue cannot be deleted while a lobby lives in it.',
    mend: 'Disable it, so that no new ones come, and delete it when the last is gone: by themselves they end after `lobby_ttl`. With a server key you may delete them at once.',
    retry: 'when-changed',
    near: ['QUEUE_DISABLED', 'QUEUE_NOT_FOUND'],
  },
  QUEUE_VERSION_NOT_FOUND: {
    happened:
      'The history of the queue has no such version: it was never written, or it is so old that it is kept no more.',
    mend: 'Take `version` from `GET /v1/queues/{queue_id}/history`.',
    retry: 'in-vain',
    near: ['QUEUE_NOT_FOUND'],
  },
  MATCHMAKING_NOT_CONFIGURED: {
    happened:
      'A lobby is to search, or a match asks for players, and the queue has no `matchmaking`: nobody is paired in it.',
    mend: 'Give the queue some: `PATCH /v1/queues/{queue_id}` with `{"matchmaking": {"teams": 2, "players_per_team": 1}}`. Or start the lobby as it is with `POST /v1/lobbies/{lobby_id}/start`.',
    retry: 'in-vain',
    near: ['QUEUE_DISABLED', 'PARTY_CANNOT_MATCH'],
  },
  MATCH_NOT_FOUND: {
    happened:
      'There is no match of this id in the project. A game server is told so where it was launched by itself and has no match.',
    mend: 'Take `match_id` (`mat_…`) from the lobby or from an event. A lobby has one from `matched` on; before that it is null.',
    retry: 'in-vain',
    near: ['INVALID_MATCH_STATE', 'LOBBY_NOT_FOUND', 'SERVER_NOT_FOUND'],
  },
  INVALID_MATCH_STATE: {
    happened:
      'The match is at another place of its life than the call needs: it has ended, does not run yet, has no open seat, was started without matchmaking, or is not played on a server of your own. `detail` says which.',
    mend: 'Read the match. Nothing brings one back that has ended. To bring the server yourself, the queue needs `server_settings.source: "external"` before the match is made.',
    details: '`status`: the state that the match is in.',
    retry: 'when-changed',
    near: ['MATCH_NOT_FOUND', 'BACKFILL_NOT_FOUND', 'INVALID_LOBBY_STATE'],
  },
  BACKFILL_NOT_FOUND: {
    happened:
      'The match asks for no players: nobody asked, the seats are filled, the time of the request is over, or the match was closed.',
    mend: 'To ask, `POST` to the same address. If you waited for players, look into the match whether they are there already.',
    retry: 'when-changed',
    near: ['INVALID_MATCH_STATE', 'MATCH_NOT_FOUND'],
  },
} as const satisfies Readonly<Record<string, ErrorText>>
