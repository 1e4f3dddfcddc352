import assert from 'node:assert/strict'
import { type Entities, uniqueKey } from '@matchyard/core/ports'
import { apply, change, countOk, next, put, refuse, remove, store } from './changes'
import { area } from './harness'
import { aLobby, aMachine, anAccount, anApiKey, aProject, aServer, PROJECT_ID } from './samples'

const it = area('unique keys')

const CODE = uniqueKey.inviteCode(PROJECT_ID, 'CODE')
const taken = { kind: 'unique-key', id: CODE, on: 'unique' } as const
const ports = (...external: number[]) =>
  external.map((externalPort) => ({
    name: `game_${externalPort}`,
    protocol: 'udp' as const,
    internalPort: 7_777,
    tlsEnabled: false,
    externalPort,
    host: '127.0.0.1',
  }))

export const uniqueKeyCases = [
  it('are held by one entity at a time', async ({ storage, backDoor }) => {
    const holder = aLobby({ inviteCode: 'CODE' })
    await store(storage, 'lobby', holder)
    await refuse(storage, { writes: [put('lobby', aLobby({ inviteCode: 'code' }))] }, taken)
    assert.deepEqual(await backDoor.uniqueKeys(), [{ key: CODE, kind: 'lobby', id: holder.id }])
  }),

  it('are held by one entity of any kind', async ({ storage }) => {
    const hold = { id: `${PROJECT_ID}/CODE`, version: 1, projectId: PROJECT_ID, code: 'CODE', until: 2_000 }
    await store(storage, 'invite-hold', hold)
    await refuse(storage, { writes: [put('lobby', aLobby({ inviteCode: 'CODE' }))] }, taken)
    await apply(storage, { writes: [remove('invite-hold', hold), put('lobby', aLobby({ inviteCode: 'CODE' }))] })
  }),

  it('cannot be claimed by two entities of one commit', async ({ storage, backDoor }) => {
    const two = [aLobby({ inviteCode: 'CODE' }), aLobby({ inviteCode: 'CODE' })]
    await refuse(storage, { writes: two.map((lobby) => put('lobby', lobby)) }, taken)
    assert.deepEqual(await backDoor.entities('lobby'), [])
    assert.deepEqual(await backDoor.uniqueKeys(), [])
  }),

  it('may move between the entities of one commit, in whatever order it writes them', async ({ storage }) => {
    let [from, to] = [aLobby({ inviteCode: 'CODE' }), aLobby()]
    await store(storage, 'lobby', from, to)
    const giveFirst = [put('lobby', next(from, { inviteCode: null })), put('lobby', next(to, { inviteCode: 'CODE' }))]
    await apply(storage, { writes: giveFirst })
    assert.equal((await storage.find('lobby', CODE))?.id, to.id)
    ;[from, to] = [next(to, { inviteCode: 'CODE' }), next(from, { inviteCode: null })]
    const takeFirst = [put('lobby', next(to, { inviteCode: 'CODE' })), put('lobby', next(from, { inviteCode: null }))]
    await apply(storage, { writes: takeFirst })
    assert.equal((await storage.find('lobby', CODE))?.id, to.id)
  }),

  it('may be swapped by one commit', async ({ storage }) => {
    const [one, two] = [aLobby({ inviteCode: 'AAAA' }), aLobby({ inviteCode: 'BBBB' })]
    await store(storage, 'lobby', one, two)
    await apply(storage, {
      writes: [put('lobby', next(one, { inviteCode: 'BBBB' })), put('lobby', next(two, { inviteCode: 'AAAA' }))],
    })
    assert.equal((await storage.find('lobby', uniqueKey.inviteCode(PROJECT_ID, 'AAAA')))?.id, two.id)
    assert.equal((await storage.find('lobby', uniqueKey.inviteCode(PROJECT_ID, 'BBBB')))?.id, one.id)
  }),

  it('pass to the successor when the holder is removed in the same commit', async ({ storage }) => {
    const [old, fresh] = [aLobby({ inviteCode: 'CODE' }), aLobby({ inviteCode: 'CODE' })]
    await store(storage, 'lobby', old)
    await apply(storage, { writes: [put('lobby', fresh), remove('lobby', old)] })
    assert.equal((await storage.find('lobby', CODE))?.id, fresh.id)
  }),

  it('are kept by an update that keeps them, and freed by one that does not', async ({ storage, backDoor }) => {
    const lobby = aLobby({ inviteCode: 'CODE' })
    await store(storage, 'lobby', lobby)
    await store(storage, 'lobby', next(lobby, { name: 'renamed' }))
    assert.equal((await storage.find('lobby', CODE))?.version, 2)
    await store(storage, 'lobby', next(next(lobby), { inviteCode: 'OTHER' }))
    assert.equal(await storage.find('lobby', CODE), undefined)
    assert.deepEqual(
      (await backDoor.uniqueKeys()).map(({ key }) => key),
      [uniqueKey.inviteCode(PROJECT_ID, 'OTHER')],
    )
    await store(storage, 'lobby', aLobby({ inviteCode: 'CODE' }))
  }),

  it('are freed when the entity is removed', async ({ storage, backDoor }) => {
    const account = anAccount({ email: 'ann@example.com' })
    await store(storage, 'account', account)
    await apply(storage, { writes: [remove('account', account)] })
    assert.deepEqual(await backDoor.uniqueKeys(), [])
    assert.equal(await storage.find('account', uniqueKey.email('ann@example.com')), undefined)
    await store(storage, 'account', anAccount({ email: 'ann@example.com' }))
  }),

  it('of an entity may be many: the ports of a server, freed when it stops', async ({ storage, backDoor }) => {
    const server = aServer({ networkPorts: ports(7_001, 7_002) })
    await store(storage, 'server', server)
    assert.equal((await backDoor.uniqueKeys()).length, 2)
    const contender = aServer({ networkPorts: ports(7_003, 7_002) })
    await refuse(
      storage,
      { writes: [put('server', contender)] },
      { kind: 'unique-key', id: uniqueKey.port('127.0.0.1', 'udp', 7_002), on: 'unique' },
    )
    await store(storage, 'server', next(server, { status: 'stopped' }))
    await store(storage, 'server', contender)
  }),

  it('of a deleted project are free again', async ({ storage }) => {
    const project = aProject({ slug: 'arena' })
    await store(storage, 'project', project)
    await store(storage, 'project', next(project, { deletedAt: 2_000 }))
    await store(storage, 'project', aProject({ slug: 'arena' }))
  }),

  it('find the entity that holds them now, of the kind that is asked for only', async ({ storage }) => {
    const key = anApiKey({ hash: 'abc' })
    await store(storage, 'api-key', key)
    assert.deepEqual(await storage.find('api-key', uniqueKey.keyHash('abc')), key)
    assert.equal(await storage.find('account', uniqueKey.keyHash('abc')), undefined)
    assert.equal(await storage.find('api-key', uniqueKey.keyHash('none')), undefined)
    await store(storage, 'api-key', next(key, { revokedAt: 2_000 }))
    assert.equal((await storage.find('api-key', uniqueKey.keyHash('abc')))?.revokedAt, 2_000)
  }),

  it('find the machine of a token, of the last token alone', async ({ storage }) => {
    const machine = aMachine({ kind: 'agent', tokenHash: 'first' })
    await store(storage, 'machine', machine, aMachine())
    assert.deepEqual(await storage.find('machine', uniqueKey.machineToken('first')), machine)
    assert.equal(await storage.find('api-key', uniqueKey.machineToken('first')), undefined)
    assert.equal(await storage.find('machine', uniqueKey.keyHash('first')), undefined)
    const second = next(machine, { tokenHash: 'second' })
    await store(storage, 'machine', second)
    assert.equal(await storage.find('machine', uniqueKey.machineToken('first')), undefined)
    assert.deepEqual(await storage.find('machine', uniqueKey.machineToken('second')), second)
    const { tokenHash: _, ...rest } = next(second)
    const revoked: Entities['machine'] = rest
    await store(storage, 'machine', revoked)
    assert.equal(await storage.find('machine', uniqueKey.machineToken('second')), undefined)
    await store(storage, 'machine', next(revoked, { tokenHash: 'third' }))
    const key = uniqueKey.machineToken('third')
    const taken = { kind: 'unique-key', id: key, on: 'unique' } as const
    await refuse(storage, { writes: [put('machine', aMachine({ tokenHash: 'third' }))] }, taken)
    await apply(storage, { writes: [remove('machine', next(revoked))] })
    assert.equal(await storage.find('machine', key), undefined)
  }),

  it('are given once when many claim them at once', async (subject) => {
    const [here, there] = [subject.storage, await subject.another()]
    for (let round = 0; round < 20; round++) {
      const code = `CODE${round}`
      const contenders = Array.from({ length: 12 }, (_, index) =>
        (index % 2 === 0 ? here : there).commit(change({ writes: [put('lobby', aLobby({ inviteCode: code }))] })),
      )
      const results = await Promise.all(contenders)
      assert.equal(countOk(results), 1, `round ${round}`)
      const key = uniqueKey.inviteCode(PROJECT_ID, code)
      for (const result of results) {
        if (!result.ok) assert.deepEqual(result.conflict, { kind: 'unique-key', id: key, on: 'unique' })
      }
    }
    assert.equal((await subject.backDoor.entities('lobby')).length, 20)
    assert.equal((await subject.backDoor.uniqueKeys()).length, 20)
  }),
]
