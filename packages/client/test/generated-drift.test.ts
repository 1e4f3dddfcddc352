import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Document } from '../generate/document'
import { generatedFiles } from '../generate/files'

const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8')

describe('what is made of docs/openapi.json', () => {
  it.each(generatedFiles(JSON.parse(read('../../../docs/openapi.json')) as Document))(
    'is up to date: %s',
    (path, text) => {
      expect(read(`../src/${path}`), `src/${path} is out of date: run \`npm run generate\``).toBe(text)
    },
  )
})
