import { meetingsRead, type RecentPlayer } from '@matchyard/matchmaking'
import { MAX_LIST_BYTES } from '../catalog/limits'
import type { Match } from '../match/match'
import { countsAsMeeting, metIn } from '../match/meetings'
import type { Ports } from '../ports/ports'
import type { Queue } from '../queue/queue'
import { HOUR_MS, type Instant, SECOND_MS } from '../shared/time'

/** Number of a player's newest matches of a queue whose players count as met. */
const RECENT_MATCHES = 20
/** Maximum number of players, the latest met first, that a ticket lists for its party. */
const RECENT_PLAYERS = 20 * RECENT_MATCHES
/** Maximum number of reads for one player. More are needed only when most of the player's matches never ran. */
const MAX_READS = 5
/** Maximum number of players whose matches are read at the same time. The matches of one read may have MAX_LIST_BYTES. */
const READ_AT_ONCE = 10
/** Milliseconds from the making of a match to its begin at which a match still counts. */
const LONGEST_LAUNCH_MS = 1 * HOUR_MS

/**
 * Returns the players whom a party met in the queue within the time of its `recent_opponents` rules, each with the newest meetings;
 * undefined when the queue has no such rule. The matches themselves are the record: nothing else is stored for it.
 */
export async function recentPlayers(
  ctx: Ports,
  queue: Queue,
  playerIds: readonly string[],
  at: Instant,
): Promise<readonly RecentPlayer[] | undefined> {
  const asked = queue.matchmaking === null ? undefined : meetingsRead(queue.matchmaking)
  if (asked === undefined) return undefined
  const since = at - asked.seconds * SECOND_MS
  const party = new Set(playerIds)
  const counts = ({ playerId, opponent }: RecentPlayer) =>
    (asked.scope === 'anyone' || opponent) && !party.has(playerId)
  const metBy = async (playerId: string) => {
    const matches = await recentMatches(ctx, queue, playerId, since)
    return matches.flatMap((match) => metIn(match, playerId)).filter(counts)
  }
  const met: RecentPlayer[] = []
  for (let from = 0; from < playerIds.length; from += READ_AT_ONCE) {
    met.push(...(await Promise.all(playerIds.slice(from, from + READ_AT_ONCE).map(metBy))).flat())
  }
  return newestOfEach(met)
}

/** Returns the newest matches of the player in the queue that began after `since`, at most RECENT_MATCHES. */
async function recentMatches(ctx: Ports, queue: Queue, playerId: string, since: Instant): Promise<Match[]> {
  const { projectId, queueId } = queue
  const query = { projectId, queueId, playerId, limit: RECENT_MATCHES, maxBytes: MAX_LIST_BYTES }
  const found: Match[] = []
  let last: Match | undefined
  for (let reads = 0; reads < MAX_READS && found.length < RECENT_MATCHES; reads++) {
    const page = await ctx.storage.matches.list({ ...query, ...(last && { before: last }) })
    last = page.at(-1)
    found.push(...page.filter(countsAsMeeting))
    if (last === undefined || last.createdAt < since - LONGEST_LAUNCH_MS) break
  }
  return found.slice(0, RECENT_MATCHES).filter(({ startedAt = 0 }) => startedAt > since)
}

/**
 * Returns each player with the newest meeting, and a mate also with the newest older meeting as an opponent, which counts for rules of the
 * scope `opponents`. At most RECENT_PLAYERS, the newest first.
 */
function newestOfEach(players: readonly RecentPlayer[]): RecentPlayer[] {
  const opponents = new Map<string, boolean>()
  const newest: RecentPlayer[] = []
  for (const player of [...players].sort((a, b) => b.at - a.at || Number(b.opponent) - Number(a.opponent))) {
    const known = opponents.get(player.playerId)
    if (known === true || known === player.opponent) continue
    opponents.set(player.playerId, player.opponent)
    newest.push(player)
    if (newest.length === RECENT_PLAYERS) break
  }
  return newest
}
