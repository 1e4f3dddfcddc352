import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

test('the readme has every option of createApp in its table, and no others', () => {
  const options = read('../src/options.ts').split('export interface AppOptions {')[1]?.split('\n}')[0] ?? ''
  const known = [...options.matchAll(/^ {2}readonly (\w+)\?:/gm)].map(([, name]) => name)
  const table = read('../README.md').split('The options of `createApp(matchyard, options)`')[1]?.split('\n## ')[0] ?? ''
  const cells = [...table.matchAll(/^\| (`[^|]+`) *\|/gm)].map(([, cell = '']) => cell)
  const named = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name))
  expect(named.length).toBeGreaterThan(20)
  expect(named.sort()).toEqual(known.sort())
})
