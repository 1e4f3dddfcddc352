import { createMatchyard, type DomainEvent } from '@matchyard/core'
import { type Commit, minuteCell } from '@matchyard/core/ports'
import { memoryStorage } from '@matchyard/storage-memory'
import { FakeClock, FakeOrchestrator, fakePlatform } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE

async function service() {
  const clock = new FakeClock()
  const storage = memoryStorage()
  const matchyard = createMatchyard({
    ...{ ...fakePlatform({ clock, seed: 1 }), storage, orchestrator: new FakeOrchestrator(clock) },
  })
  await matchyard.open()
  const { id: projectId } = await matchyard.projects.ensure({ name: 'arena' })
  const told: DomainEvent[] = []
  matchyard.events.on('problem_opened', (event) => told.push(event))
  matchyard.events.on('problem_closed', (event) => told.push(event))
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 30 * SECOND) {
      clock.advance(30 * SECOND)
      await matchyard.worker.runDueJobs()
    }
  }
  const { id: buildId } = await matchyard.builds.registerImage({ projectId, name: 'arena', imageUrl: 'games/arena:1' })
  await matchyard.worker.runDueJobs()
  await matchyard.queues.create({
    ...{ projectId, queueId: 'duel', name: 'Duel', matchmaking: { teams: 2, playersPerTeam: 1 } },
    serverSettings: { versionTag: 'arena' },
    ...{ timeoutSeconds: 3_600, heartbeat: false },
  })
  /** Makes the queue's build missing, or ready again, while a player searches. */
  const { id: lobbyId } = await matchyard.lobbies.create({ projectId, queueId: 'duel', playerId: 'ann' })
  await matchyard.lobbies.enqueue({ projectId, lobbyId, playerId: 'ann' })
  const disable = (disabled: boolean) => matchyard.builds.update({ projectId, buildId, changes: { disabled } })
  const problem = async () => {
    const found = await matchyard.problems.list({ projectId })
    return found.find(({ code }) => code === 'build_not_ready')
  }
  const rows = () => storage.problems.ofProject(projectId, 1_000)
  return { clock, storage, matchyard, projectId, told, pass, disable, problem, rows }
}

const types = (told: readonly DomainEvent[]) =>
  told.flatMap((event) => ('problem' in event && event.problem.code === 'build_not_ready' ? event.type : []))

describe('a problem that the service keeps', () => {
  it('opens when it is found, and closes when it has not been found for five minutes', async () => {
    const { told, pass, disable, problem, rows, clock } = await service()
    await disable(true)
    await pass(MINUTE)
    const open = await problem()
    expect(open).toMatchObject({ severity: 'error', openedAt: expect.any(Number), acknowledged: null, muted: null })
    expect(types(told)).toEqual(['problem_opened'])
    await disable(false)
    await pass(3 * MINUTE)
    expect(types(told)).toEqual(['problem_opened'])
    await disable(true)
    await pass(MINUTE)
    // The problem came back in time, so it is the same problem.
    expect((await problem())?.openedAt).toBe(open?.openedAt)
    await disable(false)
    await pass(7 * MINUTE)
    expect(types(told)).toEqual(['problem_opened', 'problem_closed'])
    expect((await rows()).find(({ id }) => id === open?.id)?.closedAt).toBeLessThanOrEqual(clock.now())
    await disable(true)
    await pass(MINUTE)
    expect(types(told)).toEqual(['problem_opened', 'problem_closed', 'problem_opened'])
    expect((await problem())?.id).toBe(open?.id)
  })

  it('has the note of its acknowledgement until its end, also when nobody looked before', async () => {
    const { matchyard, projectId, pass, disable, problem } = await service()
    await disable(true)
    const found = await problem()
    expect(found?.openedAt).toBeNull()
    const problemId = String(found?.id)
    await matchyard.problems.acknowledge({ projectId, problemId, note: 'on it', by: { kind: 'session', id: 'acc_1' } })
    expect(await problem()).toMatchObject({
      openedAt: expect.any(Number),
      acknowledged: { note: 'on it', by: { kind: 'session', id: 'acc_1', name: null } },
    })
    await disable(false)
    await pass(7 * MINUTE)
    await expect(matchyard.problems.acknowledge({ projectId, problemId })).rejects.toMatchObject({
      code: 'PROBLEM_NOT_FOUND',
    })
    await disable(true)
    await pass(MINUTE)
    expect(await problem()).toMatchObject({ openedAt: expect.any(Number), acknowledged: null })
  })

  it('sends no messages while it is muted, and is last', async () => {
    const { matchyard, projectId, told, pass, disable, problem } = await service()
    await disable(true)
    await pass(2 * MINUTE)
    const problemId = String((await problem())?.id)
    const mute = (more: object) => matchyard.problems.mute({ projectId, problemId, ...more })
    await mute({ minutes: 30, reason: 'known' })
    const listed = await matchyard.problems.list({ projectId })
    expect(listed.length).toBeGreaterThan(1)
    expect(listed.at(-1)).toMatchObject({ id: problemId, muted: { reason: 'known' } })
    await disable(false)
    await pass(7 * MINUTE)
    await disable(true)
    await pass(MINUTE)
    expect(types(told)).toEqual(['problem_opened'])
    expect(await problem()).toMatchObject({ muted: { reason: 'known' } })
    await mute({ minutes: 0 })
    expect(await problem()).toMatchObject({ muted: null })
    for (const wrong of [{}, { minutes: 1, until: 1 }, { minutes: -1 }, { minutes: 43_201 }, { until: 1 }])
      await expect(mute(wrong)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    await expect(mute({ minutes: 1, reason: 'x'.repeat(257) })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    const note = 'x'.repeat(1_025)
    await expect(matchyard.problems.acknowledge({ projectId, problemId, note })).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
    })
    const stranger = { projectId, problemId: 'prb_none' }
    await expect(matchyard.problems.acknowledge(stranger)).rejects.toMatchObject({ code: 'PROBLEM_NOT_FOUND' })
  })

  it('goes 30 days after its end, and a project keeps at most 100', async () => {
    const { storage, clock, pass, disable, problem, rows } = await service()
    await disable(true)
    await pass(MINUTE)
    const [sample] = await rows()
    if (sample === undefined) throw new Error('no problem')
    const closed = (n: number, closedAt: number) => ({ ...sample, id: `prb_${n}`, version: 1, closedAt })
    const put = (all: readonly (typeof sample)[]) =>
      storage.commit({
        ...{ id: `by hand ${all[0]?.id}`, at: clock.now(), checks: [], counters: [], events: [], jobs: [] },
        writes: all.map((row) => ({ kind: 'problem', id: row.id, expected: 'absent', put: row })) as Commit['writes'],
      })
    await put([closed(1, clock.now() - 30 * DAY - 1), closed(2, clock.now())])
    await pass(MINUTE)
    const ids = async () => (await rows()).map(({ id }) => id)
    expect(await ids()).toContain('prb_2')
    expect(await ids()).not.toContain('prb_1')
    const open = await problem()
    const row = (await rows()).find(({ id }) => id === open?.id)
    if (row === undefined) throw new Error('the problem is not kept')
    await storage.commit({
      ...{ id: 'removed by hand', at: clock.now(), checks: [], counters: [], events: [], jobs: [] },
      writes: [{ kind: 'problem', id: row.id, expected: row.version, remove: true }],
    })
    await put(Array.from({ length: 100 - (await rows()).length }, (_, n) => closed(n + 10, clock.now() + 1 + n)))
    await pass(MINUTE)
    expect(await ids()).toHaveLength(100)
    expect(await ids()).toContain(open?.id)
    // The problem that closed first made room.
    expect(await ids()).not.toContain('prb_2')
  })

  it('is looked for in at most 200 projects at once', async () => {
    const { storage, clock, matchyard, pass, disable, rows } = await service()
    await disable(true)
    await pass(MINUTE)
    const [sample] = await rows()
    if (sample === undefined) throw new Error('no problem')
    await storage.commit({
      ...{ id: 'by hand', at: clock.now(), checks: [], counters: [], events: [], jobs: [] },
      writes: Array.from({ length: 250 }, (_, n) => {
        const put = { ...sample, id: `prb_${n}`, version: 1, projectId: `prj_none_${n}` }
        return { kind: 'problem', id: put.id, expected: 'absent', put } as const
      }),
    })
    const looked: string[] = []
    const { get } = storage
    Object.assign(storage, {
      get: (kind: 'project', id: string) => {
        if (id.startsWith('prj_none_')) looked.push(id)
        return get(kind, id)
      },
    })
    clock.advance(30 * SECOND)
    await matchyard.worker.runDueJobs()
    expect(new Set(looked).size).toBeGreaterThanOrEqual(199)
    expect(looked.length).toBeLessThanOrEqual(200)
  })

  it('costs nothing in an idle project, also with a running server, a stream and refused calls', async () => {
    const { storage, matchyard, projectId, clock } = await service()
    const { id: idle } = await matchyard.projects.ensure({ name: 'idle' })
    let reads = 0
    const { ofProject } = storage.problems
    Object.assign(storage.problems, {
      ofProject: (id: string, limit: number) => {
        if (id === idle) reads++
        return ofProject(id, limit)
      },
    })
    clock.advance(10 * MINUTE)
    const samples = (['servers', 'streams', 'refusals'] as const).map((series) =>
      minuteCell(clock.now(), { projectId: idle, queueId: '', series, key: 'a', count: 1, sum: 1, most: 1 }),
    )
    const none = { checks: [], writes: [], counters: [], events: [], jobs: [] }
    await storage.commit({ ...none, id: 'cmt_samples', at: clock.now(), history: samples })
    await matchyard.worker.runDueJobs()
    expect(reads).toBe(0)
    expect(projectId).not.toBe(idle)
  })
})
