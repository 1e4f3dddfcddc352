import { describe, expect, it } from 'vitest'
import { chaos } from '../../src/many-nodes/chaos/chaos'

const SECONDS = Number(process.env.MATCHYARD_CHAOS_SECONDS ?? 30)

describe('three nodes under load and attack', () => {
  it('lose nothing, match nobody twice, leave nothing stuck and no gap in a stream', {
    timeout: (SECONDS + 400) * 1_000,
  }, async () => {
    const { seed, violations, tally } = await chaos(SECONDS)
    console.log(`MATCHYARD_SEED=${seed}: ${tally}`)
    expect(violations).toEqual([])
    // An attack that did not take place proves nothing.
    for (const what of ['nodes killed', 'restarts of PostgreSQL 2', 'connections cut', 'streams resumed']) {
      expect(tally).toContain(what)
    }
  })
})
