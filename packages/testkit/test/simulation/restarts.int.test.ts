import { describe, expect, it } from 'vitest'
import { simulate } from '../../src/simulation/index'
import { keepInvariants, RESTARTS } from './worlds'

/** Worlds with many restarts of servers, some of which fail. */
keepInvariants(
  [
    {
      name: 'a node with a loop whose restarts may hang',
      nodes: 1,
      loop: true,
      faults: ['never-ready'],
      often: RESTARTS,
    },
    { name: 'a node that fails, of restarts', nodes: 1, faults: true, often: RESTARTS },
    { name: 'two nodes with loops that fail, of restarts', nodes: 2, loop: true, faults: true, often: RESTARTS },
  ],
  10,
)

describe('a world of restarts', () => {
  it('has restarts that come up, and crashes', { timeout: 300_000 }, async () => {
    const needed = [
      'event server_restarting',
      'event server_relaunched',
      'event server_up_again',
      'event server_crashed',
    ]
    const outcomes = new Set<string>()
    const missing = () => needed.filter((name) => !outcomes.has(name))
    for (let seed = 1; seed <= 60 && missing().length > 0; seed++) {
      const run = await simulate({ seed, nodes: 1, loop: true, often: RESTARTS, shrinkTries: 0 })
      for (const name of run.outcomes.keys()) outcomes.add(name)
    }
    expect(missing()).toEqual([])
  })
})
