import type { LobbySnapshot, MatchSnapshot } from '@matchyard/client'
import type { Build, Queue, Server } from '@matchyard/client/admin'
import { before } from './fixtures'

/**
 * Sample entities of one small studio on one evening. They are the same in every picture of the gallery. The first list
 * has the names of the players.
 */

const NAMES = ['ann', 'bob', 'cleo', 'dmitri', 'emre', 'faye', 'goro', 'hana', 'ines', 'jonas', 'kaito', 'lena']
/**
 * Unusual player ids that the service accepts: with markup, with reversed text direction, and with the maximum length.
 */
const ODD = ['<img src=x onerror=alert(1)>', 'مرحبا‮ exe.gnp', 'x'.repeat(128)]

const id = (kind: string, number: number): string => `${kind}_01HXZ${String(number).padStart(21, '0')}`

const player = (name: string, host: boolean, seconds: number, mmr: number) => ({
  player_id: name,
  is_host: host,
  joined_at: before(seconds),
  state: { mmr, regions: ['fra', 'ams'] },
})

const STATUSES = ['in_queue', 'waiting', 'in_game', 'in_game', 'matched', 'in_queue', 'waiting'] as const

export const LOBBIES: readonly LobbySnapshot[] = Array.from({ length: 64 }, (_, index): LobbySnapshot => {
  const status = STATUSES[index % STATUSES.length] ?? 'waiting'
  const host = index < 3 ? (ODD[index] ?? '') : `${NAMES[index % NAMES.length]}-${index}`
  const plays = status === 'in_game'
  const seconds = 12 + index * 37
  return {
    lobby_id: id('lob', 900 - index),
    queue_id: index % 4 === 3 ? 'casual' : 'ranked',
    status,
    host_player_id: host,
    is_private: index % 5 === 0,
    max_players: 4,
    current_players: 1 + (index % 3),
    players: [
      player(host, true, seconds, 1_480 + index),
      ...NAMES.slice(0, index % 3).map((name) => player(`${name}-${index}`, false, seconds - 5, 1_510)),
    ],
    ...(index % 3 === 0 ? { name: index === 0 ? 'Night owls <b>EU</b>' : `Friday night ${index}` } : {}),
    invite_code: `K7${(index * 7919).toString(36).toUpperCase().padStart(4, 'Q')}`,
    settings: { map: 'harbour', mode: 'duel' },
    server: plays
      ? {
          instance_id: id('srv', 40 - (index % 12)),
          region: 'fra',
          status: 'running',
          match_id: id('mat', 70 - (index % 24)),
          network_ports: [],
        }
      : null,
    match_id: plays || status === 'matched' ? id('mat', 70 - (index % 24)) : null,
    last_exit:
      index === 1 ? { reason: 'launch_failed', detail: 'no build named arenaa is ready', at: before(200) } : null,
    version: 5,
    created_at: before(seconds),
    updated_at: before(seconds / 3),
  }
})

export const FIRST_LOBBY = LOBBIES[0] as LobbySnapshot

export const MATCHES: readonly MatchSnapshot[] = Array.from({ length: 24 }, (_, index): MatchSnapshot => {
  const ended = index > 8
  const seat = (team: number) => ({
    player_id: index === 0 && team === 0 ? (ODD[0] ?? '') : `${NAMES[(index + team * 5) % NAMES.length]}-${index}`,
    lobby_id: id('lob', 898 - index - team * 7),
    role: null,
  })
  return {
    match_id: id('mat', 70 - index),
    queue_id: index % 4 === 3 ? 'casual' : 'ranked',
    status: ended ? 'ended' : index === 1 ? 'launching' : 'running',
    version: 3,
    region: 'fra',
    result: null,
    ...(index === 0 && {
      backfill: { teams: [], expires_at: before(-240) },
      kept_seats: [
        { player_id: 'a friend', team: 'team_2', role: null, kept_by: `${NAMES[0]}-0`, expires_at: before(-25) },
      ],
    }),
    teams: [
      { name: 'team_1', players: [seat(0)] },
      { name: 'team_2', players: [index === 0 ? { ...seat(1), left_at: before(20) } : seat(1)] },
    ],
    server: {
      instance_id: id('srv', 40 - (index % 12)),
      region: 'fra',
      status: ended ? 'stopped' : 'running',
      match_id: id('mat', 70 - index),
      network_ports: [],
    },
    server_id: id('srv', 40 - (index % 12)),
    build_id: index === 1 ? null : `bld_arena_${index % 5 === 4 ? 13 : 12}`,
    version_tag: index === 1 ? null : 'arena',
    build_version: index === 1 ? null : index % 5 === 4 ? 13 : 12,
    created_at: before(60 + index * 190),
    started_at: index === 1 ? null : before(50 + index * 185),
    ended_at: ended ? before(30 + index * 120) : null,
    end_reason: ended ? (index % 5 === 4 ? 'server_failed' : 'match_ended') : null,
    exit_code: null,
    exit_signal: ended && index % 5 === 4 ? 'SIGSEGV' : null,
  }
})

const SAID = [
  'listening on udp 20411',
  'ready',
  'ann-0 says hello (1/2)',
  'tick 600: 16.4 ms',
  'warning: a packet came twice <script>alert(1)</script>',
  'goro-0 says hello (2/2)',
  'round 1 begins',
  'ann-0 scores',
  'goro-0 scores',
  'round 2 begins',
]

export const LOG = {
  instance_id: id('srv', 40),
  logs: Array.from({ length: 40 }, (_, index) => ({
    timestamp: before(60 - index),
    stream: index % 9 === 4 ? ('stderr' as const) : ('stdout' as const),
    message: SAID[index % SAID.length] ?? '',
  })),
}

const REASONS = [
  'exited with code 1 before it was ready',
  'was not running within 60 s: no port that was asked for is bound: asked for udp 20411 (PORT_GAME); the server has bound udp 7777',
]

export const SERVERS: readonly Server[] = Array.from({ length: 18 }, (_, index): Server => {
  const status =
    index === 0 ? 'running' : index === 1 ? 'launching' : index < 8 ? 'running' : index < 13 ? 'stopped' : 'failed'
  const over = status === 'stopped' || status === 'failed'
  return {
    instance_id: id('srv', 40 - index),
    project_id: 'prj_1',
    name: index === 2 ? (ODD[0] ?? '') : `ranked-${40 - index}`,
    status,
    status_reason: null,
    region: 'fra',
    tier: '1x-1g',
    version_tag: 'arena',
    build_id: status === 'failed' && index % 2 === 0 ? 'bld_arena_12' : 'bld_arena_13',
    build_version: status === 'failed' && index % 2 === 0 ? 12 : 13,
    network_ports:
      status === 'launching'
        ? []
        : [
            {
              name: 'game',
              protocol: 'udp',
              internal_port: 7777,
              external_port: 20_411 + index,
              host: '203.0.113.7',
              tls_enabled: false,
            },
          ],
    startup_args: '',
    readiness: 'port',
    ttl: null,
    auto_restart: true,
    custom_data: {},
    match_id: index === 7 ? null : id('mat', 70 - index),
    node_id: status === 'launching' ? null : `fra-${1 + (index % 2)}`,
    exit_code: status === 'failed' ? 1 : null,
    end_reason: status === 'failed' ? 'server_failed' : status === 'stopped' ? 'match_ended' : null,
    stop_reason: status === 'failed' ? (REASONS[index % 2] ?? '') : null,
    last_crash:
      status === 'failed' ? { at: before(20), exit_code: 1, exit_signal: null, lines: LOG.logs.slice(-4) } : null,
    restarts: index === 3 ? 2 : 0,
    created_at: before(70 + index * 210),
    running_at: status === 'launching' ? null : before(62 + index * 210),
    stopped_at: over ? before(20 + index * 150) : null,
    expires_at: null,
    updated_at: before(20 + index * 150),
  }
})

/** Settings that the sample queues share. */
const DEFAULTS = {
  heartbeat: false,
  heartbeat_timeout: 60,
  host_leave_behavior: 'promote',
  lobby_ttl: 3_600,
  match_ttl: 86_400,
  concurrent_matches: false,
  presence_timeout: 30,
  in_game_heartbeat_timeout: null,
  leaver_penalty: 0,
  requeue_on_failure: false,
  rating: null,
  rating_field: 'mmr',
  rated_starts: false,
  invite_code_config: { enabled: true, length: 6, charset: 'alphanumeric', prefix: '' },
} as const

export const QUEUES: readonly Queue[] = [
  {
    ...DEFAULTS,
    queue_id: 'ranked',
    name: 'Ranked duel',
    enabled: true,
    max_players: 4,
    timeout: 300,
    rating: 'ranked',
    server_settings: { version_tag: 'arena', network_ports: [{ name: 'game', internal_port: 7_777 }] },
    matchmaking: {
      teams: 2,
      players_per_team: 1,
      rules: [
        {
          type: 'difference',
          field: 'mmr',
          max_difference: 100,
          expansions: [{ after_seconds: 20, max_difference: 300 }],
        },
        { type: 'region', min_overlap: 1 },
        { type: 'avoid' },
        { type: 'recent_opponents', seconds: 900, expansions: [{ after_seconds: 60, seconds: 300 }] },
      ],
    },
    created_at: before(86_400 * 30),
    updated_at: before(86_400 * 3),
  },
  {
    ...DEFAULTS,
    queue_id: 'casual',
    name: 'Casual',
    enabled: true,
    max_players: 8,
    timeout: 120,
    server_settings: { version_tag: 'arenaa' },
    matchmaking: { teams: 2, players_per_team: 4 },
    warnings: ['no build named arenaa is ready'],
    created_at: before(86_400 * 20),
    updated_at: before(86_400),
  },
  {
    ...DEFAULTS,
    queue_id: 'race',
    name: 'Race',
    enabled: false,
    max_players: 8,
    timeout: 120,
    server_settings: { version_tag: 'race-server', version: 1, ttl: 3_600 },
    matchmaking: {
      team_composition: {
        team_1: { driver: 1, mechanic: 2 },
        team_2: { driver: 1, mechanic: 2 },
      },
    },
    created_at: before(86_400 * 10),
    updated_at: before(86_400 * 2),
  },
]

export const BUILDS: readonly Build[] = [
  {
    build_id: 'bld_7',
    name: 'arena',
    version: 7,
    status: 'ready',
    build_type: 'zip',
    executable_path: 'server',
    error_message: null,
    disabled: false,
    draining_since: null,
    drained_at: null,
    created_by: { kind: 'session', id: 'acc_1', name: null },
    created_at: before(86_400),
    updated_at: before(86_300),
  },
  {
    build_id: 'bld_6',
    name: 'arena',
    version: 6,
    status: 'ready',
    build_type: 'zip',
    executable_path: 'server',
    error_message: null,
    disabled: false,
    draining_since: null,
    drained_at: null,
    created_by: { kind: 'session', id: 'acc_1', name: null },
    created_at: before(86_400 * 5),
    updated_at: before(86_400 * 5),
  },
  {
    build_id: 'bld_5',
    name: 'arena',
    version: 5,
    status: 'failed',
    build_type: 'zip',
    executable_path: 'sever',
    error_message: 'there is no regular file at sever',
    disabled: false,
    draining_since: null,
    drained_at: null,
    created_by: { kind: 'session', id: 'acc_1', name: null },
    created_at: before(86_400 * 6),
    updated_at: before(86_400 * 6),
  },
]

/** Returns five sample versions of a lobby, oldest first. */
export function historyOf(lobby: LobbySnapshot): readonly LobbySnapshot[] {
  const [host] = lobby.players
  if (host === undefined) return [lobby]
  const first: LobbySnapshot = {
    ...lobby,
    status: 'waiting',
    version: 1,
    players: [host],
    current_players: 1,
    settings: {},
    updated_at: lobby.created_at,
  }
  const friend = { ...host, player_id: 'faye', is_host: false }
  return [
    first,
    { ...first, version: 2, settings: lobby.settings, updated_at: before(10) },
    {
      ...first,
      version: 3,
      settings: lobby.settings,
      players: [host, friend],
      current_players: 2,
      updated_at: before(9),
    },
    {
      ...first,
      version: 4,
      settings: lobby.settings,
      players: [{ ...host, state: { mmr: 1_502, regions: ['fra'] } }, friend],
      current_players: 2,
      updated_at: before(7),
    },
    {
      ...lobby,
      version: 5,
      players: [{ ...host, state: { mmr: 1_502, regions: ['fra'] } }],
      current_players: 1,
      banned: ['faye'],
      updated_at: before(5),
    },
  ]
}
