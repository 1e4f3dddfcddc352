import type { QueueTicket } from '@matchyard/core'
import { type Storage, waitCellsOf } from '@matchyard/core/ports'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ANSWER_MS, ANSWERS_MS, FEW_TICKETS, SAMPLED_BYTES, SAMPLED_TICKETS } from '../../src/director/crowd'
import { HourFigures } from '../../src/node/hour-figures'
import { type Service, service, settled } from './service'

/** Returns a service that counts the reads of tickets and matches; a test can replace their answers. */
async function watched(instead: (storage: Storage) => Partial<Storage['tickets']> = () => ({})) {
  const calls: string[] = []
  const counted = <T extends object>(port: T, names: readonly (keyof T & string)[]): T => {
    const wrapped = { ...port }
    for (const name of names) {
      const call = port[name] as (...args: unknown[]) => unknown
      wrapped[name] = ((...args: unknown[]) => {
        calls.push(name)
        return call(...args)
      }) as T[typeof name]
    }
    return wrapped
  }
  const given = await service((storage) => ({
    tickets: counted({ ...storage.tickets, ...instead(storage) }, ['changedSince', 'sample']),
    matches: counted(storage.matches, ['listRecent', 'waits']),
  }))
  const { matchyard, projectId } = given
  const rules = [{ type: 'difference' as const, field: 'mmr', maxDifference: 10 }]
  await matchyard.queues.create({ projectId, queueId: 'duel', name: 'Duel', matchmaking: { rules } })
  const times = (name: string) => calls.filter((call) => call === name).length
  return { ...given, calls, times }
}

async function queued({ matchyard, projectId }: Service, playerId: string, mmr: number): Promise<string> {
  const { id } = await matchyard.lobbies.create({ projectId, playerId, queueId: 'duel', state: { mmr } })
  await matchyard.lobbies.enqueue({ projectId, lobbyId: id, playerId })
  return id
}

const aTicket = (index: number, mmr: number): QueueTicket => ({
  id: `tic_${index}`,
  version: 1,
  projectId: 'prj',
  queueKey: 'prj/duel',
  lobbyId: `lob_${index}`,
  enteredAt: index,
  region: null,
  players: [{ playerId: `player_${index}`, state: { mmr } }],
})

/** Returns a storage with 100,000 waiting parties, of which `sample` returns some; every fourth is close in skill. */
const crowded = (storage: Storage): Partial<Storage['tickets']> => ({
  waiting: async (queueKey) =>
    (await storage.tickets.waiting(queueKey)).map((one) => ({ ...one, parties: 100_000, players: 100_000 })),
  sample: async (_, limit) => Array.from({ length: limit }, (_, index) => aTicket(index, index % 4 === 0 ? 0 : 500)),
})

describe('a queue of which many ask', () => {
  it('is looked at once a second, by however many it is asked', async () => {
    const given = await watched()
    const lobbyIds = await Promise.all(Array.from({ length: 20 }, (_, i) => queued(given, `player_${i}`, i * 100)))
    const { matchyard, projectId, clock, calls } = given
    const askAll = () =>
      Promise.all([
        ...lobbyIds.map((lobbyId) => matchyard.lobbies.explainMatchmaking({ projectId, lobbyId, backend: false })),
        ...lobbyIds.map(() => matchyard.queues.stats({ projectId, queueId: 'duel' })),
      ])
    calls.splice(0)
    await askAll()
    await askAll()
    // The waits of the last hour, and those of the last ten minutes.
    expect(calls.sort()).toEqual(['sample', 'waits', 'waits'])
    clock.advance(999)
    await askAll()
    expect(calls).toHaveLength(3)
    clock.advance(1)
    await askAll()
    expect(calls.sort()).toEqual(['sample', 'sample', 'waits', 'waits', 'waits', 'waits'])
  })

  it('is looked at again at once when it was changed', async () => {
    const given = await watched()
    const { matchyard, projectId } = given
    const lobbyId = await queued(given, 'ann', 0)
    await queued(given, 'bob', 50)
    const passing = async () =>
      (await matchyard.lobbies.explainMatchmaking({ projectId, lobbyId, backend: false })).rules.map(
        (rule) => rule.passing,
      )
    expect(await passing()).toEqual([0])
    const rules = [{ type: 'difference' as const, field: 'mmr', maxDifference: 60 }]
    await matchyard.queues.update({ projectId, queueId: 'duel', changes: { matchmaking: { rules } } })
    expect(await passing()).toEqual([1])
  })

  it('says who searches as it is now', async () => {
    const given = await watched()
    const { matchyard, projectId } = given
    const searching = async () => (await matchyard.queues.stats({ projectId, queueId: 'duel' })).playersSearching
    expect(await searching()).toBe(0)
    await queued(given, 'ann', 0)
    expect(await searching()).toBe(1)
  })

  it('explains without waiting for the tick of its director', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const given = await watched((storage) => ({
      changedSince: async (...args) => {
        await held
        return storage.tickets.changedSince(...args)
      },
    }))
    const { matchyard, projectId } = given
    const lobbyId = await queued(given, 'ann', 0)
    const tick = matchyard.matchmaking.runQueue(`${projectId}/duel`)
    await settled()
    expect((await matchyard.lobbies.explainMatchmaking({ projectId, lobbyId, backend: false })).sampled).toBe(0)
    release()
    await tick
  })
})

describe('a queue in which 100,000 wait', () => {
  it('is explained by a sample, scaled up to all', async () => {
    const given = await watched(crowded)
    const { matchyard, projectId } = given
    const lobbyId = await queued(given, 'ann', 0)
    const { rules, fittingAll, sampled } = await matchyard.lobbies.explainMatchmaking({
      projectId,
      lobbyId,
      backend: false,
    })
    expect(sampled).toBe(SAMPLED_TICKETS)
    expect(rules).toEqual([{ type: 'difference', field: 'mmr', passing: 25_000, failing: 74_999 }])
    expect(fittingAll).toBe(25_000)
  })

  it('asks the storage for no more than the sample, in number and bytes', async () => {
    const asked: unknown[] = []
    const given = await watched((storage) => ({
      sample: (...args) => {
        asked.push(args)
        return storage.tickets.sample(...args)
      },
    }))
    const { matchyard, projectId } = given
    const lobbyId = await queued(given, 'ann', 0)
    await matchyard.lobbies.explainMatchmaking({ projectId, lobbyId, backend: false })
    expect(asked).toEqual([[`${projectId}/duel`, SAMPLED_TICKETS + 1, SAMPLED_BYTES]])
    expect(given.times('changedSince')).toBe(0)
  })

  it('is explained by what was looked at when the time for one answer is over, and by a few when that for all is', async () => {
    // Every comparison takes a millisecond here.
    const slow = (storage: Storage): Partial<Storage['tickets']> => ({
      ...crowded(storage),
      sample: async (_, limit) =>
        Array.from({ length: limit }, (_, index) => ({
          ...aTicket(index, 0),
          players: [
            {
              playerId: `player_${index}`,
              get state() {
                given.clock.advance(1)
                return { mmr: 0 }
              },
            },
          ],
        })),
    })
    const given = await watched(slow)
    const { matchyard, projectId } = given
    const lobbyIds = await Promise.all(Array.from({ length: 30 }, (_, i) => queued(given, `player_${i}`, 0)))
    const sampled: number[] = []
    let spent = 0
    for (const lobbyId of lobbyIds) {
      const before = given.clock.now()
      sampled.push((await matchyard.lobbies.explainMatchmaking({ projectId, lobbyId, backend: false })).sampled)
      const took = given.clock.now() - before
      expect(took).toBeLessThanOrEqual(ANSWER_MS + 1)
      spent += took
    }
    expect(sampled[0]).toBeLessThanOrEqual(ANSWER_MS)
    expect(spent).toBeLessThanOrEqual(ANSWERS_MS + ANSWER_MS + 1)
    // Later answers compare more parties, because the parties are read only once. The last answers have used up the time and compare only a
    // few.
    expect(Math.max(...sampled)).toBeGreaterThan(FEW_TICKETS)
    expect(sampled.at(-1)).toBe(FEW_TICKETS)
  })
})

describe('the figures of an hour', () => {
  const figuresOf = (waits: readonly number[]): HourFigures =>
    new HourFigures(
      waits
        .flatMap((waitedMs) =>
          waitCellsOf({ waits: [{ lobbyId: 'lob', players: 1, waitedMs }], createdAt: 0, version: 1 } as never),
        )
        .map(({ slot: _, ...total }) => total)
        .reduce<Parameters<typeof merged>[0]>((sums, total) => merged(sums, total), []),
    )

  it('tell percentiles within a tenth of the true one, and within a second below one', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.nat({ max: 5_000 }), fc.nat({ max: 4_000_000 })), { minLength: 1, maxLength: 200 }),
        fc.constantFrom(0.5, 0.9, 0.99),
        (waits, share) => {
          const sorted = [...waits].sort((a, b) => a - b)
          const exact = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
          const told = (figuresOf(waits).waitSeconds(share) ?? Number.NaN) * 1_000
          expect(Math.abs(told - exact)).toBeLessThanOrEqual(Math.max(1_000, exact * 0.1))
        },
      ),
    )
  })

  it('are exact where waits are few or far apart', () => {
    expect(figuresOf([10_000, 10_400]).waitSeconds(0.5)).toBe(10)
    expect(figuresOf([10_000, 10_400]).waitSeconds(0.99)).toBe(10.4)
    expect(figuresOf([1_000, 20_000, 300_000]).waitSeconds(0.5)).toBe(20)
    expect(figuresOf([]).waitSeconds(0.5)).toBe(null)
  })

  it('take parties of one size where they are asked for', () => {
    const cells = (players: number, waitedMs: number) =>
      waitCellsOf({ waits: [{ lobbyId: 'lob', players, waitedMs }], createdAt: 0, version: 1 } as never)
    const hour = new HourFigures([...cells(1, 5_000), ...cells(2, 50_000).slice(1)])
    expect([hour.waitSeconds(0.5, 1), hour.waitSeconds(0.5, 2), hour.waitSeconds(0.5, 3)]).toEqual([5, 50, null])
    expect(hour.waitSeconds(0.99)).toBe(50)
  })
})

/** Merges sums as an adapter does: one sum per number of players and bucket. */
function merged(
  sums: readonly ConstructorParameters<typeof HourFigures>[0][number][],
  more: ConstructorParameters<typeof HourFigures>[0][number],
) {
  const at = sums.findIndex(({ players, bucket }) => players === more.players && bucket === more.bucket)
  const before = sums[at]
  if (before === undefined) return [...sums, more]
  const sum = {
    ...before,
    count: before.count + more.count,
    leastMs: Math.min(before.leastMs, more.leastMs),
    mostMs: Math.max(before.mostMs, more.mostMs),
  }
  return sums.with(at, sum)
}
