import { readFileSync, writeFileSync } from 'node:fs'
import { entryPoints, listOf } from './exports'
import { sectionOf, TABLES, WALKS_TABLE } from './tables'
import { measureWalks } from './walks/walks'

/**
 * `npm run measure`: the files of each walk, with how many of their lines are its own. Writes the tables of docs/architecture.md and the
 * list of what the packages export anew.
 */
for (const { walk, own, ownFiles } of measureWalks()) {
  console.log(
    `${walk.name}: ${own.files} files, ${own.lines} lines (at most ${walk.atMost.files}, ${walk.atMost.lines})`,
  )
  for (const { path, lines } of ownFiles) console.log(`  ${String(lines.length).padStart(4)}  ${path}:${lines[0]}`)
}
const page = new URL('../architecture.md', import.meta.url)
let text = readFileSync(page, 'utf8')
for (const table of [WALKS_TABLE, ...TABLES]) {
  const [before = '', rest = ''] = text.split(table.marks.from)
  const [, after = ''] = rest.split(table.marks.to)
  text = `${before}${sectionOf(table)}${after}`
}
writeFileSync(page, text)
writeFileSync(new URL('exports.txt', import.meta.url), listOf(entryPoints()))
