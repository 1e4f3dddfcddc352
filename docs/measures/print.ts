import { readFileSync, writeFileSync } from 'node:fs'
import { measure } from './measure'
import { MARKS, walksTable } from './table'
import { WALKS } from './walks'

/** `npm run measure:walks`: each walk step by step, with what it comes to; writes the table of docs/architecture.md anew. */
for (const walk of WALKS) {
  const { files, lines, steps, astray } = measure(walk)
  console.log(`${walk.name}: ${files} files, ${lines} lines (at most ${walk.atMost.files}, ${walk.atMost.lines})`)
  for (const { path, name, lines: own } of steps) console.log(`  ${String(own).padStart(4)}  ${path}#${name}`)
  for (const place of astray) console.log(`  astray: ${place}`)
}
const page = new URL('../architecture.md', import.meta.url)
const text = readFileSync(page, 'utf8')
const [before = '', rest = ''] = text.split(MARKS.from)
const [, after = ''] = rest.split(MARKS.to)
writeFileSync(page, `${before}${MARKS.from}\n\n${walksTable()}\n\n${MARKS.to}${after}`)
