import { expect, test } from 'vitest'
import { MAX_ROWS_PER_RULE, RowBudget } from '../src/service/row-budget'

test('rows of one rule have a bound over all owners, and are free again when their windows are over', () => {
  const budget = new RowBudget(1_000)
  const take = (now: number) => {
    let taken = 0
    for (let i = 0; i < 2 * MAX_ROWS_PER_RULE; i++) if (budget.takes(`prj_${i % 100}`, `player ${i}`, now)) taken++
    return taken
  }
  expect(take(0)).toBe(MAX_ROWS_PER_RULE)
  expect(take(999)).toBe(MAX_ROWS_PER_RULE)
  expect(budget.takes('prj_new', 'ann', 999)).toBe(false)
  expect(budget.takes('prj_new', 'ann', 1_000)).toBe(true)
})
