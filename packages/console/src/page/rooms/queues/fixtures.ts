import { before, type Fixtures } from '../../gallery/fixtures'
import { QUEUES } from '../../gallery/samples'

const [FIRST] = QUEUES

/** Arrivals of one hour, one every six seconds, with ratings from 900 to 2,099. The last forty parties still wait. */
const ARRIVALS = Array.from({ length: 600 }, (_, n) => ({
  arrival_id: `arr_${n}`,
  lobby_id: `lob_${n}`,
  entered_at: before(3_600 - n * 6),
  left_at: n < 560 ? before(3_600 - n * 6 - 4) : null,
  outcome: n >= 560 ? null : n % 40 === 0 ? 'cancelled' : 'matched',
  match_id: null,
  wait_seconds: n < 560 ? 4 : null,
  region: null,
  players: [
    {
      player_id: `player_${n}`,
      state: { mmr: 1_500 + ((n * 7_919) % 1_200) - 600, regions: ['fra'], level: 1 + ((n * n) % 61) },
    },
  ],
}))

const entry = (version: number, secondsAgo: number, changes: readonly object[]) => ({
  version,
  at: before(secondsAgo),
  by: { kind: 'key', id: 'key_1', name: version === 2 ? 'console' : 'deploy' },
  changes,
  settings: FIRST,
})

export const queuesFixtures: Fixtures = {
  views: [
    { name: 'queues', path: '/queues' },
    { name: 'queue', path: `/queues/${FIRST?.queue_id}` },
    { name: 'queue-of-roles', path: '/queues/race' },
    { name: 'queue-lobbies', path: `/queues/${FIRST?.queue_id}?show=lobbies` },
    { name: 'queue-server', path: `/queues/${FIRST?.queue_id}?show=server` },
    { name: 'queue-server-held', path: '/queues/race?show=server' },
    { name: 'queue-as-json', path: `/queues/${FIRST?.queue_id}?show=json` },
    { name: 'queue-history', path: `/queues/${FIRST?.queue_id}?show=history` },
    { name: 'queue-charts', path: `/queues/${FIRST?.queue_id}?show=charts` },
  ],
  answers: {
    'GET /v1/queues/*': ({ path }: { readonly path: string }) =>
      QUEUES.find(({ queue_id }) => path.endsWith(`/${queue_id}`)) ?? FIRST,
    'GET /v1/queues/*/stats': {
      players_searching: 42,
      lobbies_searching: 31,
      matches_last_hour: 318,
      proposals_last_hour: { made: 0, accepted: 0, declined: 0, expired: 0 },
      wait_seconds: { p50: 3.4, p90: 21.8, p99: 88 },
      recent_wait_seconds: { p50: 3.1, p90: 18.2, p99: 64 },
      estimated_wait_seconds: 3.4,
      waiting_for_room: { servers: 0, oldest_seconds: null },
      warm: { ready: 0, allocated: 0 },
    },
    'GET /v1/queues/*/arrivals': () => ({ data: ARRIVALS, next_cursor: null }),
    'GET /v1/queues/*/history': [
      entry(3, 600, [{ path: 'matchmaking.rules[0].max_difference', before: 100, after: 200 }]),
      entry(2, 7_200, [
        { path: 'timeout', before: 120, after: 300 },
        { path: 'matchmaking.rules[1]', before: null, after: { type: 'region', field: 'regions' } },
      ]),
      entry(1, 90_000, []),
    ],
  },
}
