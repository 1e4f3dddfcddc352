import { SECOND_MS } from '@matchyard/core/domain'
import type { Clock, Logger, Timers } from '@matchyard/core/ports'
import type { Party, Rank } from '@matchyard/http'

/** Minimum milliseconds between two warnings. Metrics count all refusals. */
const SILENT_MS = 10 * SECOND_MS
/**
 * Milliseconds of one period. The refusals of a period are summed in one log line, because a line for each refusal
 * would cost more than the refusal.
 */
const SUMMED_MS = SECOND_MS
/**
 * Maximum number of callers that one line counts separately. The count by rank includes the refusals of all callers.
 */
export const MAX_PARTIES = 1_000
/** Maximum number of callers that a line names. */
const NAMED = 5

interface Refused {
  readonly party: Party
  count: number
}

/**
 * Returns a function to call at each refusal. It logs a warning at most every 10 seconds. It also logs, each second,
 * the number of refusals and the refused callers.
 */
export function refusalsTold(
  logger: Logger,
  clock: Clock,
  timers: Timers,
): (rank: Rank, party: Party | undefined) => void {
  let toldAt = Number.NEGATIVE_INFINITY
  let ranks = new Map<Rank, number>()
  let parties = new Map<string, Refused>()
  const tell = () => {
    const most = [...parties.values()].sort((a, b) => b.count - a.count).slice(0, NAMED)
    logger.info('calls were refused', {
      by_rank: Object.fromEntries(ranks),
      most: most.map(({ party, count }) => ({ count, ...fieldsOf(party) })),
    })
    ranks = new Map()
    parties = new Map()
  }
  const count = (party: Party) => {
    const name = `${party.account} ${party.project} ${party.key} ${party.address}`
    const known = parties.get(name)
    if (known !== undefined) known.count++
    else if (parties.size < MAX_PARTIES) parties.set(name, { party, count: 1 })
  }
  return (rank, party) => {
    const now = clock.now()
    if (ranks.size === 0) timers.after(SUMMED_MS, tell)
    ranks.set(rank, (ranks.get(rank) ?? 0) + 1)
    if (party !== undefined) count(party)
    if (now - toldAt < SILENT_MS) return
    toldAt = now
    logger.warn('more is asked for than can be done in time; calls are refused with 503 (matchyard_http_refused_total)')
  }
}

/**
 * Returns the fields that identify a caller, as in the log lines of requests. A caller without a valid credential has
 * only an address.
 */
function fieldsOf({ account, project, key, address }: Party): Record<string, string> {
  if (project === '') return account === '' ? { address } : { address, account_id: account }
  const [, instance] = /^server (.*)$/.exec(key) ?? []
  return instance === undefined
    ? { address, project_id: project, key_id: key }
    : { address, project_id: project, instance_id: instance }
}
