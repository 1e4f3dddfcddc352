import type { Fixtures } from '../../gallery/fixtures'

const stats = (searching: number, matches: number, p50: number | null, p90: number | null, exits: object) => ({
  players_searching: searching,
  lobbies_searching: Math.ceil(searching / 2),
  matches_last_hour: matches,
  proposals_last_hour: { made: 0, accepted: 0, declined: 0, expired: 0 },
  exits_last_hour: exits,
  wait_seconds: { p50, p90, p99: p90 },
  recent_wait_seconds: { p50, p90, p99: p90 },
  estimated_wait_seconds: p50,
  waiting_for_room: { servers: 0, oldest_seconds: null },
})

export const nowFixtures: Fixtures = {
  views: [{ name: 'now', path: '/now' }],
  answers: {
    'GET /v1/queues/*/stats': ({ path }: { readonly path: string }) =>
      path.includes('ranked')
        ? stats(48, 372, 8.2, 41, { match_ended: 351, cancelled: 24, timeout: 12, player_left: 7, declined: 4 })
        : path.includes('casual')
          ? stats(12, 128, 3.1, 9.8, { match_ended: 120, cancelled: 9, server_failed: 2 })
          : stats(0, 0, null, null, {}),
  },
}
