import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { createPool, MatchmakingConfig, Pool, Ticket } from '../src/index'
import { allRules, difference, NOW, parties, roles, singles } from './pools'

/**
 * `engine-work.ts <root>`: measures the engine of a built checkout on the pools of `npm run bench -- matchmaking`. Prints JSON: seconds of
 * processor time of all threads, by row. Only the engine's own work is measured, without the making of the tickets and the work of its
 * peers.
 */
const [root = ''] = process.argv.slice(2)

/** Possible paths of the engine: it was part of core before it became a package of its own. */
const PLACES = ['packages/matchmaking/dist/index.js', 'packages/core/dist/index.js']
const place = PLACES.map((path) => join(root, path)).find((path) => existsSync(path))
if (place === undefined) throw new Error(`${root} is not built: it has none of ${PLACES.join(', ')}`)
const engine = (await import(place)) as { readonly createPool: typeof createPool }

const filled = (config: MatchmakingConfig, tickets: readonly Ticket[]): Pool => {
  const pool = engine.createPool(config)
  for (const ticket of tickets) pool.add(ticket)
  return pool
}

/** Prepares one run; only the returned function is measured. */
type Prepare = (share: number) => () => unknown

interface Work {
  readonly row: string
  readonly prepare: Prepare
  readonly runs: number
}

/** Warm-up runs on a tenth of a row's tickets, so that the measured code is compiled. */
const WARM_UPS = 4
const TENTH = 0.1

function* works(): Generator<Work> {
  const million = singles({ count: 1_000_000, versions: 20 })
  const ids = (pool: Pool) => pool.tickIds(NOW)
  yield { row: '1v1, 1,000,000 tickets, ids', prepare: tick(allRules(100), million, ids), runs: 2 }
  const quarter = million.slice(0, 250_000)
  yield { row: '1v1, 250,000 tickets, whole', prepare: tick(allRules(100), quarter, (pool) => pool.tick(NOW)), runs: 2 }
  yield { row: 'add 250,000 tickets', prepare: (share) => () => filled(allRules(100), part(quarter, share)), runs: 2 }
  const bucket = singles({ count: 250_000, versions: 1 })
  const sliced = (pool: Pool) => [...pool.tickSliced(NOW)].length
  yield { row: 'one bucket of 250,000, in slices', prepare: tick(allRules(100), bucket, sliced), runs: 2 }
  const hundred = million.slice(0, 100_000)
  yield { row: '1v1, 100,000 tickets, difference only', prepare: tick(difference(100), hundred, ids), runs: 12 }
  yield { row: '1v1, 100,000 tickets, narrow rule', prepare: tick(allRules(5), hundred, ids), runs: 5 }
  const stuck = singles({ count: 100_000, versions: 100_000 })
  yield { row: 'stuck pool of 100,000, a full tick', prepare: tick(allRules(100), stuck, ids), runs: 10 }
  yield { row: 'stuck pool, 100 ticks after 20 arrivals each', prepare: afterArrivals(stuck), runs: 3 }
  const teams = parties(50_000)
  yield { row: '5v5, 50,000 players in parties, roles', prepare: tick(roles, teams, (pool) => pool.tick(NOW)), runs: 3 }
}

const part = (tickets: readonly Ticket[], share: number) => tickets.slice(0, tickets.length * share)

function tick(config: MatchmakingConfig, tickets: readonly Ticket[], work: (pool: Pool) => unknown): Prepare {
  return (share) => {
    const pool = filled(config, part(tickets, share))
    return () => work(pool)
  }
}

function afterArrivals(stuck: readonly Ticket[]): Prepare {
  const rounds = Array.from({ length: 100 }, (_, round) =>
    singles({ count: 20, versions: 100_000, seed: 99 + round, idFrom: 100_000 + round * 20 }),
  )
  return (share) => {
    const pool = filled(allRules(100), part(stuck, share))
    pool.tickIds(NOW)
    return () => {
      for (const arrivals of rounds) {
        for (const ticket of arrivals) pool.add(ticket)
        pool.tickIds(NOW)
      }
    }
  }
}

function secondsOf({ prepare, runs }: Work): number {
  for (let run = 0; run < WARM_UPS; run++) prepare(TENTH)()
  let micros = 0
  for (let run = 0; run < runs; run++) {
    const timed = prepare(1)
    globalThis.gc?.()
    const before = process.cpuUsage()
    timed()
    const { user, system } = process.cpuUsage(before)
    micros += user + system
  }
  return micros / 1e6
}

const figures: Record<string, number> = {}
for (const work of works()) figures[work.row] = secondsOf(work)
console.log(JSON.stringify(figures))
