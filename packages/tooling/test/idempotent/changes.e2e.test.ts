import type { Commit, Storage } from '@matchyard/core/ports'
import { ENDPOINTS } from '@matchyard/http'
import { memoryStorage } from '@matchyard/storage-memory'
import { describe, expect, it } from 'vitest'
import type { Answer, Body } from '../../src/conformance/client'
import { World } from '../../src/conformance/world'
import { OTHERS } from './others'
import { CODE, POSTS } from './posts'
import type { Preparations } from './prepared'

const CHANGES: Preparations = { ...POSTS, ...OTHERS }
/**
 * Uploads take no idempotency key: an upload has no credential that could own the key, and its URL accepts one archive.
 */
const KEYED = ENDPOINTS.filter(
  ({ method, rawBody, isRepeatable }) => method !== 'get' && rawBody === undefined && isRepeatable !== true,
)
const METHODS = Object.fromEntries(KEYED.map(({ operation, method }) => [operation, method.toUpperCase()]))

/** Counts effects: commits that changed more than the stored answer of an idempotency key. */
function countingStorage(): { storage: Storage; effects: () => number } {
  const storage = memoryStorage()
  const { commit } = storage
  let effects = 0
  const counted = async (value: Commit) => {
    const result = await commit.call(storage, value)
    if (result.ok && value.writes.some(({ kind }) => kind !== 'idempotency')) effects++
    return result
  }
  return { storage: Object.assign(storage, { commit: counted }), effects: () => effects }
}

async function prepared(operation: string) {
  const { storage, effects } = countingStorage()
  let owner: string | undefined
  const signInCodes = { use: (code: string) => (code === CODE ? owner : undefined) }
  const world = await World.open({ core: { storage }, app: { signInCodes } })
  const studio = await world.studio()
  owner = studio.accountId
  const { call, path, body, other } = await (CHANGES[operation] as Preparations[string])(studio)
  const before = effects()
  const send = (sent: Body = body) => call(`${METHODS[operation]} ${path}`, sent, { 'idempotency-key': 'once' })
  return { send, other, effects: () => effects() - before }
}

/**
 * Operations whose first call invalidates the credential, so that a repeated call may report an invalid credential
 * instead of the same answer.
 */
const USED_UP = ['auth.refresh', 'auth.logout']
const SECRETS = ['key', 'keys', 'token', 'secret', 'expires_at', 'upload_url', 'uri', 'recovery_codes']
const withoutSecrets = ({ status, body }: Answer) => ({
  status,
  body: JSON.parse(JSON.stringify(body ?? null, (name, value) => (SECRETS.includes(name) ? undefined : value))),
})

it('knows every change of the service', () => {
  const changes = KEYED.map(({ operation }) => operation as string)
  expect(Object.keys(CHANGES).sort()).toEqual(changes.sort())
})

describe.each(Object.keys(CHANGES))('%s with an idempotency key', (operation) => {
  it('repeated after its answer has no second effect and the same answer', async () => {
    const { send, effects } = await prepared(operation)
    const first = await send()
    expect(first.status).toBeLessThan(300)
    const once = effects()
    const again = await send()
    expect(effects()).toBe(once)
    if (USED_UP.includes(operation)) expect(again.body.code).toBe('INVALID_SESSION_TOKEN')
    else expect(withoutSecrets(again)).toEqual(withoutSecrets(first))
  })

  it('repeated before its answer, at once with it, is told so or answered alike, with one effect', async () => {
    const alone = await prepared(operation)
    await alone.send()
    const { send, effects } = await prepared(operation)
    const answers = await Promise.all([send(), send(), send()])
    expect(effects()).toBe(alone.effects())
    const succeeded = answers.filter(({ status }) => status < 300)
    expect(succeeded.length).toBeGreaterThanOrEqual(1)
    for (const { status, body } of answers)
      if (status >= 300) expect(['CONFLICT', 'INVALID_SESSION_TOKEN']).toContain(body.code)
  })

  it('refuses another body under the same key', async () => {
    const { send, other, effects } = await prepared(operation)
    // For some operations the address alone is the request, so there is no other body.
    if (other === undefined) return
    await send()
    const once = effects()
    // A wrong password is reported before the stored answer of the key is looked up.
    const code = operation === 'auth.login' ? 'INVALID_LOGIN' : 'IDEMPOTENCY_MISMATCH'
    expect((await send(other)).body).toMatchObject({ code })
    expect(effects()).toBe(once)
  })
})
