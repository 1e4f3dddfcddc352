import { createPool, Explainer, type Explanation, type MatchmakingConfig, type Ticket } from '../src/index'
import { time } from './measure'
import { NOW, singles } from './pools'

const WAITING = 100_000
/** Number of tickets that the service compares for an explanation, and the milliseconds that it allows. */
const SAMPLED_TICKETS = 256
const ANSWER_MS = 4

/** The largest ticket that may wait: a party of 100 players with long lists, under as many rules as a queue may have. */
const heavy = (index: number): Ticket => ({
  id: `heavy_${index}`,
  enteredAt: index,
  players: Array.from({ length: 100 }, (_, seat) => ({
    playerId: `player_${index}_${seat}`,
    state: { mmr: seat, maps: Array.from({ length: 120 }, (_, map) => `map ${map + index}`) },
  })),
})

const rows: readonly { name: string; config: MatchmakingConfig; tickets: readonly Ticket[]; sampled: number }[] = [
  {
    name: 'one rating, one version',
    config: { useVersionFromState: true, rules: [{ type: 'difference', field: 'mmr', maxDifference: 100 }] },
    tickets: singles({ count: WAITING, versions: 3 }),
    sampled: SAMPLED_TICKETS,
  },
  {
    name: 'five rules, regions among them',
    config: {
      rules: [
        {
          type: 'difference',
          field: 'mmr',
          maxDifference: 100,
          expansions: [{ afterSeconds: 30, maxDifference: 500 }],
        },
        { type: 'region' },
        { type: 'equals', field: 'game_version' },
        { type: 'min', field: 'mmr', value: 0 },
        { type: 'max', field: 'mmr', value: 3_000 },
      ],
    },
    tickets: singles({ count: WAITING, versions: 3 }),
    sampled: SAMPLED_TICKETS,
  },
  {
    name: '32 rules over lists, parties of 100 (256 KiB: 2)',
    config: {
      playersPerTeam: 100,
      rules: Array.from({ length: 32 }, (_, n) => ({
        type: 'intersection' as const,
        field: 'maps',
        minOverlap: n + 1,
      })),
    },
    tickets: Array.from({ length: 200 }, (_, index) => heavy(index)),
    sampled: 2,
  },
]

/** Returns an explanation as the service computes it: when the time is over, it stops with the result so far. */
const answered = (explainer: Explainer, ticket: Ticket): Explanation => {
  const start = performance.now()
  const steps = explainer.explain(ticket, NOW, SAMPLED_TICKETS)
  for (let step = steps.next(); ; step = steps.next(performance.now() - start >= ANSWER_MS)) {
    if (step.done) return step.value
  }
}

/** Returns the shortest time of many runs, to exclude other work of the machine. */
const least = <T>(runs: number, prepare: () => () => T): number =>
  Math.min(...Array.from({ length: runs }, () => time(prepare()).ms))

console.log(
  '| queue | waiting | every ticket, ms | sample, first, ms | sample, next, ms | ratio |\n|---|---|---|---|---|---|',
)
for (const { name, config, tickets, sampled } of rows) {
  const pool = createPool(config)
  for (const ticket of tickets) pool.add(ticket)
  const some = Array.from({ length: sampled }, (_, n) => tickets[Math.floor((n * tickets.length) / sampled)] as Ticket)
  const [own, other] = [tickets[1] as Ticket, tickets[2] as Ticket]
  const exact = least(3, () => () => pool.explain(own.id, NOW))
  const first = least(40, () => () => answered(Explainer.of(config, some, tickets.length), own))
  const next = least(40, () => {
    const explainer = Explainer.of(config, some, tickets.length)
    answered(explainer, own)
    return () => answered(explainer, other)
  })
  const ms = (least: number) => least.toFixed(2)
  console.log(
    `| ${name} | ${tickets.length} | ${ms(exact)} | ${ms(first)} | ${ms(next)} | ${(exact / first).toFixed(0)} x |`,
  )
}
