import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { killProcessesOf } from '../../src/game-processes'
import { seeded } from '../../src/rounds'
import { HarmWorld } from '../harm/world'
import { databaseMb, Probe, processorSeconds, type Sample } from './figures'
import { givingBack } from './give-back'
import { Load } from './load'
import { poll, sendRubbish, turnKeys } from './parts/callers'
import { playLobbies } from './parts/lobbies'
import { playDuels, playGames } from './parts/matches'
import { playStrangers } from './parts/strangers'
import { playStreams } from './parts/streams'
import { uploadBuilds, uploadRubbish } from './parts/uploads'
import { judge } from './verdict'
import { fillCaches, furnish } from './warm-up'

/**
 * `npm run prove -- soak [minutes]`: runs a real `matchyard dev` under all parts of the load at once, 30 minutes by
 * default, at a constant rate. A sample is taken each minute after a garbage collection, and at rest before and after
 * the load. verdict.ts has the conditions.
 */
const MINUTES = Number(process.argv[2] ?? 30)
if (!(MINUTES >= 1)) throw new Error('for how many minutes? npm run prove -- soak <minutes>')
/** Names of the only parts of the load to run, to find the part that causes a problem. */
const ONLY = process.env.MATCHYARD_SOAK_PARTS?.split(',')
const MINUTE_MS = 60_000
/** Time for work in progress to end: stops of game servers, streams, kept connections. */
const REST_MS = 20_000

/**
 * Settings that keep caches small, because growing caches would hide a leak. A page cache of normal size fills for
 * hours, glibc gives short-lived threads heaps of their own, and it returns little of the freed memory (see
 * `givingBack`).
 */
const LEAN = {
  DATABASE_CACHE_MB: '8',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
}

const { seed, next } = seeded()
const scratch = mkdtempSync(join(tmpdir(), 'matchyard-soak-'))
const probe = new Probe(join(scratch, 'probe.json'))
const world = await HarmWorld.start({ env: { ...probe.environment, ...LEAN, ...givingBack(scratch) } })
const load = new Load(world, next)
console.log(`a soak of ${MINUTES} minutes with MATCHYARD_SEED=${seed}`)

/** All parts of the load; they run at the same time. */
const PARTS: Readonly<Record<string, () => Promise<void>[]>> = {
  lobbies: () => ['ada', 'bea', 'cid', 'dot'].map((name) => playLobbies(load, name)),
  duels: () => ['eli', 'fay', 'gus', 'hal', 'ida', 'joe'].map((name) => playDuels(load, name)),
  games: () => ['kim', 'leo'].map((name) => playGames(load, name)),
  streams: () => [playStreams(load)],
  uploads: () => [uploadBuilds(load), uploadRubbish(load)],
  rubbish: () => [sendRubbish(load)],
  polls: () => [poll(load)],
  keys: () => [turnKeys(load)],
  strangers: () => playStrangers(load),
}

try {
  await furnish(load)
  await fillCaches(load)
  await wait(REST_MS)
  const before = await probe.sample(world)
  const minutes = await soak()
  load.close()
  await wait(REST_MS)
  const after = await probe.sample(world)
  row('at rest', after, { share: 0, calls: 0, livez: 0 })
  console.log(load.tally)
  const broken = judge({ before, after, minutes, astonishing: load.astonishing })
  for (const line of broken) console.log(`BROKEN: ${line}`)
  if (broken.length === 0) console.log('nothing grows')
  process.exitCode = broken.length === 0 ? 0 : 1
} finally {
  load.going = false
  await endGames()
  await world.stop()
  await rm(scratch, { recursive: true, force: true })
}
process.exit()

/** Runs the load and takes a sample at the end of each minute. */
async function soak(): Promise<Sample[]> {
  const wanted = Object.entries(PARTS).filter(([name]) => ONLY === undefined || ONLY.includes(name))
  const loading = Promise.all(wanted.flatMap(([, play]) => play()))
  loading.catch((error: unknown) => load.astonished(String(error)))
  console.log(
    'minute   heap MB  taken MB  external MB  RSS MB  own MB  malloc MB  handles  listeners  resources  database MB  processor  calls/s  /livez max ms',
  )
  const samples: Sample[] = []
  for (let minute = 1; minute <= MINUTES; minute++) {
    const [calls, used, startedAt] = [load.calls, processorSeconds(world), performance.now()]
    const livez = await slowestLivez(startedAt + MINUTE_MS)
    const seconds = (performance.now() - startedAt) / 1_000
    const figures = {
      share: (processorSeconds(world) - used) / seconds,
      calls: (load.calls - calls) / seconds,
      livez,
    }
    const sample = await probe.sample(world)
    samples.push(sample)
    row(String(minute), sample, figures)
  }
  load.going = false
  await loading
  return samples
}

function row(
  name: string,
  sample: Sample,
  { share, calls, livez }: { share: number; calls: number; livez: number },
): void {
  const resources = Object.values(sample.resources).reduce((sum, count) => sum + count, 0)
  const cells = [
    name.padEnd(7),
    sample.heapMb.toFixed(1).padStart(8),
    sample.heapTakenMb.toFixed(1).padStart(9),
    sample.externalMb.toFixed(1).padStart(12),
    sample.rssMb.toFixed(1).padStart(7),
    sample.ownMb.toFixed(1).padStart(7),
    sample.mallocMb.toFixed(1).padStart(10),
    String(sample.handles).padStart(8),
    String(sample.listeners).padStart(10),
    String(resources).padStart(10),
    databaseMb(world.directory).toFixed(0).padStart(12),
    `${(share * 100).toFixed(0)} %`.padStart(10),
    calls.toFixed(0).padStart(8),
    livez.toFixed(0).padStart(14),
  ]
  console.log(cells.join(' '))
}

async function slowestLivez(until: number): Promise<number> {
  let slowest = 0
  while (performance.now() < until) {
    const askedAt = performance.now()
    await fetch(`${world.baseUrl}/livez`)
      .then((answer) => answer.arrayBuffer())
      .catch((error: unknown) => load.astonished(`/livez: ${String(error)}`))
    slowest = Math.max(slowest, performance.now() - askedAt)
    await wait(100)
  }
  return slowest
}

/** Stops all game servers: they would outlive the service. */
async function endGames(): Promise<void> {
  const { body } = await load.backend<{ data: readonly { instance_id: string }[] }>({
    method: 'GET',
    path: '/v1/servers?limit=100',
  })
  for (const { instance_id } of body.data ?? []) killProcessesOf(instance_id)
}
