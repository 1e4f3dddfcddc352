import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(root, 'docs/limits.md'), 'utf8')

interface Row {
  readonly what: string
  readonly bound: string
  readonly past: string
  readonly proof: string
}

const cellsOf = (line: string): string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim())

const rows: Row[] = page
  .split('\n')
  .filter((line) => line.startsWith('|') && !/^\| (what is bounded \||-)/.test(line))
  .map((line) => {
    const [what = '', bound = '', past = '', proof = ''] = cellsOf(line)
    return { what, bound, past, proof }
  })

describe('docs/limits.md', () => {
  it('says for every row what is bounded, by how much, and what happens past it', () => {
    for (const row of rows)
      expect(
        Object.values(row).every((cell) => cell !== ''),
        row.what,
      ).toBe(true)
  })

  it.each(rows.map((row) => [row.what, row.proof] as const))(
    '%s: is proved by a test that there is',
    (_what, proof) => {
      const [file = '', words = ''] = proof.replaceAll('`', '').split(' › ')
      expect(existsSync(join(root, file)), file).toBe(true)
      expect(words).not.toBe('')
      expect(readFileSync(join(root, file), 'utf8')).toContain(words)
    },
  )
})
