import { type Asked, before, type Fixtures, NOW } from '../../gallery/fixtures'

const key = (name: string, type: string, last4: string, days: number, more: object = {}) => ({
  key_id: `key_${last4}`,
  project_id: 'prj_1',
  type,
  name,
  last4,
  created_at: before(days * 86_400),
  revoked_at: null,
  expires_at: null,
  ...more,
})

const session = (id: string, address: string | null, days: number, current = false) => ({
  session_id: `ses_${id}`,
  created_at: before(days * 86_400),
  expires_at: before((days - 7) * 86_400),
  address,
  current,
})
const OTHER_SESSIONS = [session('laptop', '2001:db8:12::/48', 2), session('program', null, 6.5)]

const webhook = {
  webhook_id: 'whk_1',
  url: 'https://backend.starfall.example/hooks/matchyard',
  types: ['match.ended', 'server.failed', 'build.failed'],
  description: 'The season service: results and alarms',
  enabled: true,
  disabled_reason: null,
  created_at: before(86_400 * 20),
  updated_at: before(86_400 * 20),
}

const attempt = (seconds: number, status_code: number | null, error: string | null, duration_ms: number) => ({
  at: before(seconds),
  status_code,
  error,
  duration_ms,
})

const delivery = (
  n: number,
  type: string,
  status: string,
  attempts: readonly object[],
  next: string | null = null,
) => ({
  delivery_id: `dlv_${n}`,
  webhook_id: 'whk_1',
  message_id: `msg_01JP3Z${n}`,
  type,
  status,
  attempts,
  next_attempt_at: next,
  created_at: before(n * 340),
})

const member = (name: string, role: string, days: number) => ({
  account_id: `acc_${name === 'Ann' ? 1 : name}`,
  name,
  email: `${name.toLowerCase()}@studio.example`,
  role,
  owns_project: name === 'Ann',
  joined_at: before(days * 86_400),
})

const MEMBERS = [member('Ann', 'owner', 40), member('Bo', 'admin', 30), member('Cleo', 'support', 6)]

const INVITATION = {
  invitation_id: 'inv_1',
  project_id: 'prj_1',
  role: 'developer',
  email: 'dan@studio.example',
  invited_by: 'acc_1',
  created_at: before(2 * 86_400),
}

const ISSUERS = [
  {
    issuer: 'https://backend.starfall.example',
    algorithms: ['HS256'],
    player_claim: 'sub',
    state_claim: 'state',
  },
  {
    issuer: 'https://id.starfall.example/',
    algorithms: ['RS256', 'ES256'],
    jwks_url: 'https://id.starfall.example/.well-known/jwks.json',
    audience: 'starfall-arena',
    player_claim: 'sub',
    state_claim: 'https://starfall.example/state',
  },
]

const person = (account_id: string | null, kind = 'session', key_id: string | null = null) => ({
  ...{ kind, account_id, session_id: kind === 'session' ? 'ses_1' : null, key_id, address: '203.0.113.7' },
})

const changed = (minutes: number, actor: object, operation: string, target: object, fields: readonly object[]) => ({
  entry_id: `aud_${minutes}`,
  project_id: 'prj_1',
  account_id: 'acc_1',
  created_at: before(minutes * 60),
  ...{ actor, operation, target, player_ids: [] },
  changes: [{ ...target, change: 'changed', fields }],
})

const AUDIT = [
  changed(11, person('acc_1'), 'queues.update', { kind: 'queue', id: 'ranked' }, [
    { name: 'matchmaking.rules[0].max_difference', before: 100, after: 250 },
    { name: 'timeout_seconds', before: 60, after: 120 },
  ]),
  changed(48, person('acc_Bo', 'key', 'key_server key'), 'builds.update', { kind: 'build', id: 'bld_arena_13' }, [
    { name: 'disabled', before: false, after: true },
  ]),
  changed(130, person(null, 'key', 'key_Season service'), 'secrets.set', { kind: 'secret', id: 'DATABASE_URL' }, [
    { name: 'value', is_hidden: true },
  ]),
  changed(1_500, person('acc_Cleo'), 'bans.set', { kind: 'player', id: '<img src=x onerror=alert(1)>' }, [
    { name: 'until', before: null, after: '2026-03-21T12:00:00.000Z' },
    { name: 'reason', before: null, after: 'x'.repeat(300) },
  ]),
  changed(4_000, person(null, 'operator'), 'machines.drain', { kind: 'machine', id: 'fra-3' }, []),
]

export const settingsFixtures: Fixtures = {
  views: [
    { name: 'settings-keys', path: '/settings' },
    { name: 'settings-members', path: '/settings/members' },
    { name: 'settings-players', path: '/settings/players' },
    { name: 'settings-webhooks', path: '/settings/webhooks' },
    { name: 'settings-audit', path: '/settings/audit' },
    { name: 'settings-account', path: '/settings/account' },
    { name: 'webhook', path: '/settings/webhooks/whk_1' },
  ],
  answers: {
    'GET /v1/audit': AUDIT,
    'GET /v1/projects/*/keys': [
      key('client key', 'client', 'Xa4k', 40),
      key('server key', 'server', '9PqZ', 40),
      key('Season service', 'server', 'm2Wd', 12),
      key('Load test of Friday', 'client', 'T7oh', 0.1, { expires_at: new Date(NOW + 3 * 3_600_000).toISOString() }),
      key('Old launcher', 'client', 'kk31', 200, { revoked_at: before(86_400 * 9) }),
    ],
    'GET /v1/account/second-factor': ({ isEmpty }: Asked) => ({
      active: !isEmpty,
      activated_at: isEmpty ? null : before(86_400 * 30),
      recovery_codes_left: isEmpty ? 0 : 9,
    }),
    'GET /v1/account/sessions': ({ isEmpty }: Asked) => ({
      limit: 200,
      has_more: false,
      data: [session('current', '203.0.113.7', 0.1, true), ...(isEmpty ? [] : OTHER_SESSIONS)],
    }),
    'GET /v1/projects/*/members': ({ isEmpty }: Asked) => ({
      members: isEmpty ? [member('Ann', 'owner', 40)] : MEMBERS,
      invitations: isEmpty ? [] : [{ ...INVITATION, expires_at: new Date(NOW + 5 * 86_400_000).toISOString() }],
    }),
    'GET /v1/projects/*/player-auth': ({ isEmpty }: Asked) =>
      isEmpty ? { mode: 'trusted', issuers: [] } : { mode: 'signed', issuers: ISSUERS },
    'GET /v1/webhooks': [
      webhook,
      {
        ...webhook,
        webhook_id: 'whk_2',
        url: 'https://old.starfall.example/notify',
        description: null,
        enabled: false,
        disabled_reason: 'failing',
      },
    ],
    'GET /v1/webhooks/*': webhook,
    'GET /v1/webhooks/*/deliveries': [
      delivery(1, 'match.ended', 'pending', [attempt(30, 503, null, 212)], new Date(NOW + 90_000).toISOString()),
      delivery(2, 'match.ended', 'delivered', [
        attempt(610, null, 'the connection was refused', 4),
        attempt(604, 200, null, 96),
      ]),
      delivery(3, 'server.failed', 'delivered', [attempt(1_010, 204, null, 41)]),
      delivery(4, 'build.failed', 'failed', [attempt(1_350, 410, null, 38)]),
    ],
  },
}
