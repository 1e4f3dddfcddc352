import type { Storage } from '@matchyard/core/ports'
import { describe, expect, it } from 'vitest'
import { type SimulatedPorts, type SimulationOptions, simulate } from '../../src/simulation/index'

const OPTIONS: Omit<SimulationOptions, 'seed'> = { steps: 100, shrinkTries: 0 }

/** Returns the first violated invariant in the runs of some seeds. `from` is a seed that is known to find it soon. */
async function firstBroken(options: Omit<SimulationOptions, 'seed'>, from: number): Promise<string | undefined> {
  for (let seed = from; seed <= from + 60; seed++) {
    const { failure } = await simulate({ seed, ...OPTIONS, ...options })
    if (failure !== undefined) return failure.invariant
  }
  return undefined
}

const spoilt = (worsen: (storage: Storage) => Partial<Storage>) => ({
  faults: false,
  spoil: ({ storage }: SimulatedPorts) => ({ storage: { ...storage, ...worsen(storage) } }),
})

describe('trusted fields in the simulator', { timeout: 300_000 }, () => {
  it('are written by backends and by tokens, and refused from clients that claim them and from bad tokens', async () => {
    const outcomes = new Map<string, number>()
    const refused = ['PLAYER_STATE_FORBIDDEN', 'INVALID_PLAYER_TOKEN'].map((code) => `a client is refused ${code}`)
    const missing = () => refused.filter((name) => (outcomes.get(name) ?? 0) < 2)
    for (let seed = 1; seed <= 20 && missing().length > 0; seed++) {
      const run = await simulate({ seed, ...OPTIONS })
      for (const [name, times] of run.outcomes) outcomes.set(name, (outcomes.get(name) ?? 0) + times)
    }
    expect(missing()).toEqual([])
  })

  it.each([
    [
      'a queue that is read without what it trusts',
      1,
      'aTrustedValueIsProven',
      spoilt((storage) => ({
        get: (async (kind: never, id: string) => {
          const found = await storage.get(kind, id)
          return kind === 'queue' && found !== undefined ? { ...(found as object), trustedFields: null } : found
        }) as Storage['get'],
      })),
    ],
    [
      'signatures that are never looked at',
      9,
      'aTrustedValueIsProven',
      {
        faults: false,
        spoil: ({ playerTokens }: SimulatedPorts) => ({
          playerTokens: { read: (token: string) => playerTokens.read(token), verify: async () => true },
        }),
      },
    ],
    [
      'a queue that comes to trust a field while a client writes it',
      29,
      'aTrustedValueIsProven',
      {
        ...spoilt((storage) => ({
          commit: (change) =>
            storage.commit({ ...change, checks: change.checks.filter(({ kind }) => kind !== 'queue') }),
        })),
        nodes: 2,
      },
    ],
    [
      'values from before a queue trusted them, which nobody drops',
      78,
      'noUnprovenValueIsLeft',
      spoilt((storage) => ({
        commit: (change) =>
          storage.commit({ ...change, jobs: change.jobs.filter(({ kind }) => kind !== 'settle-states') }),
      })),
    ],
  ])('see %s', async (_, from, invariant, options) => {
    expect(await firstBroken(options, from)).toBe(invariant)
  })
})
