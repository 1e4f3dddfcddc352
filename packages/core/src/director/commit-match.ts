import { isValidMatch, type Proposal } from '@matchyard/matchmaking'
import { isRegion } from '../catalog/regions'
import { Draft } from '../commit/draft'
import { openMatch } from '../commit/open-match'
import { proposeMatch } from '../commit/propose-match'
import { apply } from '../commit/transact'
import { ServiceError } from '../errors/service-error'
import { matchLobby } from '../lobby/decide'
import type { Lobby } from '../lobby/lobby'
import { asQueued, type QueueTicket, toEngine } from '../lobby/queue-ticket'
import { needsSettling } from '../lobby/trusted-state'
import type { MatchTeam } from '../match/match'
import type { Service } from '../node/service'
import type { Ports } from '../ports/ports'
import { fieldRightsOf } from '../queue/field-rights'
import { engineConfig } from '../queue/matchmaking'
import type { Queue } from '../queue/queue'
import { bannedLobbies } from '../reads/bans'
import { isHeldConflict } from '../reads/live-matches'
import { engineRegions, usualRegion } from '../reads/machines'
import { qualityOf } from '../reads/rating-of-match'
import { accountOf, requireProject } from '../reads/require'
import type { Instant } from '../shared/time'
import { type BannedParties, releaseBanned } from './release-banned'
import { heldTickets } from './set-aside'

/** Maximum attempts to commit a match. Before another attempt, the lobbies are read again, and the match must still be valid. */
const MAX_TRIES = 3

export type MatchOutcome =
  | { readonly made: true }
  /**
   * `gone`: ids of the tickets that no longer wait. `fresh`: the newer versions of changed tickets. All other tickets continue to wait with
   * their age.
   */
  | {
      readonly made: false
      readonly gone: ReadonlySet<string>
      readonly fresh: readonly QueueTicket[]
      /** Ids of the tickets whose players another match holds. They are set aside and keep their age. */
      readonly held?: ReadonlySet<string>
      /** Whether the account has its maximum number of servers, so that no match of the queue can be made now. */
      readonly atLimit?: true
    }

/**
 * Commits one proposed match, completely or not at all: the lobbies, the match and its server. Every lobby must still be in the queue with
 * its ticket. When the queue has a ready check, the commit only proposes the match to its players; the match is made after all have
 * accepted. A match that was found under an older version of the queue is not committed.
 */
export async function commitMatch(
  ctx: Service,
  queue: Queue,
  proposal: Proposal,
  tickets: readonly QueueTicket[],
): Promise<MatchOutcome> {
  let current = tickets
  let fresh: QueueTicket[] = []
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const lobbies = await waitingLobbies(ctx, queue, current)
    const gone = goneOf(current, lobbies)
    if (gone.size > 0 || current.length < proposal.ticketIds.length) return { made: false, gone, fresh }
    const before = current
    current = current.map((ticket) => refreshed(ticket, lobbies))
    fresh = [...fresh, ...current.filter((ticket, index) => ticket !== before[index])]
    if (
      isValidMatch(
        engineConfig(queue, await engineRegions(ctx, queue)),
        current.map(toEngine),
        proposal,
        ctx.clock.now(),
      ) !== true
    ) {
      return { made: false, gone, fresh }
    }
    const conflict = await tryCommit(ctx, queue, proposal, current, lobbies)
    if (conflict === undefined) return { made: true }
    if (typeof conflict === 'object') return { made: false, gone: await releaseBanned(ctx, conflict.banned), fresh }
    ctx.logger.debug('a match lost its race', { queue: queue.id, conflict })
    if (conflict === 'limit') return { made: false, gone, fresh, atLimit: true }
    if (conflict === 'held') {
      const held = await heldTickets(ctx, queue.projectId, current)
      if (held.size > 0) return { made: false, gone, fresh, held }
    } else if (conflict !== 'again') return { made: false, gone, fresh }
  }
  return { made: false, gone: new Set(), fresh }
}

/**
 * Returns the present lobbies of these tickets, by lobby id. Lobbies with an unproven value in a trusted field are left out. A job removes
 * such values, and the ticket of the lobby then gets a new version.
 */
export async function waitingLobbies(
  ctx: Ports,
  queue: Queue,
  tickets: readonly QueueTicket[],
): Promise<Map<string, Lobby>> {
  const lobbies = await ctx.storage.getMany(
    'lobby',
    tickets.map((ticket) => ticket.lobbyId),
  )
  const rights = fieldRightsOf(queue)
  return new Map(lobbies.filter((lobby) => !needsSettling(lobby, rights)).map((lobby) => [lobby.id, lobby]))
}

/** Returns the ids of tickets that their lobbies no longer have. */
export const goneOf = (tickets: readonly QueueTicket[], lobbies: ReadonlyMap<string, Lobby>): Set<string> =>
  new Set(tickets.filter((ticket) => lobbies.get(ticket.lobbyId)?.ticket?.id !== ticket.id).map((ticket) => ticket.id))

/** Returns the ticket with the present states of its players, which may have changed since the pool read the ticket. */
export function refreshed(ticket: QueueTicket, lobbies: ReadonlyMap<string, Lobby>): QueueTicket {
  const lobby = lobbies.get(ticket.lobbyId)
  if (lobby?.ticket == null || lobby.ticket.version === ticket.version) return ticket
  const now = new Map(lobby.players.map((player) => [player.playerId, asQueued(player)]))
  const players = ticket.players.map((player) => {
    const { hidden: _, ...rest } = player
    return { ...rest, ...(now.get(player.playerId) ?? { state: {} }) }
  })
  return { ...ticket, version: lobby.ticket.version, players }
}

/**
 * Returns undefined after a successful commit. `again`: the commit conflicted, so attempt it again. `held`: another match holds a player.
 * `limit`: the account has its maximum number of servers. `blocked`: another attempt cannot help now. `banned`: these lobbies have a player
 * who is banned from the queue.
 */
async function tryCommit(
  ctx: Service,
  queue: Queue,
  proposal: Proposal,
  tickets: readonly QueueTicket[],
  lobbies: ReadonlyMap<string, Lobby>,
): Promise<'again' | 'held' | 'limit' | 'blocked' | BannedParties | undefined> {
  const at = ctx.clock.now()
  const draft = new Draft(at).check('queue', queue)
  const id = ctx.ids.next('mat')
  try {
    const project = await requireProject(ctx, queue.projectId)
    const account = await accountOf(ctx, project)
    draft.check('project', project).check('account', account)
    const matched = tickets.flatMap((ticket) => lobbies.get(ticket.lobbyId) ?? [])
    if (project.bans) {
      const banned = await bannedLobbies(ctx, project, matched, at)
      if (banned.length > 0) return { banned }
    }
    const wanted = {
      id,
      queue,
      account,
      lobbies: matched,
      causes: matched.map(({ ticket }) => ticket?.trace),
      teams: teamsOf(proposal, tickets),
      region: isRegion(proposal.region) ? proposal.region : await usualRegion(ctx),
      gameVersion: proposal.version,
      waits: tickets.map((ticket) => ({
        lobbyId: ticket.lobbyId,
        players: ticket.players.length,
        waitedMs: at - ticket.enteredAt,
      })),
    }
    const readyCheck = queue.matchmaking?.readyCheck
    if (readyCheck === undefined) {
      const quality = await qualityOf(ctx, queue, wanted.teams)
      openMatch(ctx, draft, { ...wanted, ...quality, enter: (lobby) => matchLobby(lobby, id) })
    } else proposeMatch(ctx, draft, wanted, readyCheck)
  } catch (error) {
    // The plan does not allow the server, or the project is being deleted. The tickets wait until something changes.
    if (!(error instanceof ServiceError)) throw error
    ctx.logger.warn('a match could not be made', { queue: queue.id, code: error.code, reason: error.detail })
    return 'blocked'
  }
  const conflict = await apply(ctx, draft)
  if (conflict === undefined) return undefined
  // The only counter with a bound in this commit is the account's number of servers.
  if (conflict.on === 'limit') return 'limit'
  if (isHeldConflict(conflict)) return 'held'
  return READ_AGAIN.includes(conflict.kind) ? 'again' : 'blocked'
}

/**
 * Kinds of rows that another attempt reads again. A changed queue is not among them, because the whole proposal is then no longer valid.
 */
const READ_AGAIN: readonly string[] = ['lobby', 'ticket', 'project', 'account']

/** Returns the teams of a proposal with the states of their players. `joinedAt`: instant of a fill; absent for a new match. */
export function teamsOf(proposal: Proposal, tickets: readonly QueueTicket[], joinedAt?: Instant): MatchTeam[] {
  const byId = new Map(tickets.map((ticket) => [ticket.id, ticket]))
  const joining = joinedAt === undefined ? {} : { joinedAt }
  return proposal.teams.map(({ name, players }) => ({
    name,
    players: players.map(({ playerId, ticketId, role }) => {
      const ticket = byId.get(ticketId)
      const { state = {}, hidden } = ticket?.players.find((player) => player.playerId === playerId) ?? {}
      const secret = hidden === undefined ? {} : { hidden }
      return { playerId, lobbyId: ticket?.lobbyId ?? '', role, state, ...secret, ...joining, leftAt: null }
    }),
  }))
}
