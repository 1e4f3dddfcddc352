import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { statesPage } from '../../scripts/states-page'

it('docs/states.md is as the state tables are; `npm run docs:generate` writes it anew', () => {
  expect(readFileSync(new URL('../../../../docs/states.md', import.meta.url), 'utf8')).toBe(statesPage())
})
