import assert from 'node:assert/strict'
import { MINUTE_MS } from '@matchyard/core/domain'
import { AUDIT_KEPT, AUDIT_KEPT_MS } from '@matchyard/core/ports'
import { apply, next, put, store } from './changes'
import { area } from './harness'
import { ACCOUNT_ID, anAuditEntry, PROJECT_ID } from './samples'

const it = area('audit log')
const NOW = 100 * AUDIT_KEPT_MS
/** Number of entries that one commit of a test writes. */
const AT_ONCE = 10_000

export const auditCases = [
  it('is told by its project, its account or the installation, newest first, from any entry on', async ({
    storage,
  }) => {
    const [a, b, c, d] = [
      anAuditEntry({ id: 'aud_b', createdAt: 1_000 }),
      anAuditEntry({ id: 'aud_d', createdAt: 2_000 }),
      anAuditEntry({ id: 'aud_e', createdAt: 2_000 }),
      anAuditEntry({ id: 'aud_a', createdAt: 3_000 }),
    ]
    const ofAccount = anAuditEntry({ projectId: null })
    const ofInstallation = anAuditEntry({ projectId: null, accountId: null })
    await store(storage, 'audit', c, a, d, b, ofAccount, ofInstallation, anAuditEntry({ projectId: 'prj_b' }))
    const list = (query: object) => storage.audit.list({ scope: PROJECT_ID, limit: 10, ...query })
    assert.deepEqual(await list({}), [d, c, b, a])
    assert.deepEqual(await list({ limit: 2 }), [d, c])
    assert.deepEqual(await list({ before: c }), [b, a])
    assert.deepEqual(await list({ before: { createdAt: 2_000, id: 'aud_dd' } }), [b, a])
    assert.deepEqual(await list({ maxBytes: 1 }), [d])
    assert.deepEqual(await list({ scope: ACCOUNT_ID }), [ofAccount])
    assert.deepEqual(await list({ scope: '' }), [ofInstallation])
    assert.deepEqual(await list({ scope: 'prj_none' }), [])
  }),

  it('is written in the commit of its change, or not at all', async ({ storage, backDoor }) => {
    const entry = anAuditEntry()
    await store(storage, 'audit', entry)
    const other = anAuditEntry()
    const refused = await storage.commit({
      ...{ id: 'cmt_refused', at: 1_000, checks: [], counters: [], events: [], jobs: [] },
      writes: [put('audit', other), put('audit', entry)],
    })
    assert.equal(refused.ok, false)
    assert.deepEqual(
      (await backDoor.entities('audit')).map(({ id }) => id),
      [entry.id],
    )
  }),

  it('is found by the players whom it names, until it names them no more', async ({ storage }) => {
    const old = anAuditEntry({ createdAt: 1_000, players: ['ann', 'bob'] })
    const young = anAuditEntry({ createdAt: 2_000, players: ['ann'] })
    await store(storage, 'audit', young, old, anAuditEntry({ projectId: 'prj_b' }), anAuditEntry({ projectId: null }))
    const of = (playerId: string, limit = 10) => storage.audit.ofPlayer(PROJECT_ID, playerId, limit)
    assert.deepEqual(await of('ann'), [young, old])
    assert.deepEqual(await of('ann', 1), [young])
    const without = next(old, { players: ['bob'], target: { kind: 'player', id: '' } })
    await store(storage, 'audit', without)
    assert.deepEqual(await of('ann'), [young])
    assert.deepEqual(await of('bob'), [without])
    assert.deepEqual(await of('cat'), [])
  }),

  it('is found by the age of its addresses, oldest first, until it has none', async ({ storage }) => {
    const [a, b, c] = [1_000, 2_000, 3_000].map((createdAt) => anAuditEntry({ createdAt }))
    assert.ok(a && b && c)
    const actor = { kind: 'session', accountId: ACCOUNT_ID, sessionId: 'ses_a' } as const
    await store(storage, 'audit', c, b, a, anAuditEntry({ actor }), anAuditEntry({ actor: { kind: 'operator' } }))
    const addressed = (until: number, limit = 10) => storage.audit.listAddressed({ until, limit })
    assert.deepEqual(await addressed(2_000), [a, b])
    assert.deepEqual(await addressed(9_000, 1), [a])
    await store(storage, 'audit', next(a, { actor }))
    assert.deepEqual(await addressed(9_000), [b, c])
  }),

  it('is forgotten after 400 days, and the oldest of a scope as soon as enough came after them', async ({
    storage,
    backDoor,
  }) => {
    const before = anAuditEntry({ projectId: 'prj_b', createdAt: NOW - AUDIT_KEPT_MS - 1 })
    const since = anAuditEntry({ projectId: 'prj_b', createdAt: NOW - AUDIT_KEPT_MS })
    const oldest = anAuditEntry({ createdAt: NOW - 2 })
    await store(storage, 'audit', before, since, oldest)
    for (let from = 0; from < AUDIT_KEPT; from += AT_ONCE) {
      const many = Array.from({ length: AT_ONCE }, (_, n) =>
        anAuditEntry({ id: `aud_many${from + n}`, createdAt: NOW - 1, players: [] }),
      )
      await apply(storage, { writes: many.map((entry) => put('audit', entry)) })
    }
    await storage.prune(NOW)
    const kept = (await backDoor.entities('audit')).map(({ id }) => id)
    assert.equal(kept.length, AUDIT_KEPT + 1)
    assert.deepEqual(
      [kept.includes(before.id), kept.includes(since.id), kept.includes(oldest.id)],
      [false, true, false],
    )
    // A later prune may look only at the scopes that have new entries.
    const newest = anAuditEntry({ createdAt: NOW + 1 })
    await store(storage, 'audit', newest)
    await storage.prune(NOW + 5 * MINUTE_MS)
    const later = (await backDoor.entities('audit')).map(({ id }) => id)
    assert.deepEqual([later.length, later.includes(newest.id)], [AUDIT_KEPT, true])
  }),
]
