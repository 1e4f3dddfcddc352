import { describe, expect, test } from 'vitest'
import { controlPlane, refusal, refused, tally } from './service'

describe('an API key', () => {
  test('carries its project and its kind', async () => {
    const { matchyard, project } = await controlPlane()
    const { clientKey, serverKey, projectId, accountId } = await project()
    expect(await matchyard.access.authenticateKey(clientKey)).toMatchObject({ kind: 'client', projectId, accountId })
    expect(await matchyard.access.authenticateKey(serverKey)).toMatchObject({ kind: 'server', projectId, accountId })
  })

  test('decides where a session is sent too', async () => {
    const { matchyard, project } = await controlPlane()
    const { clientKey, token } = await project()
    expect(await matchyard.access.authenticate({ apiKey: clientKey, bearer: token })).toMatchObject({ kind: 'client' })
    expect(await refusal(matchyard.access.authenticate({ apiKey: 'x', bearer: token }))).toBe('INVALID_API_KEY')
  })

  test('is stored as its hash alone', async () => {
    const { storage, project, tokens } = await controlPlane()
    const { serverKey, keys } = await project()
    const stored = await storage.get('api-key', keys[1].key.id)
    expect(stored).toMatchObject({ hash: tokens.hash(serverKey), last4: serverKey.slice(-4) })
    expect(JSON.stringify(stored)).not.toContain(serverKey)
  })

  test('that is malformed, unknown or of another kind by its prefix is refused', async () => {
    const { matchyard, project } = await controlPlane()
    const { serverKey } = await project()
    const other = await (await controlPlane({})).project()
    const swapped = serverKey.replace('sk_', 'ck_')
    for (const value of ['', 'sk_live_', serverKey.slice(0, -1), `${serverKey} `, serverKey.toLowerCase(), swapped]) {
      expect(await refusal(matchyard.access.authenticateKey(value))).toBe('INVALID_API_KEY')
    }
    // Equal random draws give the same key on another installation; any other key is unknown here.
    expect(other.serverKey).toBe(serverKey)
    expect(await refusal(matchyard.access.authenticateKey(`sk_live_${'0'.repeat(36)}`))).toBe('INVALID_API_KEY')
  })
})

describe('minting', () => {
  test('shows the value once: neither lists nor repeated calls have it', async () => {
    const { matchyard, project, storage } = await controlPlane()
    const { accountId, projectId } = await project()
    const call = { idempotency: { id: 'mint-1', requestHash: 'h' } }
    const input = { accountId, projectId, type: 'server', name: 'backend' } as const
    const minted = await matchyard.keys.mint(input, call)
    expect(minted).toMatchObject({ key: { type: 'server', name: 'backend', revokedAt: null } })
    expect((await matchyard.access.authenticateKey(minted.value ?? '')).keyId).toBe(minted.key.id)
    expect(await matchyard.keys.mint(input, call)).toEqual({ key: minted.key, value: null })
    const list = await matchyard.keys.list({ accountId, projectId })
    expect(list.total).toBe(3)
    for (const dump of [list, await storage.get('idempotency', 'mint-1')]) {
      expect(JSON.stringify(dump)).not.toContain(minted.value)
    }
  })

  test('in the project of another account finds no project', async () => {
    const { matchyard, project } = await controlPlane()
    const [mine, theirs] = [await project(), await project()]
    const foreign = { accountId: mine.accountId, projectId: theirs.projectId }
    expect(await refusal(matchyard.keys.mint({ ...foreign, type: 'client' }))).toBe('PROJECT_NOT_FOUND')
    expect(await refusal(matchyard.keys.list(foreign))).toBe('PROJECT_NOT_FOUND')
    expect(await refusal(matchyard.keys.revoke({ ...foreign, keyId: theirs.keys[0].key.id }))).toBe('PROJECT_NOT_FOUND')
  })

  test('wants a name of 1 to 128 characters', async () => {
    const { matchyard, project } = await controlPlane()
    const { accountId, projectId } = await project()
    for (const name of ['', 'x'.repeat(129)]) {
      expect(await refusal(matchyard.keys.mint({ accountId, projectId, type: 'client', name }))).toBe(
        'VALIDATION_FAILED',
      )
    }
  })
})

describe('revoking', () => {
  test('holds for every request that starts after it, and is told', async () => {
    const { matchyard, project, told } = await controlPlane()
    const { accountId, projectId, serverKey, clientKey, keys } = await project()
    const keyId = keys[1].key.id
    await matchyard.keys.revoke({ accountId, projectId, keyId })
    expect(await refusal(matchyard.access.authenticateKey(serverKey))).toBe('INVALID_API_KEY')
    expect((await matchyard.access.authenticateKey(clientKey)).kind).toBe('client')
    expect(told).toContainEqual(expect.objectContaining({ type: 'api_key_revoked', keyId, projectId }))
    expect((await matchyard.keys.list({ accountId, projectId })).data.map((key) => key.revokedAt !== null)).toEqual([
      false,
      true,
    ])
  })

  test('again is refused, also at once', async () => {
    const { matchyard, project } = await controlPlane()
    const { accountId, projectId, keys } = await project()
    const revoke = () => matchyard.keys.revoke({ accountId, projectId, keyId: keys[0].key.id })
    expect(await tally([revoke(), revoke(), revoke(), revoke()])).toEqual({ ok: 1, KEY_REVOKED: 3 })
  })

  test('finds no key of another project, nor one that is not there', async () => {
    const { matchyard, project } = await controlPlane()
    const [mine, theirs] = [await project(), await project()]
    const { accountId, projectId } = mine
    for (const keyId of [theirs.keys[0].key.id, 'key_nobody', '']) {
      expect(await refusal(matchyard.keys.revoke({ accountId, projectId, keyId }))).toBe('KEY_NOT_FOUND')
    }
  })

  test('leaves the servers that the key started running', async () => {
    const { matchyard, project, build, settle } = await controlPlane()
    const { accountId, projectId, keys } = await project()
    await build(projectId)
    const server = await matchyard.servers.create({ projectId, versionTag: 'arena' })
    await settle()
    await matchyard.keys.revoke({ accountId, projectId, keyId: keys[1].key.id })
    await settle()
    expect(await matchyard.servers.get({ projectId, instanceId: server.id })).toMatchObject({
      status: 'running',
    })
  })
})

describe('a key for a time', () => {
  const SECOND = 1_000
  const HOUR = 3_600 * SECOND

  test('is shown with its end, and refused from that instant on, whatever is known of its row', async () => {
    const { matchyard, project, clock } = await controlPlane()
    const { accountId, projectId } = await project()
    const minted = await matchyard.keys.mint({ accountId, projectId, type: 'server', expiresInSeconds: 60 })
    const value = minted.value ?? ''
    const expiresAt = clock.now() + 60 * SECOND
    expect(minted.key.expiresAt).toBe(expiresAt)
    expect(await matchyard.access.authenticateKey(value)).toMatchObject({ kind: 'server', expiresAt })
    clock.advance(60 * SECOND - 1)
    expect((await matchyard.access.authenticateKey(value)).kind).toBe('server')
    clock.advance(1)
    const late = await refused(matchyard.access.authenticateKey(value))
    expect([late.code, late.detail]).toEqual(['INVALID_API_KEY', expect.stringContaining('the key has expired')])
  })

  test('holds for a minute to twelve hours', async () => {
    const { matchyard, project } = await controlPlane()
    const { accountId, projectId } = await project()
    const mint = (expiresInSeconds: number) =>
      matchyard.keys.mint({ accountId, projectId, type: 'client', expiresInSeconds })
    for (const seconds of [0, 59, 43_201, 60.5, -60, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(await refusal(mint(seconds))).toBe('VALIDATION_FAILED')
    }
    for (const seconds of [60, 43_200]) expect((await mint(seconds)).key.expiresAt).toBeDefined()
    expect((await matchyard.keys.list({ accountId, projectId })).total).toBe(4)
  })

  test('may be revoked before, and is forgotten an hour after its end, revoked or not; others stay', async () => {
    const { matchyard, project, clock, settle } = await controlPlane()
    const { accountId, projectId } = await project()
    const mint = () => matchyard.keys.mint({ accountId, projectId, type: 'server', expiresInSeconds: 600 })
    const [first, second] = [await mint(), await mint()]
    await matchyard.keys.revoke({ accountId, projectId, keyId: first.key.id })
    const left = async () => {
      await settle()
      return (await matchyard.keys.list({ accountId, projectId })).total
    }
    clock.advance(600 * SECOND + HOUR - 1)
    expect(await left()).toBe(4)
    clock.advance(1)
    expect(await left()).toBe(2)
    expect(await refusal(matchyard.keys.revoke({ accountId, projectId, keyId: second.key.id }))).toBe('KEY_NOT_FOUND')
    expect(await refusal(matchyard.access.authenticateKey(second.value ?? ''))).toBe('INVALID_API_KEY')
    clock.advance(48 * HOUR)
    expect(await left()).toBe(2)
  })

  test('of a deleted project ends with the others, however many there are', async () => {
    const { matchyard, project, clock, settle, storage } = await controlPlane()
    const { accountId, projectId } = await project()
    const minted: string[] = []
    for (let n = 0; n < 205; n++) {
      const { key } = await matchyard.keys.mint({ accountId, projectId, type: 'client', expiresInSeconds: 60 })
      minted.push(key.id)
    }
    await matchyard.projects.delete({ accountId, projectId })
    await settle()
    for (const key of await storage.getMany('api-key', minted)) expect(key.revokedAt).not.toBeNull()
    clock.advance(60 * SECOND + HOUR)
    await settle()
    expect(await storage.getMany('api-key', minted)).toEqual([])
  })

  test('repeated under an idempotency key is the same key, with the same end', async () => {
    const { matchyard, project, clock } = await controlPlane()
    const { accountId, projectId } = await project()
    const call = { idempotency: { id: 'mint-2', requestHash: 'h' } }
    const mint = () => matchyard.keys.mint({ accountId, projectId, type: 'client', expiresInSeconds: 60 }, call)
    const first = await mint()
    clock.advance(30 * SECOND)
    expect(await mint()).toEqual({ key: first.key, value: null })
  })
})
