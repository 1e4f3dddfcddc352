import { expect, it } from 'vitest'
import { type CommandKind, type SimulatedPorts, type SimulationOptions, simulate } from '../../src/simulation/index'

const OFTEN: readonly CommandKind[] = ['ban-player', 'create', 'enqueue', 'join', 'quick-join', 'start', 'run-queue']
const OPTIONS: Omit<SimulationOptions, 'seed'> = { steps: 100, shrinkTries: 0, faults: false, nodes: 2, often: OFTEN }

/** Commits that do not check the version of the project: a ban that is set meanwhile does not stop them. */
const unchecked = ({ storage }: SimulatedPorts): Partial<SimulatedPorts> => ({
  storage: {
    ...storage,
    commit: (change) => storage.commit({ ...change, checks: change.checks.filter(({ kind }) => kind !== 'project') }),
  },
})

it('a commit that does not look at the bans when it is applied lets a banned player in, and is seen', async () => {
  const seen = new Set<string>()
  for (let seed = 1; seed <= 40 && !seen.has('nobodyBannedEnters'); seed++) {
    const { failure } = await simulate({ seed, ...OPTIONS, spoil: unchecked })
    if (failure !== undefined) seen.add(failure.invariant)
  }
  expect([...seen]).toContain('nobodyBannedEnters')
}, 300_000)

it('bans are set, lifted and kept to where players crowd at every door', async () => {
  let refused = 0
  for (let seed = 1; seed <= 10; seed++) {
    const run = await simulate({ seed, ...OPTIONS })
    expect(run.failure?.message).toBeUndefined()
    for (const [name, times] of run.outcomes) if (name.includes('PLAYER_BANNED')) refused += times
  }
  expect(refused).toBeGreaterThan(10)
}, 300_000)
