import { cpus } from 'node:os'
import {
  adding,
  againstQueueRoom,
  avoidLists,
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

/** The parts of the speed table, by name. `npm run bench -- matchmaking` prints all of them; names after it select parts. */
const PARTS: Readonly<Record<string, () => Row | Row[]>> = {
  million: millionAgainstSort,
  queueroom: againstQueueRoom,
  stuck: stuckPool,
  narrow: narrowRule,
  seats,
  roles: fiveAgainstFive,
  proposals: wholeProposals,
  add: adding,
  avoid: avoidLists,
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
