import { createMatchyard } from '@matchyard/core'
import { type Peers, StorageUnavailable } from '@matchyard/core/ports'
import { emptyMemoryData, memoryStorage } from '@matchyard/storage-memory'
import { FakeBuildStore, FakeClock, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import { uploadOf } from '../control-plane/service'
import { asked, type Fleet, fleet, server } from './fleet'

const DAY_MS = 86_400_000
const status = async ({ first }: Fleet, machineId: string) => (await first.machines.get({ machineId })).status
const end = ({ first, projectId }: Fleet, instanceId: string) => first.servers.stop({ projectId, instanceId })
const node = ({ nodes }: Fleet, id: string) => nodes.get(id)?.matchyard ?? expect.fail(`no node ${id}`)

describe('a cordoned machine', () => {
  it('gets no new server, keeps the ones it has, and gets servers again after an uncordon', async () => {
    const given = await fleet({ a: ['fra'], b: ['fra'] })
    const before = [await asked(given, 'fra'), await asked(given, 'fra')]
    await given.pass(3)
    const [home = ''] = (await given.nodesOf(before)) as string[]
    const other = home === 'a' ? 'b' : 'a'
    expect(await given.first.machines.cordon({ machineId: home })).toMatchObject({ id: home, status: 'cordoned' })
    const after = [await asked(given, 'fra'), await asked(given, 'fra'), await asked(given, 'fra')]
    await given.pass(3)
    expect(new Set(await given.nodesOf(after))).toEqual(new Set([other]))
    expect(await server(given, before[0] ?? '')).toMatchObject({ status: 'running', nodeId: home })
    await given.first.machines.uncordon({ machineId: home })
    await given.first.machines.cordon({ machineId: other })
    const last = await asked(given, 'fra')
    await given.pass(3)
    expect(await given.nodesOf([last])).toEqual([home])
  })

  it('records no attempt, even when its node has not read of the cordon', async () => {
    const given = await fleet({ a: ['fra'], b: ['ams'] })
    await node(given, 'b').machines.cordon({ machineId: 'a' })
    const id = await asked(given, 'fra')
    await node(given, 'a').worker.runDueJobs()
    expect(await server(given, id)).toMatchObject({
      status: 'launching',
      statusReason: 'waiting_for_room',
      nodeId: null,
    })
    await node(given, 'b').machines.uncordon({ machineId: 'a' })
    await given.pass(3)
    expect(await server(given, id)).toMatchObject({ status: 'running', nodeId: 'a' })
  })

  it('gets servers again after an uncordon, even when the call of the cordon is repeated later', async () => {
    const given = await fleet({ a: ['ams'], b: ['fra'] })
    const cordon = () =>
      given.first.machines.cordon({ machineId: 'a' }, { idempotency: { id: 'key', requestHash: 'hash' } })
    await cordon()
    await given.first.machines.uncordon({ machineId: 'a' })
    expect(await cordon()).toMatchObject({ status: 'ready' })
    expect(await server(given, await asked(given))).toMatchObject({ region: 'ams' })
  })

  it('is told as done when the storage does not answer after the commit', async () => {
    const data = emptyMemoryData()
    const storage = memoryStorage({ data })
    let [isArmed, isSilent] = [false, false]
    const clock = new FakeClock()
    const matchyard = createMatchyard({
      ...fakePlatform({ clock }),
      orchestrator: new FakeOrchestrator(clock),
      nodeId: 'a',
      storage: {
        ...storage,
        async commit(changes) {
          const conflict = await storage.commit(changes)
          isSilent = isArmed
          return conflict
        },
        presence: {
          ...storage.presence,
          read: (scope) => (isSilent ? Promise.reject(new StorageUnavailable('silent')) : storage.presence.read(scope)),
        },
      },
    })
    await matchyard.open()
    await matchyard.worker.watchNodes()
    isArmed = true
    expect(await matchyard.machines.cordon({ machineId: 'a' })).toMatchObject({ status: 'cordoned' })
    expect(isSilent).toBe(true)
    isSilent = false
    await matchyard.stop()
  })

  it('is named in the reason why a server got no capacity', async () => {
    const given = await fleet({ 'fra-1': ['fra'], 'ams-1': ['ams'] })
    await given.first.machines.cordon({ machineId: 'fra-1' })
    const id = await asked(given, 'fra')
    await given.pass(125)
    expect(await server(given, id)).toMatchObject({
      status: 'failed',
      stopReason: 'no machine serves fra (fra-1 is cordoned; ams-1 serves ams); the server waited 120 s',
    })
  })
})

describe('a drained machine', () => {
  it('is drained when its last server has ended, and not before', async () => {
    const given = await fleet({ a: ['fra'] })
    const id = await asked(given, 'fra')
    await given.pass(3)
    expect(await given.first.machines.drain({ machineId: 'a' })).toMatchObject({ status: 'draining', drainBy: null })
    await given.pass(60)
    expect(await status(given, 'a')).toBe('draining')
    expect(await server(given, id)).toMatchObject({ status: 'running' })
    await end(given, id)
    await given.pass(3)
    expect(await status(given, 'a')).toBe('drained')
    expect(await given.first.machines.drain({ machineId: 'a', deadlineSeconds: 5 })).toMatchObject({
      status: 'drained',
    })
    expect(await given.first.machines.uncordon({ machineId: 'a' })).toMatchObject({ status: 'ready' })
  })

  it('stops its servers at the deadline, and not when the drain ended before', async () => {
    const given = await fleet({ a: ['fra'] })
    const id = await asked(given, 'fra')
    await given.pass(3)
    await given.first.machines.drain({ machineId: 'a', deadlineSeconds: 30 })
    await given.first.machines.uncordon({ machineId: 'a' })
    await given.pass(35)
    expect(await server(given, id)).toMatchObject({ status: 'running' })
    await given.first.machines.drain({ machineId: 'a', deadlineSeconds: 30 })
    await given.pass(29)
    expect(await server(given, id)).toMatchObject({ status: 'running' })
    await given.pass(3)
    expect(await server(given, id)).toMatchObject({ status: 'stopped', stopReason: 'its machine was drained' })
    await given.pass(2)
    expect(await status(given, 'a')).toBe('drained')
  })

  it('ends its warm servers and those alone, and is not drained while its orchestrator still has one', async () => {
    const given = await fleet({ a: ['fra'], b: ['fra'] })
    const { first, projectId } = given
    const serverSettings = { versionTag: 'arena', region: 'fra', warm: { min: 2 } } as const
    await first.queues.create({ projectId, queueId: 'duel', name: 'Duel', serverSettings })
    const ready = async () => (await first.queues.stats({ projectId, queueId: 'duel' })).warm.ready
    const ending: string[] = []
    for (const [id, { orchestrator }] of given.nodes) {
      const keepWarm = orchestrator.keepWarm.bind(orchestrator)
      orchestrator.keepWarm = async (pools) =>
        (await keepWarm(pools)).map(({ key, ready }) => ({
          key,
          ready: [...ready.map((name) => id + name), ...ending],
        }))
    }
    await given.pass(2)
    expect(await ready()).toBe(4)
    const waiting = given.nodes.get('b')?.orchestrator.waiting ?? []
    ending.push(`b${waiting[0]?.id}`)
    await first.machines.drain({ machineId: 'b' })
    await given.pass(3, ['b'])
    expect([await ready(), await status(given, 'b')]).toEqual([3, 'draining'])
    ending.pop()
    await given.pass(3, ['b'])
    expect([await ready(), await status(given, 'b')]).toEqual([2, 'drained'])
    Object.assign(given.nodes.get('b')?.orchestrator ?? {}, { regions: ['ams'] })
    await given.pass(1, ['b'])
    expect(await ready()).toBe(2)
  })

  it('is drained by the process that runs its servers, and by no other process of its node', async () => {
    const given = await fleet({ a: ['fra'] })
    Object.assign(given.nodes.get('a')?.orchestrator ?? {}, { runsFor: 'a' })
    await given.first.machines.drain({ machineId: 'a' })
    await given.pass(3)
    expect(await status(given, 'a')).toBe('draining')
  })

  it('refuses a deadline that is no number of seconds within a week', async () => {
    const { first } = await fleet({ a: ['fra'] })
    for (const deadlineSeconds of [-1, 0.5, 604_801, Number.NaN])
      await expect(first.machines.drain({ machineId: 'a', deadlineSeconds })).rejects.toMatchObject({
        code: 'VALIDATION_FAILED',
      })
    await expect(first.machines.drain({ machineId: 'b' })).rejects.toMatchObject({ code: 'MACHINE_NOT_FOUND' })
  })
})

describe('the list of machines', () => {
  it('has the regions, the use and the last report of each, and shows lost ones', async () => {
    const given = await fleet({ 'fra-1': ['fra'], 'iad-1': ['iad'] })
    await asked(given, 'fra')
    await given.pass(3)
    const [fra, iad] = await given.first.machines.list({})
    expect(fra).toMatchObject({
      id: 'fra-1',
      kind: 'node',
      regions: ['fra'],
      status: 'ready',
      used: { servers: 1, cpus: 1 },
    })
    expect(iad).toMatchObject({
      id: 'iad-1',
      status: 'ready',
      used: { servers: 0 },
      lastSeenAt: given.clock.now() - 1_000,
    })
    await expect(given.first.machines.remove({ machineId: 'iad-1' })).rejects.toMatchObject({ code: 'CONFLICT' })
    await given.first.machines.cordon({ machineId: 'iad-1' })
    await given.pass(32, ['fra-1'])
    expect(await status(given, 'iad-1')).toBe('lost')
    await given.pass(1)
    expect(await status(given, 'iad-1')).toBe('cordoned')
    await given.pass(32, ['fra-1'])
    await given.first.machines.remove({ machineId: 'iad-1' })
    expect((await given.first.machines.list({})).map(({ id }) => id)).toEqual(['fra-1'])
  })

  it('has no machine that has been lost for 30 days, and keeps one that came back', async () => {
    const given = await fleet({ a: ['fra'], b: ['fra'], c: ['fra'] })
    const ids = async () => (await given.first.machines.list({})).map(({ id }) => id)
    // Long enough that the machines which do not report count as lost, and that old records are removed once.
    await given.pass(340, ['a'])
    given.clock.advance(29 * DAY_MS)
    await given.pass(340, ['a', 'c'])
    expect(await ids()).toEqual(['a', 'b', 'c'])
    given.clock.advance(DAY_MS)
    await given.pass(340, ['a', 'c'])
    expect(await ids()).toEqual(['a', 'c'])
  })

  it('has the address at which other nodes reach a machine, as its node last reported it', async () => {
    const peers: { url: string; logs: Peers['logs'] } = { url: 'http://10.0.0.1:8080', logs: async () => [] }
    const given = await fleet({ a: ['fra'] }, { peers })
    const peerUrl = async () => (await given.first.machines.get({ machineId: 'a' })).peerUrl
    expect(await peerUrl()).toBe('http://10.0.0.1:8080')
    peers.url = 'http://10.0.0.2:8080'
    await given.pass(1)
    expect(await peerUrl()).toBe('http://10.0.0.2:8080')
  })

  it('has the load of a machine with its own orchestrator, and no load of a shared one', async () => {
    const load = { cpuPercent: 7, memoryMb: 70 }
    const given = await fleet({ a: ['fra'] }, { machine: { load: () => load } })
    expect(await given.first.machines.get({ machineId: 'a' })).toMatchObject({ load })
    Object.assign(given.nodes.get('a')?.orchestrator ?? {}, { sharedAs: 'cluster' })
    await given.pass(1)
    expect(await given.first.machines.get({ machineId: 'cluster' })).toMatchObject({ kind: 'cluster', load: null })
  })

  it('is for accounts of operators', async () => {
    const { first } = await fleet({ a: ['fra'] })
    const wish = { password: 'long enough', name: 'A' }
    const [boss, dev] = [
      await first.accounts.create({ ...wish, email: 'boss@example.com', operator: true }),
      await first.accounts.create({ ...wish, email: 'dev@example.com' }),
    ]
    expect(boss.operator).toBe(true)
    expect(await first.machines.list({ accountId: boss.id })).toMatchObject([{ id: 'a' }])
    await expect(first.machines.list({ accountId: dev.id })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const on = { accountId: dev.id, machineId: 'a' }
    const { get, cordon, uncordon, drain, remove } = first.machines
    for (const call of [get, cordon, uncordon, drain, remove])
      await expect(call(on)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('a machine that cannot start servers', () => {
  /** Returns two machines of one region. The first has servers already, so it is chosen, and cannot start one now. */
  const broken = async () => {
    const given = await fleet({ a: ['fra'], b: ['fra'] })
    for (const { orchestrator } of given.nodes.values()) orchestrator.limits = { maxServers: 20 }
    await given.pass(6)
    await asked(given, 'fra')
    await given.pass(3)
    const ids = [...given.nodes.keys()]
    const [home = ''] = (await given.nodesOf([
      (await given.first.servers.list({ projectId: given.projectId })).data[0]?.id ?? '',
    ])) as string[]
    const { orchestrator } = given.nodes.get(home) ?? expect.fail()
    orchestrator.script = () => 'machine'
    return { given, home, other: ids.find((id) => id !== home) ?? '', orchestrator }
  }

  it('leaves the launch to another machine, and the attempt does not count', async () => {
    const { given, other } = await broken()
    const id = await asked(given, 'fra')
    await given.pass(3)
    expect(await server(given, id)).toMatchObject({ status: 'running', nodeId: other, launchAttempts: 1 })
  })

  it('pauses after three failures in a row, is a problem of the projects on it, and takes servers again a minute later', async () => {
    const { given, home, other, orchestrator } = await broken()
    for (let n = 0; n < 2; n++) {
      await asked(given, 'fra')
      await given.pass(1)
    }
    expect(await status(given, home)).toBe('ready')
    await asked(given, 'fra')
    await given.pass(1)
    const paused = { status: 'cordoned', statusReason: 'the script says machine' }
    expect(await given.first.machines.get({ machineId: home })).toMatchObject(paused)
    const since = given.clock.now() - 1_000
    const problems = await given.first.problems.list({ projectId: given.projectId })
    expect(problems).toMatchObject([{ code: 'machine_paused', subject: { kind: 'node', id: home }, since, count: 1 }])
    expect(JSON.stringify(problems)).not.toContain('the script says')
    const { id: projectId } = await given.first.projects.ensure({ name: 'another' })
    expect(await given.first.problems.list({ projectId })).toEqual([])
    const launches = orchestrator.launches.length
    await asked(given, 'fra')
    await given.pass(10)
    expect(orchestrator.launches).toHaveLength(launches)
    await given.pass(50)
    expect(await status(given, home)).toBe('ready')
    orchestrator.script = () => 'ready'
    await given.first.machines.cordon({ machineId: other })
    const after = await asked(given, 'fra')
    await given.pass(3)
    expect(await server(given, after)).toMatchObject({ status: 'running', nodeId: home })
  })

  it('goes on while the other machine of the region pauses, even when both fail at the same time', async () => {
    const given = await fleet({ a: ['fra'], b: ['fra'] })
    const all = [...given.nodes.values()]
    for (const { orchestrator } of all) orchestrator.script = () => 'machine'
    await given.pass(6)
    await asked(given, 'fra')
    const open = new Set<number>()
    for (let step = 0; step < 60; step++) {
      // Between two reads of the machines, each node uses what it knew of the other machine.
      for (const { matchyard } of all) {
        if (step % 5 === 0) await matchyard.worker.watchNodes()
        await matchyard.worker.runDueJobs()
        await matchyard.worker.reconcileServers()
      }
      given.clock.advance(100)
      open.add((await given.first.machines.list({})).filter((one) => one.status === 'ready').length)
    }
    expect([open.has(1), open.has(0)]).toEqual([true, false])
  })

  it('pauses when its sandbox cannot be set up, and the exit of the process is no attempt', async () => {
    const { given, home, other, orchestrator } = await broken()
    orchestrator.script = () => ({ exits: 1, reason: 'no_sandbox' })
    const ids = [await asked(given, 'fra'), await asked(given, 'fra'), await asked(given, 'fra')]
    await given.pass(4)
    expect(await given.nodesOf(ids)).toEqual([other, other, other])
    expect(await server(given, ids[0] ?? '')).toMatchObject({ status: 'running', launchAttempts: 1 })
    expect(await given.first.machines.get({ machineId: home })).toMatchObject({
      status: 'cordoned',
      statusReason: 'the sandbox of the machine could not be set up',
    })
  })

  it('names the sandbox when it is the only one', async () => {
    const given = await fleet({ a: ['fra'] })
    const { orchestrator } = given.nodes.get('a') ?? expect.fail()
    orchestrator.script = () => ({ exits: 1, reason: 'no_sandbox' })
    const id = await asked(given, 'fra')
    await given.pass(5)
    const stopReason = 'the sandbox of the machine could not be set up'
    expect(await server(given, id)).toMatchObject({ status: 'failed', stopReason })
  })

  /** Returns two machines with a server each, after both could start them, and the id of the build. */
  const withArchive = async () => {
    const given = await fleet({ a: ['fra'], b: ['fra'] }, { buildStore: new FakeBuildStore(), placement: 'spread' })
    const { first, projectId } = given
    const { build, uploadPath } = await first.builds.createUpload({ projectId, name: 'zip', executablePath: 'server' })
    await first.builds.receiveUpload(uploadOf(uploadPath, ['zip']))
    await given.pass(6)
    const launch = async () => (await first.servers.create({ projectId, versionTag: 'zip', region: 'fra' })).id
    return { given, buildId: build.id, launch }
  }

  it('pauses when it lacks the archive that the other machine runs', async () => {
    const { given, buildId, launch } = await withArchive()
    for (let n = 0; n < 2; n++) await launch()
    await given.pass(4)
    given.nodes.get('a')?.orchestrator.unseenArchives.add(buildId)
    const ids: string[] = []
    for (let n = 0; n < 8; n++) {
      ids.push(await launch())
      await given.pass(4)
    }
    expect(new Set(await given.nodesOf(ids))).toEqual(new Set(['b']))
    expect(await server(given, ids[7] ?? '')).toMatchObject({ status: 'running', attempt: 1 })
    expect(await given.first.machines.get({ machineId: 'a' })).toMatchObject({
      status: 'cordoned',
      statusReason: `the archive of ${buildId} is not seen`,
    })
    expect(await status(given, 'b')).toBe('ready')
  })

  it('does not pause for an archive that no machine has', async () => {
    const { given, buildId, launch } = await withArchive()
    for (const { orchestrator } of given.nodes.values()) orchestrator.unseenArchives.add(buildId)
    for (let n = 0; n < 8; n++) await launch()
    await given.pass(20)
    expect([await status(given, 'a'), await status(given, 'b')]).toEqual(['ready', 'ready'])
  })

  it('that is the only one tries three times and fails with its own reason', async () => {
    const given = await fleet({ a: ['fra'], b: ['iad'] })
    const { orchestrator } = given.nodes.get('a') ?? expect.fail()
    orchestrator.script = () => 'machine'
    const id = await asked(given, 'fra')
    await given.pass(3)
    expect(await server(given, id)).toMatchObject({ status: 'failed', stopReason: 'the script says machine' })
    expect(await status(given, 'a')).toBe('ready')
  })
})
