import { readFileSync, writeFileSync } from 'node:fs'
import { entryPoints, listOf } from './exports'
import { measure } from './measure'
import { TABLES } from './tables'
import { WALKS } from './walks'

/**
 * `npm run measure`: each walk step by step, with what it comes to. Writes the tables of docs/architecture.md and the list of what
 * the packages export anew.
 */
for (const walk of WALKS) {
  const { files, lines, steps, astray } = measure(walk)
  console.log(`${walk.name}: ${files} files, ${lines} lines (at most ${walk.atMost.files}, ${walk.atMost.lines})`)
  for (const { path, name, lines: own } of steps) console.log(`  ${String(own).padStart(4)}  ${path}#${name}`)
  for (const place of astray) console.log(`  astray: ${place}`)
}
const page = new URL('../architecture.md', import.meta.url)
let text = readFileSync(page, 'utf8')
for (const { marks, text: table } of TABLES) {
  const [before = '', rest = ''] = text.split(marks.from)
  const [, after = ''] = rest.split(marks.to)
  text = `${before}${marks.from}\n\n${table()}\n\n${marks.to}${after}`
}
writeFileSync(page, text)
writeFileSync(new URL('exports.txt', import.meta.url), listOf(entryPoints()))
