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
import { engineRegions } from '../reads/machines'
import { SECOND_MS } from '../shared/time'

/** Number of tickets that are checked together after a change of the queue. */
const TICKETS_AT_ONCE = 100
/** Number of matches in the first read after a change of the queue. Most queues propose fewer matches within the time for answers. */
const MATCHES_AT_ONCE = 250
/** Maximum age of an open proposal in milliseconds. Older proposals have expired, and the job of their deadline ends them. */
const LONGEST_PROPOSAL_MS = READY_CHECK_SECONDS.max * SECOND_MS

/** Takes a ticket out of the queue. Nothing happens when the ticket has already left the queue. */
export async function releaseTicket(
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

/** Ends a ticket at its timeout: its lobby returns to `waiting`. Nothing happens when the lobby no longer has this ticket. */
export async function expireTicket(ctx: Service, lobbyId: string, ticketId: string): Promise<void> {
  const lobby = await ctx.storage.get('lobby', lobbyId)
  if (lobby?.ticket?.id === ticketId) await releaseTicket(ctx, lobby, ticketId, 'timeout')
}

/** Returns parties to `waiting` that can no longer match after a change of the queue's matchmaking (docs/http-api.md §5). */
export async function requeueTickets(ctx: Service, projectId: string, queueId: string): Promise<void> {
  const key = queueKey(projectId, queueId)
  const config = (await ctx.storage.get('queue', key))?.matchmaking
  const check = config == null ? undefined : partyCheckOf(config)
  const slices = new Slices(ctx)
  let cursor: string | undefined
  for (let more = true; more; ) {
    const page = await ctx.storage.tickets.changedSince(key, cursor, TICKETS_AT_ONCE)
    const leaving = page.changes.flatMap(({ ticket }) =>
      // A backfill request stays in the queue, because parties that may fill it are compared under the present settings.
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

/** Ends proposed matches that the queue would not make under its changed settings. */
async function requeueProposals(ctx: Service, queueKey: string): Promise<void> {
  const since = ctx.clock.now() - LONGEST_PROPOSAL_MS
  for (let limit = MATCHES_AT_ONCE, looked = 0; ; limit *= 4) {
    // The list begins with the newest match. New matches move the checked matches further back in the list, so a later read never skips an
    // unchecked match.
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
    if (queue === undefined || !stillFits(queue, match, lobbies, await engineRegions(ctx, queue))) {
      const reason = 'the settings of its queue changed, and no longer allow this match'
      await proposalOver(ctx, draft, match, { outcome: 'impossible', reason, blamed: [] })
    }
    return { draft, answer: null, isContended: true }
  })
}
