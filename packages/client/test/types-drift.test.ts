import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type Document, typesOf } from '../generate/types'

const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8')

describe('the types of the interface', () => {
  it('are what docs/openapi.json says (npm run generate in packages/client writes them anew)', () => {
    const document = JSON.parse(read('../../../docs/openapi.json')) as Document
    expect(read('../src/api/types.ts')).toBe(typesOf(document))
  })
})
