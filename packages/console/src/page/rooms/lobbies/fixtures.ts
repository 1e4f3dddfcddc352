import type { Fixtures } from '../../gallery/fixtures'
import { FIRST_LOBBY, historyOf, LOBBIES } from '../../gallery/samples'
import { streamOf } from '../../gallery/stream'

const WHY = {
  lobby_id: FIRST_LOBBY.lobby_id,
  waited_seconds: 48,
  rules: [
    { type: 'difference', field: 'mmr', passing: 2, failing: 21 },
    { type: 'region', field: 'regions', passing: 19, failing: 4 },
  ],
  fitting_all: 1,
  sampled: 23,
  missing: [{ team: 'team_2', role: null, players: 1 }],
  max_size_difference: null,
  next_relaxation_seconds: 12,
  estimated_wait_seconds: 35,
  held_by: null,
}

export const lobbiesFixtures: Fixtures = {
  views: [
    { name: 'lobbies', path: '/lobbies' },
    { name: 'lobby', path: `/lobbies/${FIRST_LOBBY.lobby_id}` },
  ],
  answers: {
    'GET /v1/lobbies': LOBBIES,
    'GET /v1/lobbies/*': ({ path }: { readonly path: string }) =>
      LOBBIES.find(({ lobby_id }) => path.endsWith(lobby_id)) ?? FIRST_LOBBY,
    'GET /v1/lobbies/*/queue': WHY,
    'GET /v1/lobbies/*/events': () =>
      streamOf(historyOf(FIRST_LOBBY).map((lobby) => ['lobby_updated', lobby] as const)),
  },
}
