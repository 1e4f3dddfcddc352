import { type AuditEntry, OPERATIONS } from '@matchyard/core'
import { ENTITY_KINDS } from '@matchyard/core/ports'
import { describe, expect, it } from 'vitest'
import { AUDIT_ENTRY, auditChanges, withinAuditBytes } from '../../src/audit/differences'
import { AUDITED_KINDS } from '../../src/audit/entry'
import { SHOWN } from '../../src/audit/shown'

/** Changes that the audit log never records, with the reason. All other operations without a rule only read. */
const NEVER: Readonly<Record<string, readonly string[]>> = {
  'a person signs in or out, and changes nothing that others see': [
    ...['auth.register', 'auth.login', 'auth.refresh', 'auth.logout'],
  ],
  'the creation of the build is recorded, and the upload has no credential': ['builds.upload'],
  'players act for themselves': [
    ...['lobbies.create', 'lobbies.join', 'lobbies.quickJoin', 'lobbies.joinByCode', 'lobbies.leave'],
    ...['lobbies.heartbeat', 'lobbies.accept', 'lobbies.decline', 'matches.joinToken', 'matches.join'],
  ],
  'a game server reports': [
    ...['servers.selfReady', 'servers.selfHeartbeat', 'servers.selfShutdown', 'servers.selfBackfill'],
    ...['servers.selfCancelBackfill', 'servers.selfKeepSeat', 'servers.selfFreeSeat', 'servers.selfResult'],
    ...['servers.selfPlayerLeft', 'servers.selfClose'],
  ],
}

const READS =
  /\.(get|list|read|plan|usage|logs|browse|ofPlayer|stats|arrivals|history|find|self|leaderboard|calibration|seasons|deliveries|events|getPlayerAuth|getBudget|getBackfill|selfGet|selfGetBackfill|selfEvents|explainMatchmaking|explain)$/

it('every operation that changes something has a rule of the audit log, or a reason for none', () => {
  const reasons = new Set(Object.values(NEVER).flat())
  const open = Object.entries(OPERATIONS)
    .filter(([name, { audit }]) => audit === undefined && !reasons.has(name) && !READS.test(name))
    .map(([name]) => name)
  expect(open).toEqual([])
  const ruled = Object.entries(OPERATIONS).flatMap(([name, { audit }]) => (audit === undefined ? [] : [name]))
  expect(ruled.filter((name) => reasons.has(name) || READS.test(name))).toEqual([])
  const known = Object.keys(OPERATIONS)
  expect([...reasons].filter((name) => !known.includes(name))).toEqual([])
})

/** Fields that hold a secret, a free text of players, or personal data. None of them may be on the list of shown fields. */
const SECRET = {
  account: ['passwordHash', 'signInCode', 'customerId', 'secondFactor', 'pendingFactor'],
  session: ['address'],
  project: ['playerAuth.issuers'],
  'api-key': ['hash'],
  secret: ['sealed', 'valueId'],
  build: ['logs', 'errorMessage'],
  queue: ['serverSettings.environment', 'serverSettings.startupArgs', 'serverSettings.customData'],
  ban: ['playerId', 'note'],
  rating: [],
  machine: ['tokenHash', 'session', 'peerUrl', 'host'],
  webhook: ['url', 'secrets'],
  lobby: ['players', 'settings', 'inviteCode', 'hostPlayerId', 'banned', 'name'],
  match: ['teams', 'result', 'external', 'ending.detail'],
  member: [],
  problem: ['sentence'],
  invitation: ['tokenHash', 'email'],
  server: ['environment', 'startupArgs', 'customData', 'networkPorts', 'lastCrash'],
} as const satisfies Record<(typeof AUDITED_KINDS)[number], readonly string[]>

/** Returns a row with a value at each path. */
function rowOf(paths: readonly string[], value: (path: string) => unknown): Record<string, unknown> {
  const row: Record<string, Record<string, unknown> | unknown> = {}
  for (const path of paths) {
    const [key = '', inner] = path.split('.')
    if (inner === undefined) row[key] = value(path)
    else row[key] = { ...(row[key] as object), [inner]: value(path) }
  }
  return row
}

describe('an entry of the audit log', () => {
  it('knows kinds of the storage', () => {
    expect(AUDITED_KINDS.filter((kind) => !ENTITY_KINDS.includes(kind))).toEqual([])
  })

  it.each(AUDITED_KINDS)('never has a secret of the kind %s, and says which hidden fields changed', (kind) => {
    const nested = SHOWN[kind].fields.find((path) => path.includes('.'))?.split('.')[0]
    const unknown = ['fieldOfALaterRelease', ...(nested === undefined ? [] : [`${nested}.later`])]
    const hidden = [...SECRET[kind], ...unknown]
    const [before, after] = ['one', 'two'].map((round) => rowOf(hidden, (path) => `s3cret ${round} ${path}`))
    const changes = auditChanges([{ kind, id: 'a', before, after }])
    expect(JSON.stringify(changes)).not.toContain('s3cret')
    const names = changes.flatMap(({ fields }) => fields.map(({ name }) => name))
    const derived = SHOWN[kind].derived ?? []
    expect(names.sort()).toEqual(hidden.filter((path) => !derived.includes(path)).sort())
    for (const [was, is] of [[undefined, after] as const, [before, undefined] as const])
      expect(JSON.stringify(auditChanges([{ kind, id: 'a', before: was, after: is }]))).not.toContain('s3cret')
  })

  it.each(AUDITED_KINDS)('has the values of shown fields of the kind %s before and after', (kind) => {
    const [before, after] = [1, 2].map((value) => rowOf(SHOWN[kind].fields, () => value))
    const [change] = auditChanges([{ kind, id: 'a', before, after }])
    expect(change?.change).toBe('changed')
    expect(change?.fields.map(({ name }) => name).sort()).toEqual([...SHOWN[kind].fields].sort())
    for (const field of change?.fields ?? []) expect(field).toMatchObject({ before: 1, after: 2 })
  })

  it('has none of the rows of other kinds', () => {
    const row = { id: 'a', passwordHash: 's3cret' }
    for (const kind of ['cooldown', 'idempotency', 'message', 'delivery', 'audit'])
      expect(auditChanges([{ kind, id: 'a', before: row, after: undefined }])).toEqual([])
  })

  it('stays within its bounds: long values are hidden, then all values, and then fields are left out', () => {
    const long = auditChanges([{ kind: 'queue', id: 'q', before: { name: 'a' }, after: { name: 'x'.repeat(2_000) } }])
    expect(long[0]?.fields).toEqual([{ name: 'name', isHidden: true }])
    const things = Array.from({ length: 30 }, (_, n) => ({
      ...{ kind: 'queue', id: `q${n}`, before: undefined },
      after: { queueId: 'é'.repeat(400), name: 'é'.repeat(400), rating: 'é'.repeat(400) },
    }))
    const changes = auditChanges(things)
    expect(changes).toHaveLength(AUDIT_ENTRY.things)
    expect(changes.flatMap(({ fields }) => fields)).toHaveLength(AUDIT_ENTRY.fields)
    const entry = {
      ...{ id: 'aud_1', version: 1, projectId: 'p', accountId: 'a', createdAt: 1, operation: 'queues.update' },
      ...{ actor: { kind: 'operator' }, target: null, changes, players: [] },
    } satisfies AuditEntry
    const cut = withinAuditBytes(entry)
    expect(new TextEncoder().encode(JSON.stringify(cut)).length).toBeLessThanOrEqual(AUDIT_ENTRY.bytes)
    expect(cut.changes.flatMap(({ fields }) => fields).every(({ isHidden }) => isHidden === true)).toBe(true)
  })
})
