import type { Match } from '@matchyard/core'
import type { Commit, CommitResult, Entities, Storage, Write } from '@matchyard/core/ports'
import { emptyMemoryData, memoryStorage } from '@matchyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { type SimulationOptions, simulate } from '../../src/simulation/index'
import { RATINGS } from './worlds'

/** Returns the first violated invariant of ratings in the runs of some seeds. A spoiled read can also change what the feed shows. */
async function firstBroken(options: Partial<SimulationOptions>): Promise<string | undefined> {
  const world = { nodes: 2, steps: 160, often: RATINGS, rating: true, faults: false, shrinkTries: 0 }
  for (let seed = 1; seed <= 30; seed++) {
    const { failure } = await simulate({ ...world, ...options, seed })
    if (failure !== undefined && failure.invariant !== 'aFeedShowsTheAnswers') return failure.invariant
  }
  return undefined
}

/** Returns a store in memory that commits in another way. */
const store = (commit: (storage: Storage, change: Commit) => Promise<CommitResult>) => () => {
  const data = emptyMemoryData()
  return () => {
    const storage = memoryStorage({ data })
    return { ...storage, commit: (change: Commit) => commit(storage, change) }
  }
}

type Standing = Entities['standing']
type PutStanding = Write & { readonly kind: 'standing'; readonly put: Standing }

const isPutStanding = (write: Write): write is PutStanding => write.kind === 'standing' && 'put' in write

/** Returns the commit with other rows of matches. */
const withMatches = (change: Commit, worsen: (match: Match) => Match): Commit => ({
  ...change,
  writes: change.writes.map((write) =>
    write.kind === 'match' && 'put' in write ? { ...write, put: worsen(write.put) } : write,
  ),
})

const uncounted = ({ counted: _, ...match }: Match): Match => match

/** Applies a commit, and then changes the standings that it changed by the same again. */
async function twiceRated(storage: Storage, change: Commit): Promise<CommitResult> {
  const standings = change.writes.filter(isPutStanding).filter(({ expected }) => expected !== 'absent')
  const before = new Map<string, Standing | undefined>()
  for (const { id } of standings) before.set(id, await storage.get('standing', id))
  const result = await storage.commit(change)
  if (!result.ok || standings.length === 0) return result
  const writes = standings.map(({ id, put }): Write => {
    const mu = put.mu + (put.mu - (before.get(id)?.mu ?? put.mu))
    return { kind: 'standing', id, expected: put.version, put: { ...put, version: put.version + 1, mu } }
  })
  const again = { id: `${change.id}-again`, at: change.at, checks: [], writes, counters: [], events: [], jobs: [] }
  return storage.commit(again)
}

/** Returns a spoiled storage in which an amendment does not find how its match was counted, and thus counts it anew. */
const forgettingTheFirstCount: SimulationOptions['spoil'] = ({ storage }) => ({
  storage: {
    ...storage,
    get: async (kind, id) => {
      const row = await storage.get(kind, id)
      return kind === 'match' && row !== undefined ? (uncounted(row as Match) as typeof row) : row
    },
    commit: async (change) => {
      const counts = new Map<string, Match['counted']>()
      for (const { kind, id } of change.writes) {
        if (kind === 'match') counts.set(id, (await storage.get('match', id))?.counted)
      }
      return storage.commit(
        withMatches(change, (match) => {
          const counted = counts.get(match.id)
          return counted === undefined ? match : { ...match, counted }
        }),
      )
    },
  },
})

const withoutCounters = (prefix: string) =>
  store((storage, change) =>
    storage.commit({ ...change, counters: change.counters.filter(({ id }) => !id.startsWith(prefix)) }),
  )

describe('the simulator sees', { timeout: 300_000 }, () => {
  it('a store that does not keep how a match was counted', async () => {
    const broken = await firstBroken({
      store: store((storage, change) => storage.commit(withMatches(change, uncounted))),
    })
    // In a queue that has not always had the rating, the changed standing shows it.
    expect(['aRatedResultIsCounted', 'aStandingChangesByAResult']).toContain(broken)
  })

  it('a result that is applied twice', async () => {
    // Several results of one step are left to the sums.
    const broken = await firstBroken({ store: store(twiceRated) })
    expect(['aStandingChangesByAResult', 'aStandingIsTheSumOfItsMatches']).toContain(broken)
  })

  it('an amendment that ignores the first count', async () => {
    const broken = await firstBroken({ spoil: forgettingTheFirstCount })
    expect(['aStandingChangesByAResult', 'aStandingIsTheSumOfItsMatches']).toContain(broken)
  })

  it('a match that is counted anew when its result is amended', async () => {
    const spoil: SimulationOptions['spoil'] = (ports, around) => {
      const { storage } = forgettingTheFirstCount(ports, around)
      return { storage: { ...ports.storage, get: storage?.get ?? ports.storage.get } }
    }
    expect(await firstBroken({ spoil })).toBe('aMatchIsCountedOnce')
  })

  it('a store that loses the first standing of a player', async () => {
    const lost = (write: Write) => isPutStanding(write) && write.expected === 'absent' && write.put.playerId === 'ann'
    const spoilt = store((storage, change) =>
      storage.commit({ ...change, writes: change.writes.filter((write) => !lost(write)) }),
    )
    expect(await firstBroken({ store: spoilt })).toBe('aStandingIsTheSumOfItsMatches')
  })

  it.each([
    ['leaderboards', 'board:', 'leaderboardsHoldTheStandings'],
    ['the calibration', 'calibration:', 'calibrationIsTheSumOfResults'],
  ])('a store that forgets the counters of %s', async (_, prefix, invariant) => {
    expect(await firstBroken({ store: withoutCounters(prefix) })).toBe(invariant)
  })

  it('a node that tells another number of players of a leaderboard', async () => {
    const broken = await firstBroken({
      spoil: ({ storage }) => ({
        storage: {
          ...storage,
          counters: {
            ...storage.counters,
            read: async (id) => (await storage.counters.read(id)) + Number(id.startsWith('board:')),
          },
        },
      }),
    })
    expect(broken).toBe('ratingsAreAnswered')
  })
})
