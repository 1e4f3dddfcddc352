import { createMatchyard, type Region } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'

const launchTimeoutMs = 20_000
const HOME: Region = 'iad'
const FAR: Region = 'fra'

/** Returns a node with servers in two regions; a test can make each region unreachable. */
async function twoRegions() {
  const clock = new FakeClock()
  const platform = fakePlatform({ clock })
  const orchestrator = Object.assign(new FakeOrchestrator(clock), { sharedAs: 'clusters' })
  const matchyard = createMatchyard({
    ...platform,
    storage: memoryStorage(),
    orchestrator,
    nodeId: 'a',
    launchTimeoutMs,
  })
  await matchyard.open()
  const { id: projectId, accountId } = await matchyard.projects.ensure({ name: 'arena' })
  await matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:1' })
  await matchyard.worker.runDueJobs()
  /** Lets time pass with a check every second, as a node's loop does. */
  const pass = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      await matchyard.worker.runDueJobs()
      await matchyard.worker.reconcileServers()
      clock.advance(1_000)
    }
  }
  const asked = (region: Region, autoRestart = true) =>
    matchyard.servers.create({ projectId, versionTag: 'arena', region, autoRestart })
  const running = async (region: Region, autoRestart?: boolean) => {
    const { id } = await asked(region, autoRestart)
    await pass(1)
    expect(await server(id)).toMatchObject({ status: 'running' })
    return id
  }
  const server = (instanceId: string) => matchyard.servers.get({ projectId, instanceId })
  return {
    clock,
    orchestrator,
    pass,
    asked,
    running,
    server,
    stop: (instanceId: string) => matchyard.servers.stop({ projectId, instanceId }),
    restart: (instanceId: string) => matchyard.servers.restart({ projectId, instanceId }),
    logs: (instanceId: string) => matchyard.servers.logs({ projectId, instanceId }),
    usage: () => matchyard.billing.usage({ accountId }),
    warnings: () =>
      platform.logger.lines.filter(({ message }) => message.startsWith('a server could not be reconciled')),
  }
}

describe('a region where nobody answers', () => {
  it('ends nothing there, and hinders nothing elsewhere', async () => {
    const { orchestrator, pass, asked, running, server, stop, restart, logs } = await twoRegions()
    const far = {
      plays: await running(FAR),
      ends: await running(FAR),
      stops: await running(FAR),
      again: await running(FAR),
    }
    const home = { plays: await running(HOME), ends: await running(HOME, false), crashes: await running(HOME) }
    const { runningAt } = await server(far.plays)

    orchestrator.away.add(FAR)
    orchestrator.exit(far.ends, { code: 0 })
    await stop(far.stops)
    await restart(far.again)
    orchestrator.exit(home.ends, { code: 0 })
    orchestrator.exit(home.crashes, { code: 1 })
    const fresh = await asked(HOME)
    await pass(300)

    expect(await server(home.plays)).toMatchObject({ status: 'running', attempt: 1 })
    expect(await server(home.ends)).toMatchObject({ status: 'stopped', exitCode: 0 })
    expect(await server(home.crashes)).toMatchObject({ status: 'running', attempt: 2 })
    expect(await server(fresh.id)).toMatchObject({ status: 'running' })
    await stop(fresh.id)
    await pass(2)
    expect(await server(fresh.id)).toMatchObject({ status: 'stopped' })
    await logs(home.plays)
    for (const id of [far.plays, far.ends, far.again]) expect(await server(id)).toMatchObject({ status: 'running' })
    expect(await server(far.stops)).toMatchObject({ status: 'stopping', stoppedAt: null })
    await expect(logs(far.plays)).rejects.toMatchObject({ code: 'UNAVAILABLE' })

    orchestrator.away.delete(FAR)
    await pass(60)
    expect(await server(far.plays)).toMatchObject({ status: 'running', attempt: 1, runningAt })
    expect(await server(far.ends)).toMatchObject({ status: 'stopped', exitCode: 0 })
    expect(await server(far.stops)).toMatchObject({ status: 'stopped' })
    // The earlier process was stopped, and the next one had the whole time to come up.
    expect(await server(far.again)).toMatchObject({ status: 'running', attempt: 2, crashesInARow: 0 })
    expect((await orchestrator.observe()).map(({ state }) => state)).toEqual(Array(4).fill('ready'))
  })

  it('bills what ended there up to its end, and what runs on without a gap', async () => {
    const { clock, orchestrator, pass, running, server, usage } = await twoRegions()
    const [ends, plays] = [await running(FAR, false), await running(FAR)]
    await pass(60)
    orchestrator.away.add(FAR)
    orchestrator.exit(ends, { code: 0 })
    const endedAt = clock.now()
    await pass(600)
    orchestrator.away.delete(FAR)
    await pass(3)
    const ended = await server(ends)
    expect(ended).toMatchObject({ status: 'stopped', stoppedAt: endedAt })
    const { runningAt } = await server(plays)
    const seconds = (endedAt - (ended.runningAt ?? 0) + clock.now() - (runningAt ?? 0)) / 1_000
    expect((await usage()).totalMicroUsd).toBe(Math.round((seconds * 25_000) / 3_600))
  })

  it('lets launches there wait for it, and tells those that it costs their time why', async () => {
    const { orchestrator, pass, asked, server } = await twoRegions()
    orchestrator.away.add(FAR)
    const lost = await asked(FAR)
    await pass(15)
    // The launch was retried many times and used none of its three attempts.
    expect(await server(lost.id)).toMatchObject({ status: 'launching', attempt: 1 })
    const later = await asked(FAR)
    await pass(10)
    expect(await server(lost.id)).toMatchObject({
      status: 'failed',
      stopReason: 'was not running within 20 s: nobody answers in fra',
    })
    orchestrator.away.delete(FAR)
    await pass(10)
    expect(await server(later.id)).toMatchObject({ status: 'running' })
    expect(orchestrator.launches).toHaveLength(1)
  })

  it('is told once, and not once a second for each of its servers', async () => {
    const { orchestrator, pass, running, warnings } = await twoRegions()
    for (let count = 0; count < 5; count++) await running(FAR)
    for (let outage = 1; outage <= 2; outage++) {
      orchestrator.away.add(FAR)
      await pass(60)
      expect(warnings()).toHaveLength(outage)
      expect(warnings().at(-1)?.fields).toMatchObject({ others: 4, error: /nobody answers in fra/ })
      orchestrator.away.delete(FAR)
      await pass(2)
    }
  })

  it('leaves a server that nobody has a record of to be ended where it is', async () => {
    const { orchestrator, pass, running, server } = await twoRegions()
    const home = await running(HOME)
    const [spec] = orchestrator.launches
    if (spec === undefined) throw new Error('it was launched')
    orchestrator.away.add(FAR)
    await orchestrator.launch({ ...spec, instanceId: 'srv_stray' })
    await pass(3)
    expect((await orchestrator.observe()).map(({ instanceId }) => instanceId)).toEqual([home])
    expect(await server(home)).toMatchObject({ status: 'running' })
  })
})

describe('a region that nobody runs', () => {
  it('costs the others nothing, also where it is the usual one', async () => {
    const { orchestrator, pass, asked, running, server } = await twoRegions()
    const admit = orchestrator.admit.bind(orchestrator)
    orchestrator.admit = async (wish) =>
      wish.region === HOME ? { ok: false, reason: 'too_large', message: 'nobody runs it' } : admit(wish)
    const unrun = await asked(HOME)
    await pass(2)
    expect(await server(unrun.id)).toMatchObject({ status: 'launching', statusReason: 'waiting_for_room' })
    await running(FAR)
    await pass(600)
    expect(await server(unrun.id)).toMatchObject({ status: 'failed' })
    await running(FAR)
  })
})

describe('a region that is full', () => {
  it('holds up nobody of another one, however often these go before those who wait for it', async () => {
    const { orchestrator, pass, asked, running, server } = await twoRegions()
    const alone = await server(await running(HOME))
    const full = new Set<Region>([HOME, FAR])
    const admit = orchestrator.admit.bind(orchestrator)
    orchestrator.admit = async (wish) =>
      full.has(wish.region) ? { ok: false, reason: 'full', message: `${wish.region} is full` } : admit(wish)
    const reasonOf = async (id: string) => (await server(id)).statusReason
    const far = await asked(FAR)
    await pass(1)
    // The second time is longer than the first of a line may be passed.
    for (const seconds of [1, 40]) {
      full.add(HOME)
      const home = await asked(HOME)
      await pass(seconds)
      expect([await reasonOf(far.id), await reasonOf(home.id)]).toEqual(['waiting_for_room', 'waiting_for_room'])
      full.delete(HOME)
      await pass(6)
      expect(await server(home.id)).toMatchObject({ status: 'running' })
    }
    // A server that waits for another region does not delay this one: its launch has as many versions as without a line.
    expect(await server(await running(HOME))).toMatchObject({ version: alone.version })
    expect(orchestrator.launches.map(({ region }) => region)).toEqual([HOME, HOME, HOME, HOME])
    expect(await reasonOf(far.id)).toBe('waiting_for_room')
    full.delete(FAR)
    await pass(6)
    expect(await server(far.id)).toMatchObject({ status: 'running' })
  })
})
