import type { Storage } from '@matchyard/core/ports'
import { FakeOrchestrator } from '@matchyard/testkit'
import { describe, expect, it } from 'vitest'
import { LANE_NAMES } from '../../src/worker/lanes'
import { type Service, service, settled } from '../use-cases/service'

/** Lets time pass for the loop, in steps. */
async function live({ clock }: Service, ms: number, stepMs = 100): Promise<void> {
  for (let passed = 0; passed <= ms; passed += stepMs) {
    await settled()
    clock.advance(stepMs)
  }
  await settled()
}

describe('the loop', () => {
  it('matches who waits though every signal is lost, the second pair like the first', async () => {
    const given = await service(() => ({ subscribe: () => () => {} }))
    const { matchyard, projectId } = given
    await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', matchmaking: {} })
    await matchyard.start()
    for (const pair of [
      ['ann', 'bob'],
      ['cat', 'dan'],
    ]) {
      const statuses: string[] = []
      for (const playerId of pair) {
        const { id: lobbyId } = await matchyard.lobbies.create({ projectId, playerId, queueId: 'duel' })
        await matchyard.lobbies.enqueue({ projectId, lobbyId, playerId })
        await live(given, 2_000)
        statuses.push((await matchyard.lobbies.get({ projectId, lobbyId, backend: true })).status)
      }
      expect(statuses).toEqual(['in_queue', 'in_game'])
    }
    await matchyard.stop()
  })

  it('looks at an absent party as soon as this node hears one of its players', async () => {
    const given = await service()
    const { matchyard, projectId, clock } = given
    await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', matchmaking: {} })
    await matchyard.start()
    const enter = async (playerId: string) => {
      const { id: lobbyId } = await matchyard.lobbies.create({ projectId, playerId, queueId: 'duel' })
      await matchyard.lobbies.enqueue({ projectId, lobbyId, playerId, client: { proven: {} } })
      return lobbyId
    }
    const statusOf = async (lobbyId: string) =>
      (await matchyard.lobbies.get({ projectId, lobbyId, backend: true })).status
    const gone = await enter('ann')
    await live(given, 31_000)
    await enter('bob')
    await live(given, 300)
    expect(await statusOf(gone)).toBe('in_queue')
    const caller = { kind: 'client', projectId, accountId: 'acc', keyId: 'key' } as never
    await matchyard.access.identifyPlayer({ caller, rule: 'required', playerId: 'ann' })
    clock.advance(1)
    await settled()
    await settled()
    expect(await statusOf(gone)).not.toBe('in_queue')
    await matchyard.stop()
  })

  it('hands its queues and jobs to others at once, and goes on saying who has a stream open', async () => {
    let storage: Storage | undefined
    const given = await service((inner) => {
      storage = inner
      return {}
    })
    if (storage === undefined) throw new Error('the service has a storage')
    const { leases, presence } = storage
    const { matchyard, projectId, clock } = given
    await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', matchmaking: {} })
    await matchyard.start()
    const enter = async (playerId: string) => {
      const { id: lobbyId } = await matchyard.lobbies.create({ projectId, playerId, queueId: 'duel' })
      await matchyard.lobbies.enqueue({ projectId, lobbyId, playerId })
      await live(given, 500)
      return lobbyId
    }
    await enter('ann')
    const lease = `director:${projectId}/duel`
    const takesOver = () => leases.acquire(lease, 'another node', clock.now(), 1_000)
    expect(await takesOver()).toBe(false)
    await Promise.all([matchyard.handOver(), matchyard.handOver()])
    expect(await takesOver()).toBe(true)
    // Calls are still accepted, but this node does not match their lobbies.
    const second = await enter('bob')
    await live(given, 5_000)
    expect((await matchyard.lobbies.get({ projectId, lobbyId: second, backend: true })).status).toBe('in_queue')
    const stream = await matchyard.lobbies.watch({ projectId, lobbyId: second, playerId: 'bob', backend: false })
    const seen = async () => (await presence.read(second)).map(({ at }) => at)
    const [before] = await seen()
    await live(given, 30_000, 500)
    const [after] = await seen()
    expect(after).toBeGreaterThan(before ?? Number.POSITIVE_INFINITY)
    stream.close()
    await matchyard.stop()
  })

  it('adjusts its warm servers soon after a cordon and an uncordon through this node', async () => {
    let adjusted = 0
    const orchestrator = new FakeOrchestrator({ now: () => 0 })
    orchestrator.keepWarm = async () => {
      adjusted++
      return []
    }
    const given = await service(() => ({}), { orchestrator })
    const { matchyard } = given
    await matchyard.start()
    await live(given, 1_000)
    const after: number[] = []
    for (const call of [matchyard.machines.cordon, matchyard.machines.uncordon]) {
      const before = adjusted
      await call({ machineId: 'node' })
      await live(given, 600)
      after.push(adjusted - before)
    }
    expect(after).toEqual([1, 1])
    await matchyard.stop()
  })

  it('does not spin while every hand is full', async () => {
    let looks = 0
    const given = await service((storage) => ({
      jobs: {
        ...storage.jobs,
        agenda: (kinds, now) => {
          looks++
          return storage.jobs.agenda(kinds, now)
        },
      },
    }))
    const { matchyard, projectId, orchestrator } = given
    const held = Array.from({ length: 70 }, () => orchestrator.hold('proposePorts', 'before'))
    for (let i = 0; i < 70; i++) await matchyard.servers.create({ projectId, versionTag: 'arena' })
    await matchyard.start()
    await live(given, 1_000, 1)
    // One check of all lanes at the beginning and one a second later, and checks of lanes with due jobs.
    expect(looks).toBeLessThan(LANE_NAMES.length)
    for (const { release } of held) release()
    await live(given, 3_000)
    const { data } = await matchyard.servers.list({ projectId, limit: 100 })
    expect(data.filter((server) => server.status === 'running')).toHaveLength(70)
    await matchyard.stop()
  })

  it("tries a failing job again and again, at half a minute's distance in the end", async () => {
    const triedAt: number[] = []
    let failing = false
    const given = await service((storage) => ({
      get: async (kind, id) => {
        if (!failing || kind !== 'server') return storage.get(kind, id)
        triedAt.push(given.clock.now())
        throw new Error('no server can be read')
      },
    }))
    const { matchyard, projectId } = given
    await matchyard.servers.create({ projectId, versionTag: 'arena' })
    failing = true
    await matchyard.start()
    await live(given, 150_000, 250)
    const pauses = triedAt.slice(1).map((at, index) => at - (triedAt[index] ?? 0))
    expect(pauses.slice(0, 7)).toEqual([250, 500, 1_000, 2_000, 4_000, 8_000, 16_000])
    expect(pauses.slice(7).length).toBeGreaterThan(2)
    expect(new Set(pauses.slice(7))).toEqual(new Set([30_000]))
    await matchyard.stop()
  })

  it('stops within its bound beside a storage that does not answer any more', async () => {
    let isSilent = false
    const never = <T>(answer: () => Promise<T>) => (isSilent ? new Promise<T>(() => {}) : answer())
    const given = await service((storage) => ({
      jobs: {
        ...storage.jobs,
        agenda: (kinds, now) => never(() => storage.jobs.agenda(kinds, now)),
        releaseHeld: (holder) => never(() => storage.jobs.releaseHeld(holder)),
      },
    }))
    await given.matchyard.start()
    isSilent = true
    // This check never gets its answer.
    await live(given, 2_000)
    let stopped = false
    const stopping = given.matchyard.stop().then(() => {
      stopped = true
    })
    await live(given, 9_000)
    expect(stopped).toBe(false)
    await live(given, 4_000)
    expect(stopped).toBe(true)
    await stopping
  })
})
