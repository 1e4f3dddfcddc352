import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { FAULTS, INVARIANTS, SETTLED_INVARIANTS } from '../../src/simulation/index'

const guide = readFileSync(new URL('../../../../docs/testing.md', import.meta.url), 'utf8')
const named = [...guide.matchAll(/^\| `([\w-]+)`/gm)].map((row) => row[1])

it.each([
  ['invariant', [...Object.keys(INVARIANTS), ...Object.keys(SETTLED_INVARIANTS)]],
  ['fault', Object.keys(FAULTS)],
])('the guide has a row for every %s', (_, names) => {
  expect(names.length).toBeGreaterThan(3)
  expect(names.filter((name) => !named.includes(name))).toEqual([])
})
