import { expect, it } from 'vitest'
import type { Rule } from '../src/page/rooms/queues/draft'
import { ofType } from '../src/page/rooms/queues/rules'

const rule: Rule = { type: 'difference', field: 'elo', max_difference: 40, required: true }

it.each([
  ['team_difference', { type: 'team_difference', field: 'elo', max_difference: 40, required: true }],
  ['min', { type: 'min', field: 'elo', value: 0, required: true }],
  ['equals', { type: 'equals', field: 'mode', required: true }],
  ['region', { type: 'region', field: 'regions', min_overlap: 1, required: true }],
  ['avoid', { type: 'avoid', field: 'avoid', required: true }],
  ['recent_opponents', { type: 'recent_opponents', seconds: 600 }],
  ['latency', { type: 'latency', field: 'latency', max_ms: 100, required: true }],
] as const)('a rule that becomes one of %s keeps only what means the same there', (type, changed) => {
  expect(ofType(rule, type)).toEqual(changed)
})
