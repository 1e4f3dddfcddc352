import { emptyMemoryData, memoryStorage } from '@matchyard/storage-memory'
import { FakeOrchestrator } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import { service } from './service'

const VALUE = 'a value that nobody else may see'

async function given(
  environment: Record<string, string> = { PASSWORD: 'user:${secret:API_TOKEN}' },
  more: object = {},
) {
  const fake = new FakeOrchestrator({ now: () => 0 })
  const data = emptyMemoryData()
  const made = await service(() => ({}), { orchestrator: fake, storage: memoryStorage({ data }) })
  const { matchyard, projectId } = made
  const set = (value = VALUE, name = 'API_TOKEN') => matchyard.secrets.set({ projectId, name, value })
  const launch = async () => {
    const serverSettings = { environment, versionTag: 'arena', ...more }
    await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', serverSettings })
    const lobby = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
    await matchyard.lobbies.start({ projectId, lobbyId: lobby.id, playerId: 'ann' })
    await matchyard.worker.runDueJobs()
    return (await matchyard.servers.list({ projectId })).data[0]
  }
  return { ...made, fake, data, set, launch }
}

describe('a secret', () => {
  it('is listed by its name and times, replaced, and deleted', async () => {
    const { matchyard, projectId, set } = await given()
    await set('one', 'B')
    await set('two', 'A')
    await set('three', 'B')
    const listed = await matchyard.secrets.list({ projectId })
    expect(listed.map(({ name }) => name)).toEqual(['A', 'B'])
    expect(JSON.stringify(listed)).not.toMatch(/one|two|three/)
    await matchyard.secrets.delete({ projectId, name: 'B' })
    expect((await matchyard.secrets.list({ projectId })).map(({ name }) => name)).toEqual(['A'])
    await expect(matchyard.secrets.delete({ projectId, name: 'B' })).rejects.toMatchObject({ code: 'SECRET_NOT_FOUND' })
  })

  it('is one of at most 32 of its project, and may be replaced beyond that', async () => {
    const { set } = await given()
    for (let made = 0; made < 32; made++) await set('x', `S${made}`)
    await expect(set('x', 'ONE_MORE')).rejects.toMatchObject({ code: 'SECRET_LIMIT' })
    await set('y', 'S0')
  })

  it.each([
    ['', 'A'],
    ['x'.repeat(8_193), 'A'],
    ['é'.repeat(4_097), 'A'],
    ['a\0', 'A'],
    ['\ud800', 'A'],
    ['x', ''],
    ['x', 'a-b'],
    ['x', 'A'.repeat(65)],
  ])('is refused with the value %j and the name %j, without the value in the refusal', async (value, name) => {
    const { set } = await given()
    const refusal = await set(value, name).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'VALIDATION_FAILED' })
    if (value.length > 1) expect(JSON.stringify(refusal)).not.toContain(value)
  })

  it('goes with its project', async () => {
    const { matchyard, projectId, set, data } = await given()
    await set()
    const { accountId } = await matchyard.projects.ensure({ name: 'arena' })
    await matchyard.projects.delete({ projectId, accountId })
    await matchyard.worker.runDueJobs()
    expect(data.entities.get('secret')?.size ?? 0).toBe(0)
  })
})

describe('a server whose variables name a secret', () => {
  it('gets its value; no row has it', async () => {
    const { fake, set, launch, data } = await given()
    await set()
    await launch()
    expect(fake.launches[0]).toMatchObject({
      environment: { PASSWORD: `user:${VALUE}` },
      secretVariables: ['PASSWORD'],
    })
    const rows = [...data.entities.values()].flatMap((kind) => [...kind.values()])
    expect(rows.length).toBeGreaterThan(5)
    expect(JSON.stringify(rows)).not.toContain(VALUE)
  })

  it('fails by the name of a secret that is missing, and launches nothing', async () => {
    const { fake, launch } = await given()
    expect(await launch()).toMatchObject({
      status: 'failed',
      stopReason: expect.stringMatching(/^SECRET_NOT_FOUND: project \S+ has no secret "API_TOKEN"; set it/),
    })
    expect(fake.launches).toEqual([])
  })

  it('comes with a warning of its queue until the secret is set', async () => {
    const { launch, set, matchyard, projectId } = await given()
    await launch()
    const warnings = async () => (await matchyard.queues.get({ projectId, queueId: 'duel' })).warnings
    expect(await warnings()).toEqual([expect.stringMatching(/^the project has no secret "API_TOKEN" .*`secrets\.set`/)])
    await set()
    expect(await warnings()).toBeUndefined()
  })

  it('fails when the values are too large together', async () => {
    const { set, launch } = await given({ A: '${secret:API_TOKEN}'.repeat(5) })
    await set('x'.repeat(8_000))
    expect(await launch()).toMatchObject({ status: 'failed', stopReason: expect.stringMatching(/at most 32768 bytes/) })
  })

  it('is named by a warning where such a server cannot wait for its match', async () => {
    const { fake, set, matchyard, projectId } = await given()
    await set()
    const environment = { PASSWORD: '${secret:API_TOKEN}' }
    const serverSettings = { environment, versionTag: 'arena', warm: {} }
    const warm = await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', serverSettings })
    expect(warm.warnings).toBeUndefined()
    Object.defineProperty(fake, 'capabilities', { value: { ...fake.capabilities, keepsSecretsCold: true } })
    expect((await matchyard.queues.get({ projectId, queueId: 'duel' })).warnings).toEqual([
      expect.stringMatching(/^`serverSettings\.warm` has no effect here: .* whose variables contain secrets/),
    ])
  })

  it('waits in another pool once the value changed, and in none without it', async () => {
    const { fake, set, launch, matchyard, projectId } = await given(undefined, { warm: {} })
    await set()
    await launch()
    const keys: (string | undefined)[] = []
    const look = async () => {
      await matchyard.worker.reconcileServers()
      keys.push(fake.pools[0]?.environmentKey)
    }
    await look()
    await set()
    await look()
    await matchyard.secrets.delete({ projectId, name: 'API_TOKEN' })
    await look()
    await set()
    await look()
    expect(keys[2]).toBeUndefined()
    expect(new Set(keys).size).toBe(4)
    expect(JSON.stringify(keys)).not.toContain(VALUE)
  })
})
