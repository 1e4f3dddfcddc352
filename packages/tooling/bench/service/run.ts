import { cpus } from 'node:os'
import { HEADER, lineOf, ROUNDS, type Row, SECONDS } from './row'
import { browsing } from './rows/browse'
import { callsOnMemory, callsOnSqlite } from './rows/calls'
import { commitsOnSqlite } from './rows/commits'
import { inProcess } from './rows/in-process'
import { joinBesideColyseus } from './rows/join-beside-colyseus'
import { longQueue } from './rows/long-queue'
import { playersMatched } from './rows/players'
import { idleLobbies, starting } from './rows/start'
import { fanOut, idleStreams } from './rows/streams'
import { PLACE } from './served'

/**
 * `npm run bench -- service [word …]`: measures all targets for the speed of the whole service, both sides in one run
 * and in turn (needs a build). Words select the rows whose name contains one of them.
 */
const ROWS: Readonly<Record<string, () => Promise<Row[]>>> = {
  'calls-sqlite': callsOnSqlite,
  'calls-memory': callsOnMemory,
  'join-colyseus': joinBesideColyseus,
  players: playersMatched,
  commits: commitsOnSqlite,
  'in-process': inProcess,
  browse: browsing,
  streams: fanOut,
  'idle-streams': idleStreams,
  start: starting,
  'long-queue': longQueue,
  'idle-lobbies': idleLobbies,
}

const words = process.argv.slice(2)
const isWanted = (name: string) => words.length === 0 || words.some((word) => name.includes(word))
if (!Object.keys(ROWS).some(isWanted)) throw new Error(`no such row; there are ${Object.keys(ROWS).join(', ')}`)

console.log(`Node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores; ${PLACE};`)
console.log(`medians of ${ROUNDS}, ${SECONDS} s of each side in each\n\n${HEADER}`)
for (const [name, measure] of Object.entries(ROWS)) {
  if (!isWanted(name)) continue
  for (const row of await measure()) console.log(lineOf(row))
}
process.exit()
