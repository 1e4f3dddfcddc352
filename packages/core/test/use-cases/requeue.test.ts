import { createMatchyard, type Lobby, type QueueSettings } from '@matchyard/core'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'

const SECOND = 1_000
const matchmaking = { teams: 2, playersPerTeam: 1 }
const required = { type: 'equals', field: 'mode', required: true } as const

/** Returns a queue that puts parties back, and two lobbies that have searched in it for ten seconds. */
async function searching(settings: Omit<QueueSettings, 'name'> = {}) {
  const clock = new FakeClock()
  const orchestrator = new FakeOrchestrator(clock)
  const storage = memoryStorage()
  /** States of ann's lobby after each commit that changed it. */
  const seen: Lobby[] = []
  /** Runs once after the commit that announces the return of ann's lobby. */
  const pending: { act?: (() => Promise<unknown>) | undefined } = {}
  const watched: typeof storage = {
    ...storage,
    commit: async (commit) => {
      const result = await storage.commit(commit)
      if (result.ok) for (const { lobby } of commit.events) if (lobby.hostPlayerId === 'ann') seen.push(lobby)
      const due = seen.at(-1)?.lastExit?.willRequeue ? pending.act : undefined
      if (due !== undefined) {
        pending.act = undefined
        await due()
      }
      return result
    },
  }
  const platform = fakePlatform({ clock, seed: 1 })
  const matchyard = createMatchyard({ ...platform, storage: watched, orchestrator, capacityTimeoutMs: 20 * SECOND })
  await matchyard.open()
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  await matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:1' })
  await matchyard.worker.runDueJobs()
  const serverSettings = { versionTag: 'arena' }
  const wanted = { requeueOnFailure: true, timeoutSeconds: 100, matchmaking, serverSettings, ...settings }
  await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', ...wanted })
  const enter = async (playerId: string) => {
    const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId })
    await matchyard.lobbies.enqueue({ projectId, lobbyId, playerId })
    return { projectId, lobbyId, playerId }
  }
  const enteredAt = clock.now()
  const ann = await enter('ann')
  const bob = await enter('bob')
  clock.advance(10 * SECOND)
  const jobs = async () => {
    await matchyard.worker.runDueJobs()
    await matchyard.worker.reconcileServers()
    await matchyard.worker.runDueJobs()
  }
  /** Matches the lobbies that search, and runs the launch of their server as far as it gets. */
  const launch = async () => {
    await matchyard.matchmaking.runQueue(`${projectId}/duel`)
    await jobs()
  }
  const now = () => matchyard.lobbies.get({ ...ann, backend: true })
  return { matchyard, clock, orchestrator, projectId, ann, bob, enteredAt, enter, jobs, launch, now, seen, pending }
}

const failed = { status: 'waiting', lastExit: { reason: 'launch_failed' }, matchId: null }

describe('a party whose match failed to launch', () => {
  it('is put back with its age and deadline: waiting, then in_queue', async () => {
    const { orchestrator, enteredAt, launch, now, seen, matchyard, bob } = await searching()
    orchestrator.script = () => 'final'
    seen.length = 0
    await launch()
    const statuses = seen.map(({ status }) => status).filter((status, index, all) => status !== all[index - 1])
    expect(statuses).toEqual(['matched', 'waiting', 'in_queue'])
    expect(seen.find(({ status }) => status === 'waiting')).toMatchObject({
      ...{ matchId: null, ticket: null, lastExit: { reason: 'launch_failed', willRequeue: true } },
    })
    const back = { status: 'in_queue', lastExit: null, ticket: { enteredAt, expiresAt: enteredAt + 100 * SECOND } }
    expect(await now()).toMatchObject(back)
    expect(await matchyard.lobbies.get({ ...bob, backend: true })).toMatchObject(back)
  })

  it('is put back three times in a row; the fourth failure stands', async () => {
    const { orchestrator, launch, now, matchyard, ann, bob, enteredAt } = await searching()
    orchestrator.script = () => 'final'
    for (const requeues of [1, 2, 3]) {
      await launch()
      expect(await now()).toMatchObject({ status: 'in_queue', ticket: { enteredAt, requeues } })
    }
    await launch()
    expect(await now()).toMatchObject(failed)
    expect((await now()).lastExit).not.toHaveProperty('willRequeue')
    expect(await now()).not.toHaveProperty('keptStay')
    // A new search of the host begins the count anew.
    for (const one of [ann, bob]) await matchyard.lobbies.enqueue(one)
    await launch()
    expect(await now()).toMatchObject({ status: 'in_queue', ticket: { requeues: 1 } })
  })

  it('counts anew after a cancel, and after a match that ran', async () => {
    const { orchestrator, launch, now, matchyard, ann, bob, jobs } = await searching()
    orchestrator.script = () => 'final'
    await launch()
    await matchyard.lobbies.cancelMatchmaking(ann)
    await matchyard.lobbies.enqueue(ann)
    await launch()
    expect(await now()).toMatchObject({ status: 'in_queue', ticket: { requeues: 1 } })
    expect(await matchyard.lobbies.get({ ...bob, backend: true })).toMatchObject({ ticket: { requeues: 2 } })
    orchestrator.script = () => 'ready'
    await launch()
    expect(await now()).toMatchObject({ status: 'in_game' })
    expect(await now()).not.toHaveProperty('keptStay')
    await matchyard.lobbies.end({ ...ann, backend: true })
    await jobs()
    orchestrator.script = () => 'final'
    for (const one of [ann, bob]) await matchyard.lobbies.enqueue(one)
    await launch()
    expect(await now()).toMatchObject({ status: 'in_queue', ticket: { requeues: 1 } })
  })

  it('keeps its age and its count over a ready check', async () => {
    const readyCheck = { timeoutSeconds: 5 }
    const given = await searching({ matchmaking: { ...matchmaking, readyCheck } })
    const { orchestrator, launch, now, matchyard, ann, bob, enteredAt, clock, jobs } = given
    orchestrator.script = () => 'final'
    await launch()
    for (const one of [ann, bob]) await matchyard.lobbies.accept(one)
    await jobs()
    expect(await now()).toMatchObject({ status: 'in_queue', ticket: { enteredAt, requeues: 1 } })
    await launch()
    await matchyard.lobbies.decline(bob)
    expect(await now()).toMatchObject({ status: 'in_queue', ticket: { enteredAt, requeues: 1 } })
    clock.advance(SECOND)
    await matchyard.lobbies.enqueue(bob)
    await launch()
    for (const one of [ann, bob]) await matchyard.lobbies.accept(one)
    await jobs()
    expect(await now()).toMatchObject({ status: 'in_queue', ticket: { enteredAt, requeues: 2 } })
  })

  it('ends with timeout when its deadline passed meanwhile', async () => {
    const { orchestrator, launch, clock, jobs, now } = await searching({ timeoutSeconds: 40 })
    orchestrator.script = () => ({ waitsFor: 'udp 7777 is not bound' })
    await launch()
    clock.advance(60 * SECOND)
    await jobs()
    expect(await now()).toMatchObject({ status: 'waiting', ticket: null, lastExit: { reason: 'timeout' } })
  })

  it('is put back when no server was assigned or no room was found', async () => {
    const external = await searching({ serverSettings: { source: 'external' } })
    await external.launch()
    external.clock.advance(20 * SECOND)
    await external.jobs()
    expect(await external.now()).toMatchObject({ status: 'in_queue', ticket: { enteredAt: external.enteredAt } })

    const full = await searching()
    full.orchestrator.script = () => 'no_room'
    await full.launch()
    full.clock.advance(21 * SECOND)
    await full.jobs()
    expect(await full.now()).toMatchObject({ status: 'in_queue', ticket: { enteredAt: full.enteredAt } })
  })
})

describe('a party stays in `waiting`', () => {
  it('in a queue without the setting, and after a direct start', async () => {
    const { orchestrator, launch, now } = await searching({ requeueOnFailure: false })
    orchestrator.script = () => 'final'
    await launch()
    expect(await now()).toMatchObject(failed)

    const direct = await searching()
    direct.orchestrator.script = () => 'final'
    await direct.matchyard.lobbies.cancelMatchmaking(direct.ann)
    await direct.matchyard.lobbies.start(direct.ann)
    await direct.jobs()
    expect(await direct.now()).toMatchObject(failed)
  })

  it('when its build is missing, and when the server had been running', async () => {
    const missing = await searching({ serverSettings: { versionTag: 'nope' } })
    await missing.launch()
    expect(await missing.now()).toMatchObject({ status: 'waiting', lastExit: { reason: 'build_missing' } })

    const { orchestrator, launch, now, jobs } = await searching()
    await launch()
    orchestrator.exit((await now()).server?.instanceId ?? '', { code: 1 })
    await jobs()
    expect(await now()).toMatchObject({ status: 'waiting', lastExit: { reason: 'server_failed' } })
  })

  it.each([
    ['is disabled', { enabled: false }],
    ['no longer puts parties back', { requeueOnFailure: false }],
    ['has no matchmaking that fits', { matchmaking: { ...matchmaking, rules: [required] } }],
  ])('when its queue %s meanwhile', async (_, changes) => {
    const { orchestrator, matchyard, projectId, launch, now, seen, pending } = await searching()
    orchestrator.script = () => 'final'
    pending.act = () => matchyard.queues.update({ projectId, queueId: 'duel', changes })
    await launch()
    expect(seen.some(({ lastExit }) => lastExit?.willRequeue)).toBe(true)
    expect(await now()).toMatchObject(failed)
    expect((await now()).lastExit).not.toHaveProperty('willRequeue')
    expect(await now()).not.toHaveProperty('keptStay')
    // The failure of each of the two lobbies counts once.
    const { exitsLastHour } = await matchyard.queues.stats({ projectId, queueId: 'duel' })
    expect(exitsLastHour).toMatchObject({ launch_failed: 2 })
  })

  it('when its host cancels meanwhile', async () => {
    const { orchestrator, matchyard, launch, now, ann, pending } = await searching()
    orchestrator.script = () => 'final'
    const cancelled: unknown[] = []
    pending.act = async () => cancelled.push(await matchyard.lobbies.cancelMatchmaking(ann))
    await launch()
    expect(cancelled).toMatchObject([failed])
    expect(await now()).toMatchObject(failed)
    expect(await now()).not.toHaveProperty('keptStay')
  })

  it('when its host moves it to another queue meanwhile', async () => {
    const { orchestrator, matchyard, projectId, launch, now, ann, pending } = await searching()
    await matchyard.queues.create({ projectId, queueId: 'other', name: 'Other', requeueOnFailure: true, matchmaking })
    orchestrator.script = () => 'final'
    pending.act = () => matchyard.lobbies.updateSettings({ ...ann, changes: { queueId: 'other' } })
    await launch()
    expect(await now()).toMatchObject({ ...failed, queueId: 'other' })
    expect(await now()).not.toHaveProperty('keptStay')
  })
})
