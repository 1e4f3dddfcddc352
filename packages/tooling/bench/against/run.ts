import { startServer } from '@matchyard/storage-postgres/testing'
import { engineFigures } from './engine-rows'
import { serviceFigures } from './service-rows'
import { OWN_ROOT, otherSide, type Side } from './side'
import { compared, PAIRS, sentenceOf } from './statistics'

/**
 * `npm run bench -- against <commit> [words…]`: compares this checkout, built, with another commit, which is built in a
 * temporary folder. The path of a folder that is already built can replace the commit. Both sides do the same work in
 * turn, eleven times. The output is the median of new divided by old CPU time of the whole process, with its confidence
 * interval. Words select the parts: `engine`, `sqlite`, `postgres`.
 */
const [commit, ...words] = process.argv.slice(2)
if (commit === undefined) throw new Error('against which commit? npm run bench -- against <commit>')
const isWanted = (part: string) => words.length === 0 || words.includes(part)

const old = otherSide(commit)
const own: Side = { name: 'this checkout', root: OWN_ROOT }
console.log(`new divided by old (${old.name}), processor time, median of ${PAIRS} pairs and its interval of 98.8 %\n`)

type Figures = Readonly<Record<string, number>>

/** Measures both sides in turn. The side that goes first alternates, so that earlier work affects both equally. */
async function pairs(measure: (side: Side) => Promise<Figures>): Promise<void> {
  const ratios = new Map<string, number[]>()
  for (let pair = 0; pair < PAIRS; pair++) {
    const [first, second] = pair % 2 === 0 ? [old, own] : [own, old]
    const [a, b] = [await measure(first), await measure(second)]
    const [before, after] = first === old ? [a, b] : [b, a]
    for (const [row, seconds] of Object.entries(after)) {
      ratios.set(row, [...(ratios.get(row) ?? []), seconds / (before[row] ?? Number.NaN)])
    }
    process.stderr.write('.')
  }
  process.stderr.write('\n')
  for (const [row, all] of ratios) console.log(`${row.padEnd(52)} ${sentenceOf(compared(all))}`)
}

const named = (part: string, figures: Figures) =>
  Object.fromEntries(Object.entries(figures).map(([row, seconds]) => [`${part}: ${row}`, seconds]))
if (isWanted('engine')) await pairs(async (side) => named('engine', engineFigures(side)))
if (isWanted('sqlite')) await pairs(async (side) => named('sqlite', await serviceFigures(side, undefined)))
if (isWanted('postgres')) {
  await pairs(async (side) => {
    const server = await startServer(['synchronous_commit=off'])
    try {
      return named('postgres', await serviceFigures(side, server.url))
    } finally {
      await server.stop()
    }
  })
}
process.exit()
