import { partyCheckOf } from '@matchyard/matchmaking'
import { READY_CHECK_SECONDS } from '../catalog/limits'
import { proposalOver } from '../commit/consequences/proposal-over'
import { Draft } from '../commit/draft'
import { ofLobby } from '../commit/of-lobby'
import { stillFits } from '../commit/still-fits'
import { change, transact } from '../commit/transact'
import { isNotFound } from '../errors/service-error'
import { endTicket } from '../lobby/decide'
import type { QueueLeftReason } from '../lobby/events'
import { isParty } from '../lobby/queue-ticket'
import { isProposed } from '../match/proposal'
import type { Service } from '../node/service'
import { Slices } from '../node/slices'
import { queueKey } from '../queue/queue'
import { SECOND_MS } from '../shared/time'

/** Tickets looked at together after a queue changed. */
const TICKETS_AT_ONCE = 100
/** Matches looked at first after a queue changed; most queues propose fewer in the time that an answer may take. */
const MATCHES_AT_ONCE = 250
/** Older proposals are over or end within moments: their deadline has its own job. */
const LONGEST_PROPOSAL_MS = READY_CHECK_SECONDS.max * SECOND_MS

/** Takes one ticket out of the queue, unless it has left by itself. */
async function releaseTicket(
  ctx: Service,
  lobby: { readonly id: string; readonly projectId: string },
  ticketId: string,
  reason: QueueLeftReason,
): Promise<void> {
  try {
    const target = { projectId: lobby.projectId, lobbyId: lobby.id }
    await change(ctx, ofLobby, target, (current) => endTicket(current, { ticketId, reason }))
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

/** No ticket waits past its timeout: the lobby returns to `waiting`. A ticket that is no longer the lobby's is let be. */
export async function expireTicket(ctx: Service, lobbyId: string, ticketId: string): Promise<void> {
  const lobby = await ctx.storage.get('lobby', lobbyId)
  if (lobby?.ticket?.id === ticketId) await releaseTicket(ctx, lobby, ticketId, 'timeout')
}

/** After a queue's matchmaking changed, parties that can no longer match return to `waiting` (docs/http-api.md §5). */
export async function requeueTickets(ctx: Service, projectId: string, queueId: string): Promise<void> {
  const key = queueKey(projectId, queueId)
  const config = (await ctx.storage.get('queue', key))?.matchmaking
  const check = config == null ? undefined : partyCheckOf(config)
  const slices = new Slices(ctx)
  let cursor: string | undefined
  for (let more = true; more; ) {
    const page = await ctx.storage.tickets.changedSince(key, cursor, TICKETS_AT_ONCE)
    const leaving = page.changes.flatMap(({ ticket }) =>
      // A request continues: the present queue judges the parties that may fill it.
      ticket === undefined || !isParty(ticket) || check?.(ticket.players).ok === true ? [] : [ticket],
    )
    await Promise.all(
      leaving.map(({ id, lobbyId }) => releaseTicket(ctx, { id: lobbyId, projectId }, id, 'unmatchable')),
    )
    await slices.pause()
    cursor = page.cursor
    more = page.more
  }
  await requeueProposals(ctx, key)
}

/** Matches that are proposed, and that the queue as it is would not make, are called off. */
async function requeueProposals(ctx: Service, queueKey: string): Promise<void> {
  const since = ctx.clock.now() - LONGEST_PROPOSAL_MS
  for (let limit = MATCHES_AT_ONCE, looked = 0; ; limit *= 4) {
    // The newest first, so that what has been looked at stands before what has not, or is a little further down by now.
    const matches = await ctx.storage.matches.listRecent(queueKey, since, limit)
    for (const match of matches.slice(looked)) if (isProposed(match)) await callOff(ctx, match.id)
    if (matches.length < limit) return
    looked = matches.length
  }
}

async function callOff(ctx: Service, matchId: string): Promise<void> {
  await transact(ctx, undefined, async () => {
    const draft = new Draft(ctx.clock.now())
    const match = await ctx.storage.get('match', matchId)
    if (match === undefined || !isProposed(match)) return { draft, answer: null }
    const queue = await ctx.storage.get('queue', queueKey(match.projectId, match.queueId))
    const lobbies = await ctx.storage.getMany('lobby', match.lobbyIds)
    if (queue === undefined || !stillFits(queue, match, lobbies)) {
      const reason = 'its queue was changed, and would not make it any more'
      await proposalOver(ctx, draft, match, { outcome: 'impossible', reason, blamed: [] })
    }
    return { draft, answer: null, isContended: true }
  })
}
