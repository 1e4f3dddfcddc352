import type { Account } from '../account/account'
import type { Decision } from '../errors/decision'
import { orThrow } from '../errors/service-error'
import type { LobbyEvent } from '../lobby/events'
import type { Lobby } from '../lobby/lobby'
import { findMatch, type MatchDesign } from '../match/decide'
import type { MatchEvent } from '../match/events'
import type { Match } from '../match/match'
import { makeMatch } from '../match/proposal'
import { seatsOfQueue } from '../match/seats'
import { launchesServers } from '../ports/none'
import type { Ports } from '../ports/ports'
import type { TraceParent } from '../ports/tracing'
import { buildToLaunch, playsExternally } from '../queue/decide'
import { claimsPlayers, matchTtlOf, type Queue } from '../queue/queue'
import type { ServerSettings } from '../queue/server-settings'
import type { GameServer } from '../server/game-server'
import type { Draft } from './draft'
import { openServer } from './open-server'
import { writeLobby } from './rows/lobby'
import { putMatch, writeMatch } from './rows/match'
import { spanOfMatch } from './spans'
import { spreadCells } from './spread-cells'

export interface OpenedMatch {
  readonly match: Match
  readonly server: GameServer | null
  /** Lobbies in their state after the commit, in the order of the input. */
  readonly lobbies: readonly Lobby[]
}

export interface MatchToOpen
  extends Pick<MatchDesign, 'id' | 'lobbies' | 'teams' | 'region' | 'gameVersion' | 'waits' | 'quality'> {
  readonly queue: Queue
  readonly account: Account
  /** Trace contexts of the calls that led to the match. */
  readonly causes: readonly (TraceParent | undefined)[]
  /** Returns the events with which a lobby enters the match: `lobby_matched` or `lobby_started`. */
  readonly enter: (lobby: Lobby) => Decision<LobbyEvent>
  /** The proposed match and its events in this commit; absent when the match was not proposed to its players. */
  readonly from?: { readonly proposed: Match; readonly events: readonly MatchEvent[] }
}

/**
 * Opens a match in one commit: its lobbies, the match, its server and the job that launches the server. Without a build to launch, the
 * match has no server and begins at once. Throws PLAN_LIMIT_EXCEEDED and the rejections of `enter`.
 */
export function openMatch(ctx: Ports, draft: Draft, wanted: MatchToOpen): OpenedMatch {
  const { queue, account, causes: _, enter, from, ...design } = wanted
  const { projectId, queueId } = queue
  const trace = spanOfMatch(ctx, draft, 'match', wanted)
  const server = serverFor(ctx, draft, wanted, trace.trace)
  const serverId = server?.id ?? null
  const owner = { projectId, queueId, accountId: account.id }
  // A direct start takes no party from the queue, so the queue's settings for seats do not apply, and the match stores no seats.
  const seats = design.waits.length === 0 ? {} : { seats: seatsOfQueue(queue) }
  const found = findMatch({
    ...design,
    ...owner,
    ...seats,
    ...trace,
    serverId,
    ...assignment(ctx, queue, draft),
    ...ttlOf(queue, server),
    ...claimOf(queue),
    at: draft.at,
  })
  const match =
    from === undefined
      ? putMatch(draft, found)
      : writeMatch(draft, from.proposed, [...from.events, makeMatch(found, draft.at)])
  if (design.waits.length > 0) draft.history(...spreadCells(queue, design.teams, draft.at))
  const lobbies = design.lobbies.map((lobby) => writeLobby(draft, lobby, orThrow(enter(lobby))))
  return { match, server, lobbies }
}

/**
 * Returns the maximum duration of a match whose server the service does not run. A match with a server of the service ends with its server.
 */
function ttlOf(queue: Queue, server: GameServer | null): { readonly ttlSeconds?: number } {
  const ttlSeconds = matchTtlOf(queue)
  return server === null && ttlSeconds !== null ? { ttlSeconds } : {}
}

/** Returns the mark of a match whose queue allows a player only one live match. */
export const claimOf = (queue: Queue): Pick<Match, 'holdsPlayers'> =>
  claimsPlayers(queue) ? { holdsPlayers: true } : {}

const assignment = (ctx: Ports, queue: Queue, draft: Draft): { readonly assignBy?: number } =>
  playsExternally(queue) ? { assignBy: draft.at + ctx.settings.capacityTimeoutMs } : {}

/**
 * Returns the server of the match; null when the queue launches no server. Throws PLAN_LIMIT_EXCEEDED when the plan does not allow the
 * server.
 */
function serverFor(
  ctx: Ports,
  draft: Draft,
  { queue, account, ...match }: MatchToOpen,
  trace: TraceParent | undefined,
): GameServer | null {
  const build = buildToLaunch(queue, match.gameVersion, launchesServers(ctx.orchestrator))
  if (build === undefined) return null
  const wanted = {
    ...templateOf(queue.serverSettings ?? {}),
    projectId: queue.projectId,
    ...build,
    region: match.region,
    matchId: match.id,
    queueId: queue.queueId,
  }
  return openServer(ctx, draft, account, wanted, trace)
}

const templateOf = (settings: ServerSettings) => {
  const { tier, networkPorts, startupArgs, environment, readiness, ttl, stopGraceSeconds, autoRestart, customData } =
    settings
  const program = { networkPorts, startupArgs, environment, readiness, customData }
  return { tier, ...program, ttlSeconds: ttl, stopGraceSeconds, autoRestart }
}
