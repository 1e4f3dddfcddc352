import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { namesSection } from '../src/names-table'

it('docs/embedding.md has the names that differ between the library and HTTP', () => {
  const page = readFileSync(new URL('../../../docs/embedding.md', import.meta.url), 'utf8')
  expect(page, 'docs/embedding.md is out of date: run `npm run generate`').toContain(namesSection())
})
