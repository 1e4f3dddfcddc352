import { serverQuota } from '../billing/limits'
import type { Lobby } from '../lobby/lobby'
import { playerIdsOf } from '../lobby/members'
import { ticketOf } from '../lobby/queue-ticket'
import { proposalOf, stayOf } from '../lobby/stay'
import type { Service } from '../node/service'
import { launchesServers } from '../ports/none'
import type { Ports } from '../ports/ports'
import { mayLaunch } from '../queue/decide'
import { claimsPlayers, type Queue } from '../queue/queue'
import { absentTickets } from '../reads/absence'
import { heldOf } from '../reads/live-matches'
import { accountOf, requireProject } from '../reads/require'
import { serverCounter } from './counters'

/**
 * Reasons why a party cannot be matched at present, with any party; the first reason that holds is shown. `proposal`: the party is in a
 * proposed match. `elsewhere`: a player of the party is in a match of another search. `absent`: no player of the party was heard for the
 * presence timeout of the queue. `plan_limit`: the account has its maximum number of servers.
 */
export const HELD_BY = ['proposal', 'elsewhere', 'absent', 'plan_limit'] as const
/** Reason why a party cannot be matched at present, one of `HELD_BY`. */
export type HeldBy = (typeof HELD_BY)[number]

/**
 * Returns how many more servers the queue's account may run. The result is infinite when the plan has no limit, or when the queue's matches
 * launch no servers.
 */
export async function serversLeft(ctx: Ports, queue: Queue): Promise<number> {
  if (!mayLaunch(queue, launchesServers(ctx.orchestrator))) return Number.POSITIVE_INFINITY
  const account = await accountOf(ctx, await requireProject(ctx, queue.projectId))
  const quota = serverQuota(account)
  if (quota === undefined) return Number.POSITIVE_INFINITY
  return Math.max(0, quota - (await ctx.storage.counters.read(serverCounter(account.id))))
}

/** Returns the reason that keeps every party of the queue waiting; null without such a reason. A node reads it at most once a second. */
export const heldBy = (ctx: Service, queue: Queue): Promise<HeldBy | null> =>
  ctx.node.holds.get(`${queue.id} ${queue.createdAt} ${queue.version}`, async () =>
    (await serversLeft(ctx, queue)) === 0 ? 'plan_limit' : null,
  )

/** Returns the reason that keeps this party waiting; null without such a reason. */
export async function partyHeldBy(ctx: Service, queue: Queue, lobby: Lobby): Promise<HeldBy | null> {
  if (proposalOf(lobby) !== undefined) return 'proposal'
  const held = claimsPlayers(queue) ? await heldOf(ctx, lobby.projectId, playerIdsOf(lobby)) : []
  if (held.length > 0) return 'elsewhere'
  const stay = stayOf(lobby)
  const tickets = stay === undefined ? [] : [ticketOf(lobby, { ...stay, id: stay.ticketId })]
  return (await absentTickets(ctx, queue, tickets)).size > 0 ? 'absent' : heldBy(ctx, queue)
}
