import type { Arrival } from '../lobby/arrival'
import type { Lobby } from '../lobby/lobby'
import { stayOf } from '../lobby/stay'
import type { Match } from '../match/match'
import type { DomainEvent } from '../node/domain-events'
import type { Ports } from '../ports/ports'
import { partOf, type SpanAttributes, type TraceParent } from '../ports/tracing'
import type { GameServer } from '../server/game-server'
import { traceOf } from '../shared/trace'
import type { Draft } from './draft'

/**
 * Spans of a match. The span of the match itself starts before its commit, because its trace context is stored with the row. The commit
 * that ends a wait, a launch or a game makes its span from the rows. Each span is thus reported once, by the node that made the change, and
 * never for a failed commit.
 */

/**
 * Attributes of OpenTelemetry's conventions for messaging. The queue is the destination, and a party's stay in the queue is the message.
 */
const messaging = (queueId: string): SpanAttributes => ({
  'messaging.system': 'matchyard',
  'messaging.destination.name': queueId,
})

/**
 * Starts the span of a match or a proposal; the span is reported after the draft's commit. Returns the trace context of the span, to be
 * stored with the row.
 */
export function spanOfMatch(
  ctx: Ports,
  draft: Draft,
  operation: 'match' | 'propose',
  wanted: {
    readonly id: string
    readonly queue: { readonly queueId: string; readonly projectId: string }
    readonly lobbies: readonly Lobby[]
    readonly causes: readonly (TraceParent | undefined)[]
  },
): { readonly trace?: TraceParent } {
  const { queueId, projectId } = wanted.queue
  const span = ctx.tracing.start(`${operation} ${queueId}`, {
    kind: 'consumer',
    ...partOf(wanted.causes),
    attributes: {
      ...messaging(queueId),
      'messaging.operation.name': operation,
      'messaging.operation.type': 'process',
      'messaging.batch.message_count': wanted.lobbies.length,
      'matchyard.project_id': projectId,
      'matchyard.match_id': wanted.id,
    },
  })
  draft.span(span)
  return traceOf({ trace: span.traceparent })
}

/** Reports the spans of this draft; called after its commit. */
export function tellSpans(ctx: Ports, draft: Draft): undefined {
  for (const span of draft.spans) span.end()
  for (const { lobby, arrival } of draft.ended) tellWait(ctx, draft, lobby, arrival)
  for (const event of draft.told) tellEvent(ctx, draft, event)
}

/**
 * Reports the span of a stay in a queue. The span belongs to the trace of the call that entered the queue. It is linked with the span of
 * the match, which may be in the trace of another party.
 */
function tellWait(ctx: Ports, draft: Draft, lobby: Lobby, { outcome, matchId }: Arrival): void {
  const stay = stayOf(lobby)
  if (stay?.trace === undefined) return
  const { queueId, id, projectId } = lobby
  const match = matchId === null ? undefined : draft.written('match', matchId)
  tellOf(ctx, `wait ${queueId}`, {
    parent: stay.trace,
    links: places(match),
    startedAt: stay.enteredAt,
    endedAt: draft.at,
    attributes: {
      ...messaging(queueId),
      'messaging.message.id': id,
      'matchyard.project_id': projectId,
      'matchyard.lobby_id': id,
      'matchyard.players': lobby.players.length,
      'matchyard.outcome': outcome,
      'matchyard.match_id': matchId ?? undefined,
    },
  })
}

function tellEvent(ctx: Ports, draft: Draft, event: DomainEvent): void {
  if (event.type === 'match_backfilled') tellFill(ctx, draft, event.match, event.lobbyIds)
  else if (event.type === 'match_ended') tellGame(ctx, draft, event.match, event.reason)
  else if (event.type === 'server_running') tellLaunch(ctx, draft, event.instanceId, undefined)
  else if (event.type === 'server_failed') tellLaunch(ctx, draft, event.instanceId, event.stopReason)
}

/**
 * Reports the span of a launch: from the decision to launch until players can connect, or until the launch fails. The span includes all
 * attempts and the wait for capacity.
 */
function tellLaunch(ctx: Ports, draft: Draft, instanceId: string, error: string | undefined): void {
  const server = draft.written('server', instanceId)
  if (server?.trace === undefined) return
  // The launch of a server that has run was already reported. A later failure of the server is not part of its launch.
  if (error !== undefined && server.runningAt !== null) return
  tellOf(ctx, 'launch', {
    parent: server.trace,
    startedAt: server.createdAt,
    endedAt: draft.at,
    error,
    attributes: { ...spanAttributesOf(server), 'matchyard.launch_attempts': server.launchAttempts },
  })
}

/** Reports the span of a game, linked with the call that ended the game. */
function tellGame(ctx: Ports, draft: Draft, match: Match, reason: string): void {
  if (match.trace === undefined) return
  const server = match.serverId === null ? undefined : draft.written('server', match.serverId)
  if (server !== undefined && server.runningAt === null) return
  tellOf(ctx, 'game', {
    parent: match.trace,
    links: places(draft),
    startedAt: server?.runningAt ?? match.createdAt,
    endedAt: draft.at,
    attributes: {
      ...ofMatch(match),
      'matchyard.players': match.teams.reduce((sum, { players }) => sum + players.length, 0),
      'matchyard.reason': reason,
    },
  })
}

/** Reports that new players took open seats, in the trace of the match. The span is linked with the traces of the new players. */
function tellFill(ctx: Ports, draft: Draft, match: Match, lobbyIds: readonly string[]): void {
  if (match.trace === undefined) return
  const joined = draft.ended.filter(({ lobby }) => lobbyIds.includes(lobby.id))
  tellOf(ctx, `fill ${match.queueId}`, {
    parent: match.trace,
    links: joined.flatMap(({ lobby }) => places(stayOf(lobby))),
    startedAt: draft.at,
    endedAt: draft.at,
    attributes: {
      ...messaging(match.queueId),
      'messaging.operation.name': 'fill',
      'messaging.operation.type': 'process',
      'messaging.batch.message_count': lobbyIds.length,
      ...ofMatch(match),
    },
  })
}

interface Told {
  readonly parent: TraceParent
  readonly links?: readonly TraceParent[]
  readonly startedAt: number
  readonly endedAt: number
  readonly error?: string | undefined
  readonly attributes: SpanAttributes
}

function tellOf(ctx: Ports, name: string, { endedAt, error, ...start }: Told): void {
  ctx.tracing.start(name, start).end({ endedAt, error })
}

const places = (thing: { readonly trace?: string | undefined } | undefined): TraceParent[] =>
  thing?.trace === undefined ? [] : [thing.trace]

const ofMatch = ({ id, projectId, region }: Match): SpanAttributes => ({
  'matchyard.project_id': projectId,
  'matchyard.match_id': id,
  'matchyard.region': region,
})

export const spanAttributesOf = ({
  id,
  projectId,
  matchId,
  region,
  tier,
  attempt,
  nodeId,
}: GameServer): SpanAttributes => ({
  'matchyard.project_id': projectId,
  'matchyard.match_id': matchId ?? undefined,
  'matchyard.server_id': id,
  'matchyard.region': region,
  'matchyard.tier': tier,
  'matchyard.attempt': attempt,
  'matchyard.node': nodeId ?? undefined,
})
