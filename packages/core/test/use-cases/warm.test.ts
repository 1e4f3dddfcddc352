import { warmKey } from '@matchyard/core/ports'
import { FakeOrchestrator } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import { service } from './service'

const networkPorts = [{ name: 'game', protocol: 'udp', internalPort: 7_000, tlsEnabled: false }] as const
const matchmaking = { teams: 2, playersPerTeam: 1 } as const

/** Returns a service whose orchestrator keeps servers warm. */
async function warmService() {
  const fake = new FakeOrchestrator({ now: () => 0 })
  const given = await service(() => ({}), { orchestrator: fake })
  const { matchyard, projectId } = given
  const add = (queueId: string, warm: object | undefined, more: object = {}) =>
    matchyard.queues.create({
      ...{ projectId, queueId, name: queueId, matchmaking },
      serverSettings: { versionTag: 'arena', networkPorts, ...(warm === undefined ? {} : { warm }), ...more },
    })
  const look = () => matchyard.worker.reconcileServers()
  const figures = async (queueId = 'duel') => (await matchyard.queues.stats({ projectId, queueId })).warm
  /** Plays a match of two players up to its running server, which it returns. */
  const play = async (queueId = 'duel') => {
    for (const playerId of ['ann', 'bob']) {
      const lobby = await matchyard.lobbies.create({
        projectId,
        queueId,
        playerId: `${playerId}-${fake.launches.length}`,
      })
      await matchyard.lobbies.enqueue({ projectId, lobbyId: lobby.id, playerId: lobby.hostPlayerId })
    }
    await matchyard.matchmaking.runQueue(`${projectId}/${queueId}`)
    await matchyard.worker.runDueJobs()
    await look()
    const { instanceId } = fake.launches.at(-1) ?? { instanceId: '' }
    return matchyard.servers.get({ projectId, instanceId })
  }
  return { ...given, fake, add, look, figures, play }
}

describe('a queue that asks for warm servers', () => {
  it('has as many as it asks for; a match takes one, which is filled up and counted from then on', async () => {
    const { add, look, figures, play, fake } = await warmService()
    await add('duel', { buffer: 2 })
    await look()
    expect(await figures()).toEqual({ ready: 2, allocated: 0 })
    const [first] = fake.waiting
    const server = await play()
    expect(server).toMatchObject({ status: 'running', fromWarm: true, networkPorts: first?.ports })
    expect(server.runningAt).toBeGreaterThanOrEqual(server.createdAt)
    expect(await figures()).toEqual({ ready: 2, allocated: 1 })
    expect(fake.waiting).not.toContain(first)
  })

  it('counts what its matches took until it ends', async () => {
    const { add, look, figures, play, fake } = await warmService()
    await add('duel', { buffer: 1 })
    await look()
    const { id } = await play()
    fake.exit(id)
    await look()
    expect(await figures()).toEqual({ ready: 1, allocated: 0 })
  })

  it('is no server of any list, and no launch’s, before its match', async () => {
    const { add, look, matchyard, projectId, data } = await warmService()
    await add('duel', { buffer: 3 })
    await look()
    expect((await matchyard.servers.list({ projectId })).total).toBe(0)
    const { accountId } = await matchyard.projects.ensure({ name: 'arena' })
    expect(data.counters.get(`servers:${accountId}`) ?? 0).toBe(0)
  })

  it.each([
    ['disabled', { enabled: false }],
    ['without the setting', { serverSettings: { versionTag: 'arena', networkPorts } }],
    ['played elsewhere', { serverSettings: { source: 'external', warm: {} } }],
    ['of a build that is not there', { serverSettings: { versionTag: 'other', warm: {} } }],
  ] as const)('has none once it is %s', async (_, changes) => {
    const { add, look, fake, figures, matchyard, projectId } = await warmService()
    await add('duel', {})
    await look()
    expect(fake.waiting).toHaveLength(1)
    await matchyard.queues.update({ projectId, queueId: 'duel', changes })
    await look()
    expect(fake.waiting).toEqual([])
    expect(fake.pools).toEqual([])
    expect((await figures()).allocated).toBe(0)
  })

  it('has none once it is gone, and is not remembered', async () => {
    const { add, look, fake, matchyard, projectId, data } = await warmService()
    await add('duel', {})
    await look()
    const noted = () => [...data.presence.keys()].filter((scope) => scope.startsWith('warm:'))
    expect(noted()).toHaveLength(1)
    await matchyard.queues.delete({ projectId, queueId: 'duel' })
    await look()
    expect(fake.pools).toEqual([])
    expect(noted()).toEqual([])
  })

  it('has none once its build is deleted', async () => {
    const { add, look, fake, figures, matchyard, projectId } = await warmService()
    await add('duel', {})
    await look()
    const [pool] = fake.pools
    await matchyard.builds.delete({ projectId, buildId: pool?.build.buildId ?? '' })
    await look()
    expect(fake.waiting).toEqual([])
    expect(fake.pools).toEqual([])
    expect(await figures()).toEqual({ ready: 0, allocated: 0 })
  })

  it('has those of its newest build alone', async () => {
    const { add, look, fake, play, matchyard, projectId } = await warmService()
    await add('duel', {})
    await look()
    const [old] = fake.waiting
    const { id } = await matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:2' })
    await matchyard.worker.runDueJobs()
    await look()
    expect(fake.waiting).not.toContain(old)
    expect(fake.pools.map(({ build }) => build.buildId)).toEqual([id])
    expect(await play()).toMatchObject({ buildId: id, fromWarm: true })
  })

  it('has those of the pinned version, and of none that is disabled', async () => {
    const { add, look, fake, matchyard, projectId } = await warmService()
    await add('duel', {})
    await look()
    const [pool] = fake.pools
    const first = pool?.build.buildId ?? ''
    const { id: second } = await matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:2' })
    await matchyard.worker.runDueJobs()
    const serverSettings = { versionTag: 'arena', version: 1, networkPorts, warm: {} }
    await matchyard.queues.update({ projectId, queueId: 'duel', changes: { serverSettings } })
    await look()
    expect(fake.pools.map(({ build }) => build.buildId)).toEqual([first])
    await matchyard.queues.update({
      ...{ projectId, queueId: 'duel' },
      changes: { serverSettings: { ...serverSettings, version: null } },
    })
    await look()
    expect(fake.pools.map(({ build }) => build.buildId)).toEqual([second])
    await matchyard.builds.update({ projectId, buildId: second, changes: { disabled: true } })
    await look()
    expect(fake.pools.map(({ build }) => build.buildId)).toEqual([first])
  })

  it('shares with those whose servers are alike, as much as all of them ask for', async () => {
    const { add, look, fake, figures } = await warmService()
    await add('duel', { buffer: 1 })
    await add('other', { min: 3, buffer: 2 })
    await add('larger', { buffer: 1 }, { tier: '2x-2g' })
    await look()
    expect(fake.pools.map(({ tier, min, buffer }) => [tier, min, buffer])).toEqual([
      ['1x-1g', 3, 3],
      ['2x-2g', 0, 1],
    ])
    expect((await figures('other')).ready).toBe(3)
    expect((await figures('larger')).ready).toBe(1)
  })

  it('launches as any other where none waits, and where one has ended', async () => {
    const { add, play, figures, fake, look } = await warmService()
    await add('duel', { buffer: 1 })
    // The first check has not run yet.
    expect((await play()).fromWarm).toBeUndefined()
    await look()
    fake.waiting = []
    expect(await play()).toMatchObject({ status: 'running' })
    expect((await figures()).allocated).toBe(0)
  })

  it('says what was seen lately alone', async () => {
    const { add, look, figures, clock } = await warmService()
    await add('duel', { buffer: 2 })
    await look()
    clock.advance(15_000)
    expect((await figures()).ready).toBe(2)
    clock.advance(1)
    expect((await figures()).ready).toBe(0)
  })

  it('is told apart by everything that a server is started with', async () => {
    const { add, look, fake } = await warmService()
    await add('duel', {})
    await look()
    const [pool] = fake.pools
    if (pool === undefined) throw new Error('one is asked for')
    const others = [
      { ...pool, projectId: 'prj_other' },
      { ...pool, region: 'fra' as const },
      { ...pool, tier: '2x-2g' as const },
      { ...pool, startupArgs: '--fast' },
      { ...pool, readiness: 'self' as const },
      { ...pool, portRequests: [] },
      { ...pool, environmentKey: 'fast' },
      { ...pool, stopGraceSeconds: 30 },
      { ...pool, build: { ...pool.build, buildId: 'bld_other' } },
    ]
    expect(new Set([pool, ...others].map(warmKey)).size).toBe(1 + others.length)
  })
})

describe('the setting', () => {
  it.each([
    [{ min: -1 }, 'serverSettings.warm.min'],
    [{ min: 101 }, 'serverSettings.warm.min'],
    [{ min: 1.5 }, 'serverSettings.warm.min'],
    [{ buffer: 0 }, 'serverSettings.warm.buffer'],
    [{ buffer: 101 }, 'serverSettings.warm.buffer'],
    [{ bufer: 1 }, 'serverSettings.warm.bufer'],
  ])('refuses %j', async (warm, path) => {
    const { add } = await warmService()
    await expect(add('duel', warm)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { issues: [{ path }] },
    })
  })

  it('refuses arguments that are not known before the match', async () => {
    const { add } = await warmService()
    const startupArgs = '--match=${MATCH_ID} --id ${INSTANCE_ID} --port ${PORT_GAME} --where ${REGION}'
    await expect(add('duel', {}, { startupArgs })).rejects.toMatchObject({
      details: {
        issues: [{ message: expect.stringMatching(/MATCH_ID/) }, { message: expect.stringMatching(/INSTANCE_ID/) }],
      },
    })
    await expect(add('cold', undefined, { startupArgs })).resolves.toMatchObject({ queueId: 'cold' })
  })

  it('has no effect where nothing is started beforehand, and the queue says so', async () => {
    const { matchyard, projectId } = await service()
    const serverSettings = { versionTag: 'arena', warm: { buffer: 1 } }
    const queue = await matchyard.queues.create({ projectId, queueId: 'duel', name: 'duel', serverSettings })
    expect(queue.warnings).toEqual([expect.stringMatching(/^`serverSettings\.warm` has no effect here/)])
    await matchyard.worker.reconcileServers()
    expect((await matchyard.queues.stats({ projectId, queueId: 'duel' })).warm).toEqual({ ready: 0, allocated: 0 })
  })
})
