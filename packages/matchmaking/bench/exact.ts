import { availableParallelism, cpus, loadavg } from 'node:os'
import { POOL_NOW, type SmallPool, smallPools } from '@matchyard/testkit/matchmaking'
import fc from 'fast-check'
import { filled } from './measure'

/**
 * Measures the worst cost of an exact tick of a small pool. It generates pools of twelve tickets. For each it makes a second pool in which
 * all tickets agree in everything but their ratings, so that every set of tickets must be examined. `npm run bench -- exact`, optionally
 * with the number of pools and a seed after `--`.
 */
const POOLS = Number(process.argv[2] ?? 2_000)
const SEED = Number(process.argv[3] ?? 1)
const TICKETS = 12
/** The measure is processor time. Each slice counts with its shortest time over the runs, to exclude other work of the machine. */
const RUNS = 5
const TOTAL_MS = 20
const SLICE_MS = 8

const agreeing = ({ config, tickets }: SmallPool): SmallPool => {
  const common = tickets[0]?.players[0]?.state
  const state = (mmr: unknown) => ({ ...common, clan: undefined, role: undefined, roles: undefined, mmr })
  const players = (ticket: SmallPool['tickets'][0]) =>
    ticket.players.map((player, seat) => ({ playerId: `${ticket.id}.${seat}`, state: state(player.state.mmr) }))
  return { config, tickets: tickets.map((ticket) => ({ ...ticket, players: players(ticket) })) }
}

/** Returns the milliseconds of each slice of one tick. */
const slicesOf = ({ config, tickets }: SmallPool): number[] => {
  const steps = filled(config, tickets).tickSliced(POOL_NOW)
  const took: number[] = []
  for (let start = process.cpuUsage(); ; start = process.cpuUsage()) {
    const done = steps.next().done
    const { user, system } = process.cpuUsage(start)
    took.push((user + system) / 1000)
    if (done) return took
  }
}

const measured = (pool: SmallPool) => {
  const runs = Array.from({ length: RUNS }, () => slicesOf(pool))
  const least = (runs[0] ?? []).map((_, slice) => Math.min(...runs.map((run) => run[slice] ?? 0)))
  return { pool, slice: Math.max(...least), total: least.reduce((sum, ms) => sum + ms, 0) }
}

const shapeOf = ({ config, tickets }: SmallPool): string => {
  const { rules = [], teamComposition, teams = 2, playersPerTeam = 1, minTeams, minPlayersPerTeam } = config
  const short = minTeams !== undefined || minPlayersPerTeam !== undefined
  const shape = teamComposition
    ? JSON.stringify(teamComposition)
    : `${teams} x ${playersPerTeam}${short ? ', short' : ''}`
  const parties = tickets.map(({ players }) => players.length).join('')
  return `${shape}; rules ${rules.map(({ type }) => type).join(', ') || 'none'}; parties ${parties}`
}

const pools = fc.sample(smallPools(TICKETS), { numRuns: POOLS, seed: SEED })
const rows = pools.flatMap((pool) => [measured(pool), measured(agreeing(pool))])
const at = (share: number, times: readonly number[]): string =>
  `${([...times].sort((a, b) => a - b)[Math.floor(share * (times.length - 1))] as number).toFixed(2)} ms`

console.log(
  `Node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}, load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`,
)
console.log(`${rows.length} pools of ${TICKETS} tickets, seed ${SEED}\n`)
console.log(
  '| exact tick of a small pool | median | p99 | worst | target | met | the worst pool |\n|---|---|---|---|---|---|---|',
)
for (const [name, of, target] of [
  ['in all', 'total', TOTAL_MS],
  ['longest slice', 'slice', SLICE_MS],
] as const) {
  const times = rows.map((row) => row[of])
  const worst = rows.reduce((most, row) => (row[of] > most[of] ? row : most))
  console.log(
    `| ${name} | ${at(0.5, times)} | ${at(0.99, times)} | ${at(1, times)} | ≤ ${target} ms | ${worst[of] <= target ? 'yes' : 'NO'} | ${shapeOf(worst.pool)} |`,
  )
}
