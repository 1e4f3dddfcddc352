import type { Storage, UsageSum } from '@matchyard/core/ports'
import { emptyMemoryData, memoryStorage } from '@matchyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { describeFailure, type SimulationResult, shrink, simulate } from '../../src/simulation/index'

/** Returns a store whose handles have one fault. */
const worse = (spoil: (storage: Storage) => Partial<Storage>) => () => {
  const data = emptyMemoryData()
  return () => {
    const storage = memoryStorage({ data })
    return { ...storage, ...spoil(storage) }
  }
}

async function firstFailure(options: Omit<Parameters<typeof simulate>[0], 'seed'>, seeds = 60) {
  for (let seed = 1; seed <= seeds; seed++) {
    const { failure } = await simulate({ seed, shrinkTries: 60, ...options })
    if (failure !== undefined) return failure
  }
  return undefined
}

/** The first of a few seeds in whose runs all kinds of things happen, so that the test is short. */
const SEED_OF_MANY_THINGS = 48

describe('the simulator', () => {
  it('gives the same run for the same seed', async () => {
    const twice: SimulationResult[] = [await simulate({ seed: 7, nodes: 2 }), await simulate({ seed: 7, nodes: 2 })]
    expect(twice[1]).toEqual(twice[0])
  })

  it('makes things happen: matches, launches, crashes, refusals', { timeout: 300_000 }, async () => {
    const outcomes = new Map<string, number>()
    const needed = [
      'event lobby_matched',
      'event lobby_started',
      'event launch_failed',
      'event game_began',
      'event game_ended',
      'event server_attempt_failed',
      'event server_failed',
      'event server_stopped',
      'event delivery_attempted',
      'event webhook_disabled',
      'cancel ok',
      'enqueue PLAYER_IN_MATCH',
      'leave-match ok',
      'self ok',
      'entered again',
      'watch ok',
    ]
    const anyUnavailable = () => [...outcomes.keys()].some((name) => name.endsWith(' UNAVAILABLE'))
    const missing = () => [
      ...needed.filter((name) => (outcomes.get(name) ?? 0) === 0),
      ...(anyUnavailable() ? [] : ['UNAVAILABLE']),
    ]
    for (let seed = SEED_OF_MANY_THINGS; seed <= 120 && missing().length > 0; seed++) {
      const run = await simulate({ seed, steps: 120, nodes: 2, shrinkTries: 0 })
      for (const [name, times] of run.outcomes) outcomes.set(name, (outcomes.get(name) ?? 0) + times)
    }
    expect(missing()).toEqual([])
  })

  it('sees a storage that forgets to compare versions, and shrinks the run', async () => {
    const careless = worse((storage) => ({
      commit: (commit) => {
        const lobbies = commit.writes.filter((write) => write.kind === 'lobby' && write.expected !== 'absent')
        return storage.commit({
          ...commit,
          checks: [],
          writes: commit.writes.filter((write) => !lobbies.includes(write)),
        })
      },
    }))
    const failure = await firstFailure({ store: careless, faults: false })
    expect(failure).toBeDefined()
    expect(failure?.commands.length).toBeLessThan(15)
    expect(describeFailure(failure as NonNullable<typeof failure>)).toContain(`seed ${failure?.seed} broke `)
  })

  it('sees a storage that loses counters', async () => {
    const forgetful = worse((storage) => ({ commit: (commit) => storage.commit({ ...commit, counters: [] }) }))
    expect(await firstFailure({ store: forgetful, faults: false })).toMatchObject({ invariant: 'countersAreExact' })
  })

  it.each([
    ['loses what is metered', () => []],
    ['adds up what is metered twice', (usage: readonly UsageSum[]) => [...usage, ...usage]],
  ] as const)('sees a storage that %s', async (_, spoil) => {
    const wrong = worse((storage) => ({
      commit: (commit) => storage.commit({ ...commit, usage: spoil(commit.usage ?? []) }),
    }))
    const failure = await firstFailure({ store: wrong, faults: false, shrinkTries: 0 })
    expect(failure?.invariant).toBe('secondsAreMeteredOnce')
  })

  it('sees a storage that loses jobs: somebody is stuck', async () => {
    const lazy = worse((storage) => ({ commit: (commit) => storage.commit({ ...commit, jobs: [] }) }))
    const failure = await firstFailure({ store: lazy, faults: false, shrinkTries: 10 })
    expect(failure?.invariant).toMatch(/^no((Lobby|Server)IsStuck|SearchOutlivesItsMatch)$/)
  })

  it('sees an answer that is told before it is true', async () => {
    const hasty = worse((storage) => ({
      commit: async (commit) => {
        const cancels = commit.events.some(({ lobby }) => lobby.lastExit?.reason === 'cancelled' && lobby.version === 3)
        return cancels ? { ok: true } : storage.commit(commit)
      },
    }))
    expect(await firstFailure({ store: hasty, faults: false, shrinkTries: 10 })).toMatchObject({
      invariant: 'anAnswerIsItsCommit',
    })
  })
})

describe('shrinking', () => {
  it('finds the two of a hundred that matter', async () => {
    const items = Array.from({ length: 100 }, (_, index) => index)
    const fails = async (fewer: readonly number[]) => fewer.includes(17) && fewer.includes(80)
    expect(await shrink(items, fails, 500)).toEqual([17, 80])
  })

  it('stops asking after so many tries', async () => {
    let asked = 0
    await shrink([1, 2, 3, 4, 5, 6, 7, 8], async () => ++asked > 1_000, 5)
    expect(asked).toBe(5)
  })
})
