import { type AuditEntry, OPERATIONS } from '@matchyard/core'
import { type Commit, type Storage, StorageUnavailable } from '@matchyard/core/ports'
import { ENDPOINTS } from '@matchyard/http'
import { memoryStorage } from '@matchyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { World } from '../../src/conformance/world'
import { OTHERS } from './others'
import { CODE, POSTS } from './posts'
import type { Preparations } from './prepared'

const CHANGES: Preparations = { ...POSTS, ...OTHERS }
const METHODS = Object.fromEntries(
  ENDPOINTS.filter(({ method }) => method !== 'get').map(({ operation, method }) => [operation, method.toUpperCase()]),
)
const ruleOf = (operation: string) => OPERATIONS[operation as keyof typeof OPERATIONS]?.audit
const operationsOf = (rule: 'always' | 'sessions' | undefined) =>
  Object.keys(CHANGES).filter((operation) => ruleOf(operation) === rule)

/** Returns a storage that notes its commits, and refuses them while a test asks for it. */
function watchedStorage() {
  const storage = memoryStorage()
  const { commit } = storage
  const state = { refuses: false, commits: [] as Commit[] }
  const watched = async (value: Commit) => {
    if (state.refuses) throw new StorageUnavailable('the test refuses commits')
    const result = await commit.call(storage, value)
    if (result.ok) state.commits.push(value)
    return result
  }
  return { storage: Object.assign(storage, { commit: watched }) as Storage, state }
}

const entriesIn = (commits: readonly Commit[]): AuditEntry[] =>
  commits.flatMap(({ writes }) =>
    writes.flatMap((write) => (write.kind === 'audit' && 'put' in write ? [write.put] : [])),
  )

async function prepared(operation: string) {
  const { storage, state } = watchedStorage()
  let owner: string | undefined
  const signInCodes = { use: (code: string) => (code === CODE ? owner : undefined) }
  const world = await World.open({ core: { storage }, app: { signInCodes } })
  const studio = await world.studio()
  owner = studio.accountId
  const { call, path, body } = await (CHANGES[operation] as Preparations[string])(studio)
  state.commits.length = 0
  const send = () => call(`${METHODS[operation]} ${path}`, body, { 'idempotency-key': 'once' })
  return { send, state }
}

// A person who joins with a new account has no session yet, so the log has no author for the call.
const BY_NOBODY = ['auth.join']

describe.each(operationsOf('always').filter((operation) => !BY_NOBODY.includes(operation)))('%s', (operation) => {
  it('has one entry of the audit log, in the commit of its change, and none when repeated or refused', async () => {
    const { send, state } = await prepared(operation)
    state.refuses = true
    expect((await send()).status).toBe(503)
    expect(state.commits).toEqual([])
    state.refuses = false
    expect((await send()).status).toBeLessThan(300)
    await send()
    const [entry, ...others] = entriesIn(state.commits)
    expect(others).toEqual([])
    expect(entry).toMatchObject({ operation, target: { id: expect.any(String) } })
    expect(['session', 'key']).toContain(entry?.actor.kind)
    const commit = state.commits.find(({ writes }) => writes.some(({ id }) => id === entry?.id))
    const effects = commit?.writes.filter(({ kind }) => kind !== 'audit' && kind !== 'idempotency') ?? []
    expect(effects.length + (commit?.jobs.length ?? 0)).toBeGreaterThan(0)
    for (const { id, kind } of entry?.changes ?? [])
      expect(effects).toContainEqual(expect.objectContaining({ id, kind }))
  })
})

describe.each([...BY_NOBODY, ...operationsOf('sessions'), ...operationsOf(undefined)])('%s', (operation) => {
  it('by a game or its backend has no entry', async () => {
    const { send, state } = await prepared(operation)
    expect((await send()).status).toBeLessThan(300)
    expect(entriesIn(state.commits)).toEqual([])
  })
})
