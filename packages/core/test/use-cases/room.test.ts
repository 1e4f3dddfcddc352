import { Machine } from '@matchyard/testkit/simulation'
import { describe, expect, it } from 'vitest'
import { type Service, service } from './service'

/** Runs jobs, lets time pass until spawned processes are ready, and reconciles. */
async function goOn({ matchyard, clock }: Pick<Service, 'matchyard' | 'clock'>, ms = 1_000): Promise<void> {
  await matchyard.worker.runDueJobs()
  clock.advance(ms)
  await matchyard.worker.reconcileServers()
  await matchyard.worker.runDueJobs()
}

/** Launches servers one after the other, so that the first is the oldest. */
async function launch({ matchyard, projectId, clock }: Service, ...tiers: ('1x-1g' | '2x-2g' | '4x-4g')[]) {
  const ids: string[] = []
  for (const tier of tiers) {
    ids.push((await matchyard.servers.create({ projectId, versionTag: 'arena', tier })).id)
    clock.advance(1)
  }
  return ids
}

const server = ({ matchyard, projectId }: Pick<Service, 'matchyard' | 'projectId'>, instanceId = '') =>
  matchyard.servers.get({ projectId, instanceId })

async function statuses(given: Service, ids: readonly string[]): Promise<string[]> {
  const servers = await Promise.all(ids.map((id) => server(given, id)))
  return servers.map(({ status, statusReason }) => (statusReason == null ? status : statusReason))
}

async function stop(given: Service, instanceId = '') {
  await given.matchyard.servers.stop({ projectId: given.projectId, instanceId })
  await given.matchyard.worker.runDueJobs()
  given.clock.advance(1_000)
  await given.matchyard.worker.reconcileServers()
}

const three = ['1x-1g', '1x-1g', '1x-1g'] as const

describe('a node with room for two', () => {
  it('runs two, the others wait bound to no node, and go on in the order in which they were made', async () => {
    const given = await service()
    given.orchestrator.limits = { maxServers: 2 }
    const ids = await launch(given, ...three, ...three)
    await goOn(given)
    const waits = 'waiting_for_room'
    expect(await statuses(given, ids)).toEqual(['running', 'running', waits, waits, waits, waits])
    expect(await server(given, ids[2])).toMatchObject({
      status: 'launching',
      nodeId: null,
      networkPorts: [],
      attempt: 0,
    })
    for (const [ended, next] of [
      [0, 2],
      [1, 3],
      [2, 4],
      [3, 5],
    ] as const) {
      await stop(given, ids[ended])
      await goOn(given)
      expect((await statuses(given, ids))[next]).toBe('running')
      expect(given.machine.alive).toHaveLength(2)
    }
  })

  it('gives no room to who comes later while others wait', async () => {
    const given = await service()
    given.orchestrator.limits = { maxServers: 1 }
    const ids = await launch(given, ...three)
    await goOn(given)
    given.machine.exit(given.machine.alive[0] as never, 0, given.clock.now())
    await given.matchyard.worker.reconcileServers()
    const [late] = await launch(given, '1x-1g')
    await goOn(given)
    expect(await statuses(given, [...ids, late ?? ''])).toEqual([
      'stopped',
      'running',
      'waiting_for_room',
      'waiting_for_room',
    ])
  })

  it('never runs more, however many launches are under way at once', async () => {
    const given = await service()
    given.orchestrator.limits = { maxServers: 2 }
    await launch(given, ...three, ...three, ...three)
    const slow = Array.from({ length: 9 }, () => given.orchestrator.hold('launch', 'before'))
    const running = goOn(given)
    for (let i = 0; i < 50; i++) await new Promise((resolve) => setImmediate(resolve))
    for (const { release } of slow) release()
    await running
    expect(given.machine.alive).toHaveLength(2)
  })

  it('keeps the room of one that crashed until it is started again', async () => {
    const given = await service()
    given.orchestrator.limits = { maxServers: 1 }
    const { matchyard, projectId, machine, clock } = given
    const { id } = await matchyard.servers.create({ projectId, versionTag: 'arena', autoRestart: true })
    clock.advance(1)
    const [waiting = ''] = await launch(given, '1x-1g')
    await goOn(given)
    machine.exit(machine.alive[0] as never, 1, clock.now())
    await matchyard.worker.reconcileServers()
    await matchyard.worker.runDueJobs()
    expect(machine.alive).toEqual([])
    await goOn(given, 2_000)
    expect(machine.alive.map(({ instanceId }) => instanceId)).toEqual([id])
    expect(await statuses(given, [id, waiting])).toEqual(['running', 'waiting_for_room'])
  })

  it('asks again for the room of one that is to be started again, and counts no crash', async () => {
    const given = await service()
    const { matchyard, projectId, machine, clock, orchestrator } = given
    const { id } = await matchyard.servers.create({ projectId, versionTag: 'arena', autoRestart: true })
    await goOn(given)
    machine.exit(machine.alive[0] as never, 1, clock.now())
    await matchyard.worker.reconcileServers()
    orchestrator.refusals.push({ ok: false, reason: 'no_room', message: 'a stray takes it' })
    clock.advance(1_000)
    await matchyard.worker.runDueJobs()
    expect(await server(given, id)).toMatchObject({ status: 'running', restarts: 1, crashesInARow: 1 })
    await goOn(given)
    expect(machine.alive).toHaveLength(1)
  })
})

describe('one that waits', () => {
  it('fails for want of room at the capacity timeout, and its lobbies say so', async () => {
    const given = await service(() => ({}), { capacityTimeoutMs: 45_000 })
    given.orchestrator.limits = { maxServers: 1 }
    const { matchyard, projectId, clock } = given
    await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', serverSettings: { versionTag: 'arena' } })
    await launch(given, '1x-1g')
    await goOn(given)
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, playerId: 'ann', queueId: 'duel' })
    const started = await matchyard.lobbies.start({ projectId, lobbyId, playerId: 'ann' })
    await goOn(given, 0)
    const lobby = () => matchyard.lobbies.get({ projectId, lobbyId, backend: true })
    expect(await lobby()).toMatchObject({ status: 'starting', server: null, matchId: started.matchId })
    const stats = await matchyard.queues.stats({ projectId, queueId: 'duel' })
    expect(stats.waitingForRoom).toEqual({ servers: 1, oldestSeconds: 0 })
    await goOn(given, 44_000)
    expect(await lobby()).toMatchObject({ status: 'starting' })
    clock.advance(1_000)
    await matchyard.worker.runDueJobs()
    expect(await lobby()).toMatchObject({
      status: 'waiting',
      lastExit: { reason: 'no_room', detail: 'no node had capacity for a 1x-1g server in iad within 45 s' },
    })
    const { data } = await matchyard.servers.list({ projectId, status: 'failed' })
    expect(data).toMatchObject([{ statusReason: null, nodeId: null }])
    const after = await matchyard.queues.stats({ projectId, queueId: 'duel' })
    expect(after.waitingForRoom).toEqual({ servers: 0, oldestSeconds: null })
  })

  it('has its whole launch timeout from the first attempt on', async () => {
    const given = await service()
    given.orchestrator.limits = { maxServers: 1 }
    const [first, second] = await launch(given, '1x-1g', '1x-1g')
    await goOn(given)
    given.clock.advance(100_000)
    await stop(given, first)
    await given.matchyard.worker.runDueJobs()
    expect(await server(given, second)).toMatchObject({
      statusReason: null,
      launchDeadlineAt: given.clock.now() + 60_000,
    })
  })

  it('can be stopped, and leaves its line', async () => {
    const given = await service()
    given.orchestrator.limits = { maxServers: 1 }
    const [first, second, third] = await launch(given, ...three)
    await goOn(given)
    await stop(given, second)
    expect(await server(given, second)).toMatchObject({ status: 'stopped', statusReason: null })
    await stop(given, first)
    await goOn(given)
    expect(await statuses(given, [third ?? ''])).toEqual(['running'])
  })

  it('waits where the orchestrator has no room at the launch itself, and the attempt does not count', async () => {
    const given = await service()
    const { matchyard, projectId, orchestrator, clock } = given
    await matchyard.queues.create({
      projectId,
      queueId: 'duel',
      name: 'Duel',
      serverSettings: {
        versionTag: 'arena',
        networkPorts: [{ name: 'game', protocol: 'udp', internalPort: 7_777, tlsEnabled: false }],
      },
    })
    const no = { ok: false, reason: 'no_room', message: 'the cluster is full' } as const
    orchestrator.refusals.push(no)
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, playerId: 'ann', queueId: 'duel' })
    await matchyard.lobbies.start({ projectId, lobbyId, playerId: 'ann' })
    const madeAt = clock.now()
    await matchyard.worker.runDueJobs()
    const { data } = await matchyard.servers.list({ projectId })
    expect(data).toMatchObject([
      {
        status: 'launching',
        statusReason: 'waiting_for_room',
        nodeId: null,
        networkPorts: [],
        launchAttempts: 0,
        launchDeadlineAt: madeAt + 120_000,
      },
    ])
    const lobby = () => matchyard.lobbies.get({ projectId, lobbyId, backend: true })
    expect(await lobby()).toMatchObject({ status: 'starting', server: null })
    await goOn(given)
    expect(await lobby()).toMatchObject({ status: 'starting', server: null })
    await goOn(given, 5_000)
    await goOn(given)
    expect(await lobby()).toMatchObject({ status: 'in_game', server: { status: 'running' } })
  })

  it('is launched by whichever node has room', async () => {
    const given = await service()
    given.orchestrator.limits = { maxServers: 1 }
    const other = await given.another({ nodeId: 'other', machine: new Machine('host-2') })
    other.orchestrator.limits = { maxServers: 1 }
    const ids = await launch(given, ...three)
    await goOn(given)
    await goOn({ ...other, clock: given.clock })
    expect(await statuses(given, ids)).toEqual(['running', 'running', 'waiting_for_room'])
    const [, second] = await Promise.all(ids.map((id) => server(given, id)))
    expect(second?.nodeId).toBe('other')
  })

  it('loses nothing with the node on which it was about to start: it waits again, and is launched on another one', async () => {
    const given = await service(() => ({}), { capacityTimeoutMs: 300_000, launchTimeoutMs: 300_000 })
    const { matchyard, clock } = given
    given.orchestrator.limits = { maxServers: 1 }
    const other = await given.another({ nodeId: 'other', machine: new Machine('host-2') })
    other.orchestrator.limits = { maxServers: 1 }
    const [first, second] = await launch(given, '1x-1g', '1x-1g')
    await goOn(given)
    await other.matchyard.worker.runDueJobs()
    expect(await server(given, second)).toMatchObject({ status: 'launching', nodeId: 'other', attemptOpen: true })
    // The first node sees no more heartbeats of the other node.
    for (let look = 0; look < 8; look++) {
      await matchyard.worker.watchNodes()
      clock.advance(5_000)
    }
    await goOn(given)
    expect(await server(given, second)).toMatchObject({
      statusReason: 'waiting_for_room',
      nodeId: null,
      launchAttempts: 0,
    })
    await stop(given, first)
    await goOn(given)
    expect(await server(given, second)).toMatchObject({ status: 'running', nodeId: 'node' })
  })
})

describe('the first of a line that does not fit', () => {
  it('is passed by younger ones that do, for half a minute; then it has its turn', async () => {
    const given = await service()
    given.orchestrator.limits = { maxServerCpus: 4 }
    const [one, two] = await launch(given, '1x-1g', '1x-1g')
    await goOn(given)
    const [large = ''] = await launch(given, '4x-4g')
    await goOn(given)
    const [small = ''] = await launch(given, '1x-1g')
    await goOn(given)
    expect(await statuses(given, [large, small])).toEqual(['waiting_for_room', 'running'])
    given.clock.advance(28_000)
    const [within = ''] = await launch(given, '1x-1g')
    await goOn(given)
    expect(await statuses(given, [within])).toEqual(['running'])
    given.clock.advance(3_000)
    const [late = ''] = await launch(given, '1x-1g')
    for (const id of [one, two, small]) {
      await stop(given, id)
      await goOn(given)
      expect(await statuses(given, [large, late])).toEqual(['waiting_for_room', 'waiting_for_room'])
    }
    await stop(given, within)
    await goOn(given)
    expect(await statuses(given, [large, late])).toEqual(['running', 'waiting_for_room'])
  })

  it('holds up nobody where it would not fit if the node were empty', async () => {
    const given = await service()
    given.orchestrator.limits = { maxServerCpus: 2 }
    const [large = ''] = await launch(given, '4x-4g')
    await goOn(given)
    for (let i = 0; i < 3; i++) {
      const [small] = await launch(given, '2x-2g')
      await goOn(given, 15_000)
      expect(await statuses(given, [large, small ?? ''])).toEqual(['waiting_for_room', 'running'])
      await stop(given, small)
    }
  })
})
