import { expect, it } from 'vitest'
import { placeOf, type Rule } from '../src/page/rooms/queues/draft'
import { unrecorded } from '../src/page/rooms/queues/recorded'

const arrivals = (states: readonly { readonly [field: string]: unknown }[]) =>
  states.map((state) => ({ players: [{ state }] }))
const rules: readonly Rule[] = [
  { type: 'difference', field: 'mmr', max_difference: 10 },
  { type: 'region', min_overlap: 1 },
]

it('says which fields of rules were recorded of nobody, or of some alone', () => {
  expect(unrecorded(rules, arrivals([{ mmr: 1, regions: ['fra'] }]))).toEqual([])
  expect(unrecorded(rules, [])).toEqual([])
  const [nobody, ...others] = unrecorded(rules, arrivals([{ mmr: 1 }, { mmr: 2 }]))
  expect([nobody?.startsWith('regions was not recorded'), others]).toEqual([true, []])
  const [some] = unrecorded(rules, arrivals([{ mmr: 1, regions: [] }, { regions: [] }, { regions: [] }]))
  expect(some).toMatch(/^mmr was recorded for only 33 %/)
})

it('knows a place of the draft however a sentence spells it', () => {
  for (const path of ['matchmaking.rules[1].expansions[0].off', 'rules.1.expansions.0.off'])
    expect(placeOf(path)).toBe('rules.1.expansions.0.off')
})
