import { isValidFill, type Proposal } from '@matchyard/matchmaking'
import { withRequest } from '../commit/consequences/open-seats'
import { Draft } from '../commit/draft'
import { writeLobby } from '../commit/rows/lobby'
import { writeMatch } from '../commit/rows/match'
import { serverOfMatch } from '../commit/server-of-match'
import { apply } from '../commit/transact'
import { orThrow, ServiceError } from '../errors/service-error'
import { matchLobby } from '../lobby/decide'
import type { Lobby } from '../lobby/lobby'
import { isParty, type QueueTicket, toEngine } from '../lobby/queue-ticket'
import { fillMatch } from '../match/backfill'
import type { Match } from '../match/match'
import { requestTicketOf } from '../match/request-ticket'
import type { Service } from '../node/service'
import type { Ports } from '../ports/ports'
import { engineConfig } from '../queue/matchmaking'
import type { Queue } from '../queue/queue'
import { bannedLobbies } from '../reads/bans'
import { isHeldConflict } from '../reads/live-matches'
import { requireProject } from '../reads/require'
import { goneOf, type MatchOutcome, refreshed, teamsOf, waitingLobbies } from './commit-match'
import { toRequest } from './director'
import { type BannedParties, releaseBanned } from './release-banned'
import { heldTickets } from './set-aside'

/**
 * Maximum attempts to commit new players for a running match. After a conflict the rows are read again; another attempt follows when the
 * same parties still fit the seats.
 */
const MAX_TRIES = 3

/** State that one attempt has read. */
interface Attempt {
  readonly match: Match
  readonly request: QueueTicket
  readonly tickets: readonly QueueTicket[]
  readonly lobbies: ReadonlyMap<string, Lobby>
}

/**
 * Commits the new players of one backfill request, completely or not at all. Every lobby must still be in the queue with its ticket, and
 * the match must still have the request for which the parties were chosen. `tickets` includes the ticket of the request. The commit expects
 * the version of the match. Two commits that fill one seat therefore conflict, and so do a departure from the match and its end.
 */
export async function commitFill(
  ctx: Service,
  queue: Queue,
  proposal: Proposal,
  tickets: readonly QueueTicket[],
): Promise<MatchOutcome> {
  let current = tickets
  let fresh: QueueTicket[] = []
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const seen = current
    const parties = current.filter(isParty)
    const [match, lobbies] = await Promise.all([matchOf(ctx, current), waitingLobbies(ctx, queue, parties)])
    const request = match && requestTicketOf(match)
    const gone = goneOf(parties, lobbies)
    for (const { id } of current) if (id === proposal.requestId && id !== request?.id) gone.add(id)
    if (match === undefined || request === undefined || gone.size > 0 || current.length <= proposal.ticketIds.length) {
      return { made: false, gone, fresh }
    }
    current = current.map((ticket) => (isParty(ticket) ? refreshed(ticket, lobbies) : newer(ticket, request)))
    fresh = [...fresh, ...current.filter((ticket, index) => ticket !== seen[index])]
    const attempt = { match, request, tickets: current.filter(isParty), lobbies }
    if (!isStillValid(ctx, queue, proposal, attempt)) return { made: false, gone, fresh }
    const conflict = await tryCommit(ctx, queue, proposal, attempt)
    if (conflict === undefined) return { made: true }
    if (typeof conflict === 'object') return { made: false, gone: await releaseBanned(ctx, conflict.banned), fresh }
    ctx.logger.debug('a fill lost its race', { queue: queue.id, conflict })
    if (conflict === 'blocked') return { made: false, gone, fresh }
    if (conflict === 'held') {
      const held = await heldTickets(ctx, queue.projectId, attempt.tickets)
      if (held.size > 0) return { made: false, gone, fresh, held }
    }
  }
  return { made: false, gone: new Set(), fresh }
}

async function matchOf(ctx: Ports, tickets: readonly QueueTicket[]): Promise<Match | undefined> {
  const matchId = tickets.find((ticket) => !isParty(ticket))?.request?.matchId
  return matchId === undefined ? undefined : ctx.storage.get('match', matchId)
}

const newer = (known: QueueTicket, now: QueueTicket): QueueTicket => (known.version === now.version ? known : now)

const isStillValid = (ctx: Ports, queue: Queue, proposal: Proposal, { tickets, request }: Attempt): boolean =>
  isValidFill(engineConfig(queue), tickets.map(toEngine), toRequest(request), proposal, ctx.clock.now()) === true

/**
 * Returns undefined after a successful commit. `again`: the commit conflicted, so attempt it again. `held`: another match holds a player.
 * `blocked`: another attempt cannot help now. `banned`: these lobbies have a player who is banned from the queue.
 */
async function tryCommit(
  ctx: Service,
  queue: Queue,
  proposal: Proposal,
  { match, request, tickets, lobbies }: Attempt,
): Promise<'again' | 'held' | 'blocked' | BannedParties | undefined> {
  const at = ctx.clock.now()
  const draft = new Draft(at).check('queue', queue)
  try {
    const project = await requireProject(ctx, queue.projectId)
    draft.check('project', project)
    const joining = tickets.flatMap((ticket) => lobbies.get(ticket.lobbyId) ?? [])
    if (project.bans) {
      const banned = await bannedLobbies(ctx, project, joining, at)
      if (banned.length > 0) return { banned }
    }
    const waits = tickets.map(({ lobbyId, players, enteredAt }) => ({
      ...{ lobbyId, players: players.length, waitedMs: at - enteredAt },
    }))
    const fill = {
      requestId: request.id,
      lobbyIds: joining.map(({ id }) => id),
      teams: teamsOf(proposal, tickets, at),
      waits,
    }
    writeMatch(draft, match, await withRequest(ctx, match, orThrow(fillMatch(match, fill)), at))
    // While a match runs, its server changes only in commits that also change the match. The check of the match's version therefore covers
    // this read.
    const server = await serverOfMatch(ctx, draft, match)
    for (const lobby of joining) writeLobby(draft, lobby, orThrow(matchLobby(lobby, match.id, server)))
  } catch (error) {
    // The project is being deleted, or the match no longer accepts these players. The parties wait until something changes.
    if (!(error instanceof ServiceError)) throw error
    ctx.logger.warn('a fill could not be made', { queue: queue.id, code: error.code, reason: error.detail })
    return 'blocked'
  }
  const conflict = await apply(ctx, draft)
  if (conflict === undefined) return undefined
  if (isHeldConflict(conflict)) return 'held'
  return conflict.kind === 'queue' ? 'blocked' : 'again'
}
