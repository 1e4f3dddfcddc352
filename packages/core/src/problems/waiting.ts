import type { Explanation } from '@matchyard/matchmaking'
import { heldBy } from '../commit/hold'
import { crowdOf, SAMPLED_BYTES, SAMPLED_TICKETS } from '../director/crowd'
import { spokenField } from '../errors/spoken-names'
import type { QueueTicket } from '../lobby/queue-ticket'
import type { Service } from '../node/service'
import type { Ports } from '../ports/ports'
import type { ProblemDetails, ProjectProblem } from '../project/problem'
import type { Queue } from '../queue/queue'
import { unservedOf } from '../reads/unserved-regions'
import { counted } from '../shared/counted'
import { SECOND_MS } from '../shared/time'
import { sentenceOf } from './sentence'

/** Milliseconds after which a wait is reported. */
const LONG_MS = 60 * SECOND_MS
/** Maximum parties of each queue for which the reason of the wait is computed. */
const ASKED = 3
/**
 * Maximum queues for which the reason of long waits is computed: those with the most waiting players. Other queues are reported without a
 * reason.
 */
const EXPLAINED_QUEUES = 8

interface Wait {
  readonly queue: Queue
  /** Tickets of the sample that have waited longer than LONG_MS. */
  readonly long: readonly QueueTicket[]
  /** Number of players who have waited longer than LONG_MS, estimated from the sample. */
  readonly players: number
}

/** Returns a problem for each queue in which players wait for long, with the reason that prevents a match. */
export async function longWaits(ctx: Service, queues: readonly Queue[]): Promise<ProjectProblem[]> {
  const waits = (await Promise.all(queues.map((queue) => longWaitOf(ctx, queue)))).filter((wait) => wait !== undefined)
  const found: ProjectProblem[] = []
  for (const [index, wait] of waits.sort((a, b) => b.players - a.players).entries()) {
    const why = index < EXPLAINED_QUEUES ? await reasonOf(ctx, wait) : { what: '', advice: LOOK, details: {} }
    const { queueId } = wait.queue
    found.push({
      code: 'players_wait',
      severity: 'warning',
      sentence: sentenceOf(
        queueId,
        `${counted(wait.players, 'player')} ${wait.players === 1 ? 'waits' : 'wait'} longer than 60 s${why.what}`,
        why.advice,
      ),
      subject: { kind: 'queue', id: queueId },
      since: Math.min(...wait.long.map(({ enteredAt }) => enteredAt)) + LONG_MS,
      count: wait.players,
      details: why.details,
    })
  }
  return found
}

async function longWaitOf(ctx: Ports, queue: Queue): Promise<Wait | undefined> {
  const { tickets } = ctx.storage
  const [waiting] = await tickets.waiting(queue.id)
  if (waiting === undefined || waiting.parties === 0) return undefined
  const sample = await tickets.sample(queue.id, SAMPLED_TICKETS, SAMPLED_BYTES)
  const until = ctx.clock.now() - LONG_MS
  const long = sample.filter(({ enteredAt }) => enteredAt < until)
  if (long.length === 0) return undefined
  const seen = long.reduce((sum, { players }) => sum + players.length, 0)
  const players = Math.round(seen * Math.max(1, waiting.parties / sample.length))
  return { queue, long, players }
}

interface Reason {
  readonly what: string
  readonly advice: string
  readonly details: Pick<ProblemDetails, 'rule' | 'region'>
}

/** Types of rules that use only regions that a machine serves. */
const OF_REGIONS: readonly string[] = ['region', 'latency']
const LOOK = 'Open the queue to see why these players wait.'

async function reasonOf(ctx: Service, { queue, long }: Wait): Promise<Reason> {
  const [crowd, held] = await Promise.all([crowdOf(ctx, queue), heldBy(ctx, queue)])
  if (held === 'plan_limit') {
    return {
      what: ': the account has reached its limit of servers',
      advice: 'The next match starts when a server of the account ends.',
      details: {},
    }
  }
  if (crowd === undefined) return { what: '', advice: LOOK, details: {} }
  const told = long.slice(0, ASKED).map((ticket) => crowd.explain(ticket))
  const worst = worstRule(told)
  if (worst !== undefined && worst.rejectedShare >= 0.5) {
    const asked = long.slice(0, ASKED).flatMap(({ players }) => players)
    const [region] = OF_REGIONS.includes(worst.type) ? await unservedOf(ctx, queue, asked) : []
    if (region !== undefined) {
      const advice = `Add a machine with ${region} in REGIONS, or let these players name other regions.`
      return { what: `: no machine serves ${region}`, advice, details: { rule: worst, region } }
    }
    return {
      what: `; \`${worst.field ?? worst.type}\` rejects ${Math.round(worst.rejectedShare * 100)} % of the pairs`,
      advice: `Widen the ${worst.type} rule, or relax it sooner.`,
      details: { rule: worst },
    }
  }
  const bound = told.map((one) => one.maxSizeDifference).find((of) => of !== null)
  if (bound !== undefined) {
    return {
      what: `: team sizes would differ by more than ${counted(bound, 'player')}`,
      advice: `Raise ${spokenField('maxSizeDifference')}, or limit the size of parties.`,
      details: worst === undefined ? {} : { rule: worst },
    }
  }
  const missing = Math.min(...told.map((one) => one.missing.reduce((sum, { players }) => sum + players, 0)))
  return {
    what: missing > 0 ? `: ${counted(missing, 'player')} too few for a match` : '',
    advice: `Allow short matches (${spokenField('partialAfterSeconds')}), or use smaller teams.`,
    details: worst === undefined ? {} : { rule: worst },
  }
}

/** Returns the rule that rejects the largest share of the compared parties; undefined when no parties were compared. */
function worstRule(told: readonly Explanation[]): ProblemDetails['rule'] {
  const sums = new Map<string, { type: string; field: string | null; passing: number; failing: number }>()
  for (const { type, field, passing, failing } of told.flatMap(({ rules }) => rules)) {
    const sum = sums.get(`${type} ${field}`) ?? { type, field, passing: 0, failing: 0 }
    sums.set(`${type} ${field}`, { type, field, passing: sum.passing + passing, failing: sum.failing + failing })
  }
  const shares = [...sums.values()]
    .filter(({ passing, failing }) => passing + failing > 0)
    .map(({ type, field, passing, failing }) => ({ type, field, rejectedShare: failing / (passing + failing) }))
  return shares.sort((a, b) => b.rejectedShare - a.rejectedShare)[0]
}
