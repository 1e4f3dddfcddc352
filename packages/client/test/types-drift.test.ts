import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type Document, typesOf } from '../generate/types'

const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8')

describe('the types of the interface', () => {
  it('are what docs/openapi.json says', () => {
    const document = JSON.parse(read('../../../docs/openapi.json')) as Document
    const types = read('../src/api/types.ts')
    expect(types, 'src/api/types.ts is out of date: run `npm run generate`').toBe(typesOf(document))
  })
})
