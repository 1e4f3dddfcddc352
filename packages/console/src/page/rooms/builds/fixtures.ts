import { before, type Fixtures } from '../../gallery/fixtures'

const build = (name: string, version: number, status: string, seconds: number, more: object = {}) => ({
  build_id: `bld_${name}_${version}`,
  name,
  version,
  status,
  build_type: 'zip',
  executable_path: 'bin/server.x86_64',
  error_message: null,
  disabled: false,
  draining_since: null,
  drained_at: null,
  created_by: { kind: 'session', id: 'acc_1', name: null },
  created_at: before(seconds),
  updated_at: before(Math.max(0, seconds - 12)),
  ...more,
})

const image = (tag: string) => ({
  build_type: 'docker_image',
  image_url: `ghcr.io/starfall/race-server:${tag}`,
  executable_path: undefined,
})

const BUILDS = [
  build('arena', 14, 'processing', 9),
  build('arena', 13, 'ready', 5_400, { created_by: { kind: 'session', id: 'acc_Bo', name: null } }),
  build('arena', 12, 'ready', 86_400 * 3, {
    disabled: true,
    draining_since: before(120),
    created_by: { kind: 'key', id: 'key_1', name: 'nightly build' },
  }),
  build('arena', 11, 'failed', 86_400 * 4, {
    error_message: 'bin/server.x86_64 is not in the archive; its root holds: arena-server-linux/',
  }),
  build('race-server', 2, 'ready', 86_400 * 9, image('2.0.1')),
  build('race-server', 1, 'ready', 86_400 * 12, { ...image('2.0.0'), disabled: true }),
]

const LOG = [
  ['info', 'The archive has 38,214,912 bytes.'],
  ['info', '214 entries, 96.4 MB unpacked.'],
  ['warn', 'bin/server.x86_64 is not marked as executable. The service marks it.'],
  ['info', 'its_svc.json is added at each launch.'],
] as const

export const buildsFixtures: Fixtures = {
  views: [
    { name: 'builds', path: '/builds' },
    { name: 'build', path: '/builds/arena' },
    { name: 'build-held', path: '/builds/race-server' },
    { name: 'build-version', path: '/builds/arena/bld_arena_13' },
    { name: 'build-failed', path: '/builds/arena/bld_arena_11' },
  ],
  answers: {
    'GET /v1/builds': BUILDS,
    'GET /v1/builds/*/logs': {
      build_id: 'bld_arena_14',
      logs: LOG.map(([level, message], index) => ({ timestamp: before(8 - index), level, message })),
    },
  },
}
