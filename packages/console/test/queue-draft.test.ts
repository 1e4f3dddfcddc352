import { expect, it } from 'vitest'
import { carried } from '../src/page/rooms/queues/draft'

const NOTHING = {
  ...{ name: 'Duel', enabled: true, max_players: 10, lobby_ttl: 3_600, host_leave_behavior: 'promote' as const },
  ...{ timeout: 300, presence_timeout: 30, heartbeat: false, heartbeat_timeout: 60, in_game_heartbeat_timeout: null },
  ...{ match_ttl: 86_400, concurrent_matches: false, leaver_penalty: 0, requeue_on_failure: false },
  ...{ rating: null, rating_field: 'mmr', rated_starts: false, trusted_fields: [] },
  invite_code_config: { enabled: true, length: 6, charset: 'alphanumeric' as const, prefix: '' },
}

it('a draft takes what somebody else changed meanwhile, and keeps what was edited in it', () => {
  const told = {
    ...NOTHING,
    matchmaking: { teams: 2 },
    server_settings: { version_tag: 'arena', version: 2, network_ports: [{ name: 'game', internal_port: 7_777 }] },
  }
  const network_ports = [{ name: 'game', internal_port: 9_000 }]
  const draft = {
    ...told,
    leaver_penalty: 60,
    rating: 'ranked',
    server_settings: { ...told.server_settings, network_ports },
  }
  const now = {
    ...NOTHING,
    concurrent_matches: true,
    requeue_on_failure: true,
    rated_starts: true,
    matchmaking: { teams: 3, players_per_team: 2 },
    server_settings: { version_tag: 'arena', network_ports: told.server_settings.network_ports },
  }
  expect(carried(draft, told, now)).toEqual({
    ...NOTHING,
    concurrent_matches: true,
    leaver_penalty: 60,
    requeue_on_failure: true,
    rating: 'ranked',
    rating_field: 'mmr',
    rated_starts: true,
    matchmaking: { teams: 3, players_per_team: 2 },
    server_settings: { version_tag: 'arena', network_ports },
  })
})

it('a draft keeps an edited switch of the queue', () => {
  const told = { ...NOTHING, matchmaking: {}, server_settings: {} }
  const draft = { ...told, concurrent_matches: true }
  expect(carried(draft, told, { ...told, matchmaking: { teams: 3 } })).toEqual({ ...draft, matchmaking: { teams: 3 } })
})

it('a draft merges the fields of invite codes', () => {
  const told = { ...NOTHING, matchmaking: {}, server_settings: {} }
  const codes = (changes: object) => ({ ...told, invite_code_config: { ...NOTHING.invite_code_config, ...changes } })
  expect(carried(codes({ length: 8 }), told, codes({ prefix: 'EU-' }))).toEqual(codes({ length: 8, prefix: 'EU-' }))
})
