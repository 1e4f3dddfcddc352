import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { statesPage } from '../../scripts/states-page'

it('docs/states.md is as the state tables are', () => {
  const page = readFileSync(new URL('../../../../docs/states.md', import.meta.url), 'utf8')
  expect(page, 'docs/states.md is out of date: run `npm run generate`').toBe(statesPage())
})
