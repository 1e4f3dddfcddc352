import { type Asked, before, type Fixtures, NOW } from '../../gallery/fixtures'

const lobby = (lobby_id: string, queue_id: string, status: string, seconds: number) => ({
  lobby_id,
  queue_id,
  status,
  host_player_id: 'ann',
  is_private: false,
  max_players: 4,
  current_players: 2,
  players: [],
  version: 3,
  created_at: before(seconds + 400),
  updated_at: before(seconds),
})

const exit = (reason: string, detail: string, seconds: number) => ({
  reason,
  detail,
  at: before(seconds),
  lobby_id: 'lob_01JP3Z7Q2M8X',
  queue_id: 'ranked',
})

/** Results of the player's matches in turn: won, lost, drawn, left before the end, not completed. */
const resultOf = (n: number) => ({
  teams: ['team_1', 'team_2'].map((name, team) => ({
    name,
    rank: n === 3 || (team === n % 2) === (n !== 2) ? 1 : 2,
    score: null,
  })),
  players: [{ player_id: 'ann', score: 3, left: n === 4 }],
  completed: n !== 5,
  recorded_by: 'server',
  recorded_at: before(700 * n),
  amended_at: null,
})

const standing = (rating_id: string, value: number, matches: number, rank: number | null) => ({
  player_id: 'ann',
  rating_id,
  season: rating_id === 'ranked' ? 'Spring 2026' : null,
  mu: 31.6,
  sigma: rank === null ? 6.9 : 1.4,
  value,
  matches,
  placed: rank !== null,
  rank,
  updated_at: before(690),
})

const ban = (player_id: string, reason: string | null, seconds: number, more: object = {}) => ({
  player_id,
  reason,
  note: null,
  until: null,
  queues: null,
  created_at: before(seconds),
  updated_at: before(seconds),
  created_by: { kind: 'key', id: 'key_1', name: 'server key' },
  ...more,
})

const BANS = [
  ban('ann', 'Cheated in ranked games.', 3_600, {
    note: 'Report 4711',
    until: new Date(NOW + 6 * 86_400_000).toISOString(),
    queues: ['ranked'],
  }),
  ban('xX_aimbot_Xx', 'Uses an aimbot.', 86_400),
  ban('gus', null, 9 * 86_400, { until: before(2 * 86_400) }),
]

export const playersFixtures: Fixtures = {
  views: [
    { name: 'players', path: '/players' },
    { name: 'player', path: '/players/ann' },
  ],
  answers: {
    'GET /v1/bans': ({ isEmpty }: Asked) => ({ data: isEmpty ? [] : BANS, has_more: false }),
    'GET /v1/players/*': {
      player_id: 'ann',
      live_match: {
        match_id: 'mat_01JP3Z7Q2M80',
        queue_id: 'ranked',
        lobby_id: 'lob_01JP3Z7Q2M8X',
        status: 'running',
        server: null,
      },
      searches: [
        { lobby_id: 'lob_01JP3ZBB22C3', queue_id: 'casual', entered_at: before(41), held_by: null },
        { lobby_id: 'lob_01JP3ZCC33D4', queue_id: 'party', entered_at: before(95), held_by: 'elsewhere' },
      ],
      cooldowns: [{ queue_id: 'duel', until: before(-240) }],
      lobbies: [
        lobby('lob_01JP3Z7Q2M8X', 'ranked', 'in_game', 41),
        lobby('lob_01JP3ZAA11B2', 'casual', 'waiting', 900),
      ],
      matches: Array.from({ length: 6 }, (_, n) => ({
        match_id: `mat_01JP3Z7Q2M8${n}`,
        queue_id: n % 3 === 1 ? 'casual' : 'ranked',
        status: n === 0 ? 'running' : 'ended',
        version: 2,
        region: 'fra',
        teams: ['team_1', 'team_2'].map((name, team) => ({
          name,
          players: team === n % 2 ? [{ player_id: 'ann', lobby_id: 'lob', role: null }] : [],
        })),
        server: null,
        result: n === 0 ? null : resultOf(n),
        created_at: before(700 * (n + 1)),
        started_at: before(690 * (n + 1)),
        ended_at: null,
        end_reason: null,
        exit_code: null,
        exit_signal: null,
      })),
      ratings: [standing('ranked', 1_896, 212, 341), standing('teams', 1_560, 3, null)],
      bans: BANS.slice(0, 1),
      last_exits: [
        exit('timeout', 'no match was found within 300 s', 380),
        exit('match_ended', 'the game server ended the match', 1_700),
        exit('matched_elsewhere', 'a player of the lobby was matched in another search', 2_300),
        exit('launch_failed', 'no build named arenaa is ready', 2_900),
      ],
    },
  },
}
