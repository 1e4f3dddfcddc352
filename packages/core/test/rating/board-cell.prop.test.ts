import fc from 'fast-check'
import { expect, it } from 'vitest'
import { boardPlace } from '../../src/rating/board'
import { beginOfCell, boardCell } from '../../src/rating/board-cell'

const rating = fc.record({
  initial: fc.record({
    mu: fc.double({ min: -10_000, max: 10_000, noNaN: true }),
    sigma: fc.double({ min: 0.001, max: 10_000, noNaN: true }),
  }),
})
const steps = fc.oneof(fc.integer({ min: -600, max: 600 }), fc.double({ min: -20, max: 20, noNaN: true }))

it('places are after the begin of their cell, and before the begin of the next one', () => {
  fc.assert(
    fc.property(rating, steps, fc.boolean(), ({ initial }, step, isAtEnd) => {
      // Half of the skills are at an end of a cell, whose width is a power of two.
      const width = 2 ** (Math.floor(Math.log2(initial.sigma)) - 5)
      const ordinal = isAtEnd ? Math.round(initial.mu / width + step) * width : initial.mu + step * initial.sigma
      const skill = { mu: ordinal, sigma: 0 }
      const place = boardPlace({ ...skill, playerId: 'ann' })
      const cell = boardCell({ initial }, skill)
      expect(place > beginOfCell({ initial }, cell)).toBe(true)
      if (cell < 511) expect(place < beginOfCell({ initial }, cell + 1)).toBe(true)
    }),
    { numRuns: 500, examples: [[{ initial: { mu: -5e-324, sigma: 64 } }, 0, false]] },
  )
})
