import { cpus } from 'node:os'
import {
  adding,
  againstQueueRoom,
  fiveAgainstFive,
  memory,
  millionAgainstSort,
  narrowRule,
  type Row,
  seats,
  slices,
  stuckPool,
  wholeProposals,
} from './rows'

/** Prints every row of the speed table: `npm run bench -- matchmaking`, or with words to pick the rows whose name has one. */
const PARTS: Readonly<Record<string, () => Row | Row[]>> = {
  million: millionAgainstSort,
  queueroom: againstQueueRoom,
  stuck: stuckPool,
  narrow: narrowRule,
  seats,
  roles: fiveAgainstFive,
  proposals: wholeProposals,
  add: adding,
  memory,
  slices,
}

const wanted = process.argv.slice(2)
console.log(`Node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores\n`)
console.log('| work | ours | target | met | detail |\n|---|---|---|---|---|')
for (const [name, part] of Object.entries(PARTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  for (const { work, ratio, target, met, detail } of [part()].flat()) {
    console.log(`| ${work} | ${ratio} | ${target} | ${met ? 'yes' : 'NO'} | ${detail} |`)
  }
}
