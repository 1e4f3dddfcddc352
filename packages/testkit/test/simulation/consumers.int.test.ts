import type { Commit, Storage } from '@matchyard/core/ports'
import { expect, it } from 'vitest'
import { type SimulationOptions, simulate } from '../../src/simulation/index'
import { keepInvariants, RESULTS } from './worlds'

const CONSUMING = { nodes: 2, steps: 100, consumers: true, often: RESULTS } as const

/** Worlds in which a consumer keeps a table of the matches, on nodes that crash. */
keepInvariants(
  [
    { name: 'a consumer, two nodes that fail', ...CONSUMING },
    { name: 'a consumer, two nodes that fail, with loops', ...CONSUMING, loop: true },
  ],
  6,
)

/** Runs seeds with a storage whose commits are changed. Returns the first violated invariant. */
async function brokenBy(spoiled: (commit: Commit) => Commit, options: Partial<SimulationOptions> = {}) {
  const spoil: SimulationOptions['spoil'] = ({ storage }) => ({
    storage: { ...storage, commit: (commit) => storage.commit(spoiled(commit)) } satisfies Storage,
  })
  for (let seed = 1; seed <= 10; seed++) {
    const { failure } = await simulate({ seed, ...CONSUMING, faults: false, shrinkTries: 0, spoil, ...options })
    if (failure !== undefined) return failure.invariant
  }
  return undefined
}

it('finds a storage that loses messages of a consumer', async () => {
  const loses = (commit: Commit) => ({
    ...commit,
    writes: commit.writes.filter((write) => write.kind !== 'backlog' || !('put' in write)),
  })
  expect(await brokenBy(loses)).toBe('aConsumerMissesNothing')
}, 300_000)

it('finds messages of one match in the wrong order', async () => {
  const reversed = (commit: Commit) => ({
    ...commit,
    writes: commit.writes.map((write) =>
      write.kind === 'backlog' && 'put' in write
        ? { ...write, put: { ...write.put, messages: [...write.put.messages].reverse() } }
        : write,
    ),
  })
  expect(await brokenBy(reversed)).toBe('aConsumerMissesNothing')
}, 300_000)
