import { describe, expect, it } from 'vitest'
import { describeFailure, type SimulationOptions, simulate } from '../../src/simulation/index'

/** Runs a number of seeds, each to its end. */
async function runs(options: Omit<SimulationOptions, 'seed'>, seeds: number) {
  const broken: string[] = []
  let stayed = 0
  for (let seed = 1; seed <= seeds; seed++) {
    const { failure, outcomes } = await simulate({ seed, steps: 60, loop: true, shrinkTries: 0, ...options })
    stayed += outcomes.get('a reader stayed') ?? 0
    if (failure !== undefined) broken.push(describeFailure(failure))
  }
  return { broken, stayed }
}

describe('whoever has a stream open is there, when queues become strict and lobbies move', { timeout: 300_000 }, () => {
  it('on three nodes', async () => {
    const { broken, stayed } = await runs({ nodes: 3, faults: false }, 10)
    expect(broken).toEqual([])
    expect(stayed).toBeGreaterThan(5)
  })

  it('and the simulator sees it where streams report no sooner than when they were opened', async () => {
    // Changes of queues are hidden: every read returns the first version of the queue.
    const { broken } = await runs(
      {
        faults: false,
        spoil: ({ storage }) => {
          const known = new Map<string, unknown>()
          const getMany = async (kind: never, ids: readonly string[]) => {
            const now = (await storage.getMany(kind, ids)) as { id: string }[]
            if (kind !== 'queue') return now
            for (const one of now) if (!known.has(one.id)) known.set(one.id, one)
            return now.map((one) => known.get(one.id))
          }
          return { storage: { ...storage, getMany: getMany as typeof storage.getMany } }
        },
      },
      10,
    )
    expect(broken.join()).toContain('whoReadsIsThere')
  })
})
