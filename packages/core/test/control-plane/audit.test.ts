import type { AuditActor } from '@matchyard/core'
import { DAY_MS } from '@matchyard/core/domain'
import { type Commit, StorageUnavailable } from '@matchyard/core/ports'
import { memoryStorage } from '@matchyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { AUDIT_EXAMINED } from '../../src/use-cases/audit/list-audit'
import { controlPlane, refusal } from './service'

const OPERATOR = { actor: { kind: 'operator', name: 'accounts' } } as const

async function studio() {
  const storage = memoryStorage()
  const { commit } = storage
  const state = { refuses: false, commits: 0 }
  const watched = async (value: Commit) => {
    if (state.refuses) throw new StorageUnavailable('the test refuses commits')
    state.commits++
    return commit.call(storage, value)
  }
  const plane = await controlPlane({ storage: Object.assign(storage, { commit: watched }) })
  const owner = await plane.project()
  const { accountId, projectId } = owner
  const session = { kind: 'session', accountId, sessionId: 'ses_1', address: '192.0.2.7' } as const
  const key = { kind: 'key', keyId: 'key_1', projectId } as const
  const list = async (input: object = {}) => (await plane.matchyard.audit.list({ projectId, ...input })).data
  const by = (actor: AuditActor) => ({ actor })
  return { ...plane, ...owner, state, session, key, list, by }
}

describe('the audit log', () => {
  it('has the author, the thing, and the fields before and after', async () => {
    const { matchyard, projectId, session, list, by, clock } = await studio()
    await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel' })
    const changes = { maxPlayers: 4, serverSettings: { environment: { TOKEN: 's3cret' } } }
    await matchyard.queues.update({ projectId, queueId: 'duel', changes }, by(session))
    const [entry, ...others] = await list()
    expect(others).toEqual([])
    expect(entry).toMatchObject({
      ...{ projectId, createdAt: clock.now(), actor: session, operation: 'queues.update', players: [] },
      target: { kind: 'queue', id: 'duel' },
    })
    expect(entry?.changes).toEqual([
      {
        kind: 'queue',
        id: `${projectId}/duel`,
        change: 'changed',
        fields: expect.arrayContaining([{ name: 'maxPlayers', before: expect.any(Number), after: 4 }]),
      },
    ])
    expect(JSON.stringify(entry)).not.toContain('s3cret')
  })

  it('has the changes of lobbies, matches, servers and players by people, and not by the key of a program', async () => {
    const { matchyard, projectId, session, key, list, by, settle } = await studio()
    await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel' })
    const open = async () => (await matchyard.lobbies.create({ projectId, playerId: 'ann', queueId: 'duel' })).id
    const end = async (actor: AuditActor) =>
      matchyard.lobbies.banPlayer({ projectId, lobbyId: await open(), targetPlayerId: 'bob', backend: true }, by(actor))
    await end(key)
    expect(await list()).toEqual([])
    const person = { ...key, person: 'acc_support' }
    for (const actor of [person, session, OPERATOR.actor]) await end(actor)
    const entries = await list()
    expect(entries.map(({ actor }) => actor)).toEqual([OPERATOR.actor, session, person])
    for (const entry of entries) expect(entry).toMatchObject({ operation: 'lobbies.banPlayer', players: ['bob'] })
    await matchyard.players.erase({ projectId, playerId: 'bob' }, by(person))
    expect(await list({ target: 'bob' })).toHaveLength(4)
    await settle()
    const erased = await list()
    expect(erased).toHaveLength(4)
    expect(JSON.stringify(erased)).not.toContain('bob')
    expect(erased[0]?.target).toEqual({ kind: 'player', id: '' })
  })

  it('has commands of operators in the list of the account or of the installation', async () => {
    const { matchyard, accountId, list } = await studio()
    await matchyard.accounts.setPassword({ accountId, password: 's3cret password' }, OPERATOR)
    await matchyard.accounts.drawSignInCode({ accountId }, OPERATOR)
    await matchyard.accounts.disable({ accountId }, OPERATOR)
    await matchyard.accounts.enable({ accountId }, OPERATOR)
    await matchyard.billing.setPlan({ accountId, plan: 'free' }, OPERATOR)
    const created = await matchyard.accounts.create(
      { email: 'n@e.example', password: 's3cret password', name: 'N' },
      OPERATOR,
    )
    const { token } = await matchyard.machines.mintToken({ name: 'fra-1' }, OPERATOR)
    await matchyard.machines.revokeToken({ machineId: 'fra-1' }, OPERATOR)
    const own = await list({ projectId: undefined, accountId })
    expect(own.map(({ operation }) => operation)).toEqual([
      ...['billing.setPlan', 'accounts.enable', 'accounts.disable', 'accounts.drawSignInCode', 'accounts.setPassword'],
    ])
    const others = await list({ projectId: undefined, accountId: created.id })
    expect(others).toMatchObject([{ operation: 'accounts.create', target: { kind: 'account', id: created.id } }])
    const installation = await list({ projectId: undefined })
    expect(installation).toMatchObject([{ operation: 'machines.revokeToken' }, { operation: 'machines.mintToken' }])
    const all = JSON.stringify([own, others, installation])
    expect(all).not.toContain('s3cret')
    expect(all).not.toContain(token ?? '')
    expect(await list()).toEqual([])
  })

  it('has the creation and the deletion of a project in the list of its account', async () => {
    const { matchyard, accountId, projectId, session, list, by } = await studio()
    const made = await matchyard.projects.create({ accountId, name: 'Second' }, by(session))
    await matchyard.projects.delete({ accountId, projectId: made.project.id }, by(session))
    const own = await list({ projectId: undefined, accountId })
    expect(own.map(({ operation, target }) => [operation, target?.id])).toEqual([
      ['projects.delete', made.project.id],
      ['projects.create', made.project.id],
    ])
    for (const { value } of made.keys) expect(JSON.stringify(own)).not.toContain(value)
    expect(await list({ projectId })).toEqual([])
  })

  it('has no entry for a call without an author, for a refused call and for a call that changes nothing', async () => {
    const { matchyard, projectId, session, key, list, by, state } = await studio()
    await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel' })
    state.refuses = true
    const ban = { projectId, playerId: 'ann' }
    expect(await refusal(matchyard.bans.set(ban, by(session)))).toBe('UNAVAILABLE')
    state.refuses = false
    expect(await refusal(matchyard.bans.delete(ban, by(session)))).toBe('BAN_NOT_FOUND')
    expect(await refusal(matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel' }, by(key)))).toBe(
      'QUEUE_EXISTS',
    )
    await matchyard.machines.mintToken({ name: 'fra-1' })
    await matchyard.machines.uncordon({ machineId: 'fra-1' }, by(session))
    expect(await list()).toEqual([])
    expect(await list({ projectId: undefined })).toEqual([])
    expect((await matchyard.bans.get(ban).catch(({ code }) => code)) as string).toBe('BAN_NOT_FOUND')
  })

  it('is told in pages of any size, each entry once, by author, call and thing', async () => {
    const { matchyard, projectId, session, key, list, by } = await studio()
    for (let n = 0; n < 7; n++)
      await matchyard.bans.set({ projectId, playerId: `p${n}` }, by(n % 2 === 0 ? session : key))
    await matchyard.bans.delete({ projectId, playerId: 'p3' }, by(key))
    for (const limit of [1, 3, 8, 200]) {
      const targets: (string | undefined)[] = []
      for (let cursor: string | undefined; ; ) {
        const page = await matchyard.audit.list({ projectId, limit, cursor })
        targets.push(...page.data.map(({ target }) => target?.id))
        if (page.nextCursor === null) break
        cursor = page.nextCursor
      }
      expect(targets).toEqual(['p3', 'p6', 'p5', 'p4', 'p3', 'p2', 'p1', 'p0'])
    }
    expect(await list({ actor: 'ses_1' })).toHaveLength(4)
    expect(await list({ actor: 'key_1', operation: 'bans.set' })).toHaveLength(3)
    expect(await list({ target: 'p3' })).toHaveLength(2)
    expect(await refusal(list({ limit: 201 }))).toBe('VALIDATION_FAILED')
    expect(await refusal(list({ cursor: 'no cursor!' }))).toBe('VALIDATION_FAILED')
  })

  it('examines a bounded number of entries for a filter, and goes on from its cursor', async () => {
    const { matchyard, projectId, accountId, session, storage, by } = await studio()
    await matchyard.bans.set({ projectId, playerId: 'ann' }, by(session))
    const [first] = (await matchyard.audit.list({ projectId })).data
    if (first === undefined) throw new Error('there is no entry')
    const writes = Array.from({ length: AUDIT_EXAMINED }, (_, n) => {
      const id = `aud_later${String(n).padStart(5, '0')}`
      const put = { ...first, id, accountId, createdAt: first.createdAt + 1, operation: 'bans.delete' }
      return { kind: 'audit', id, expected: 'absent', put } as const
    })
    await storage.commit({ id: 'cmt_many', at: 1, checks: [], writes, counters: [], events: [], jobs: [] })
    const filter = { projectId, operation: 'bans.set' }
    const page = await matchyard.audit.list(filter)
    expect(page.data).toEqual([])
    const next = await matchyard.audit.list({ ...filter, cursor: page.nextCursor ?? '' })
    expect(next).toEqual({ data: [first], nextCursor: null })
  })

  it('forgets addresses after 30 days, in slices, and keeps the entries', async () => {
    const { matchyard, projectId, session, list, by, clock, settle } = await studio()
    for (let n = 0; n < 3; n++) await matchyard.bans.set({ projectId, playerId: `p${n}` }, by(session))
    clock.advance(30 * DAY_MS - 60_000)
    await settle()
    expect(await list()).toMatchObject([{ actor: session }, { actor: session }, { actor: session }])
    clock.advance(600_000)
    await settle()
    const { address: _, ...without } = session
    expect((await list()).map(({ actor }) => actor)).toEqual([without, without, without])
  })
})
