import { describe, expect, it } from 'vitest'
import { DEFAULT_POPULATION, fieldsFor } from '../src/page/rooms/queues/population'

describe('the fields of generated players', () => {
  it('are those of all rules, with the distributions that the user chose for numbers', () => {
    const rules = [
      { type: 'difference', field: 'mmr', max_difference: 10 },
      { type: 'difference', field: 'rank', max_difference: 10 },
      { type: 'equals', field: 'mode' },
    ] as const
    const chosen = {
      ...DEFAULT_POPULATION,
      numbers: { mmr: { mean: 100, deviation: 5 }, mode: { mean: 1, deviation: 1 } },
    }
    expect(fieldsFor(rules, chosen)).toEqual({
      mmr: { normal: { mean: 100, deviation: 5 }, min: 0 },
      rank: { normal: { mean: 1_500, deviation: 300 }, min: 0 },
      mode: { choice: { a: 3, b: 2, c: 1 } },
    })
  })
})
