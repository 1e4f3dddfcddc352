import { checkFreeForm } from '../../catalog/free-form'
import type { Region } from '../../catalog/regions'
import type { CallOptions } from '../../commit/call-options'
import { withRequest } from '../../commit/consequences/open-seats'
import { Draft } from '../../commit/draft'
import type { Outcome } from '../../commit/outcome'
import { writeLobby } from '../../commit/rows/lobby'
import { writeMatch } from '../../commit/rows/match'
import { transact } from '../../commit/transact'
import { orThrow, validationFailed } from '../../errors/service-error'
import { showServer } from '../../lobby/in-match'
import { type AssignedPort, assignmentFaults } from '../../match/assignment'
import { decideAssignServer as decideAssign } from '../../match/decide'
import { externalServerOf } from '../../match/external-server'
import type { Match } from '../../match/match'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import type { InProject } from '../../project/in-project'
import { requireMatch } from '../../reads/require'
import type { ServerSummary } from '../../server/game-server'
import { type JsonObject, type JsonValue, jsonEqual } from '../../shared/json'
import type { Instant } from '../../shared/time'
import { joinTokenKeyText } from '../../tokens/join-token-key'

export interface AssignServerInput extends InProject {
  /** Id of the match: `mat_` and a ULID. */
  readonly matchId: string
  /** Address to which players connect: a name or an IP address. */
  readonly host: string
  /** Ports that players connect to, at most 16. */
  readonly ports: readonly AssignedPort[]
  /** Region of the server. Default: the match's region. */
  readonly region?: Region | undefined
  /** Data for backends only. The API does not show them to players. */
  readonly customData?: JsonObject | undefined
}

/** Server of the studio that a match is assigned to. */
export interface AssignedServer {
  /** Summary of the server, as every lobby of the match shows it. */
  readonly server: ServerSummary
  /** Data of the assignment, which the API does not show to players. */
  readonly customData: JsonObject
  /** Key: 32 bytes as base64url. The server uses it to verify the join tokens of its players without a call to the service. */
  readonly joinTokenKey: string
  /** Whether this call was the first to assign a server to the match. */
  readonly isNew: boolean
}

export async function assignServer(
  ctx: Service,
  input: AssignServerInput,
  call?: CallOptions,
): Promise<AssignedServer> {
  const { matchFrom, ...assigned } = await assign(ctx, input, call)
  // The key is derived again in every call, so that no row contains it.
  const match = { id: input.matchId, createdAt: matchFrom }
  return { ...assigned, joinTokenKey: joinTokenKeyText(ctx.tokens, match) }
}

type Assigned = Omit<AssignedServer, 'joinTokenKey'> & { readonly matchFrom: Instant }

const assign = (ctx: Service, input: AssignServerInput, call: CallOptions | undefined): Promise<Assigned> =>
  transact(
    ctx,
    call,
    () => decide(ctx, input),
    async ({ id, rest: isNew }) => {
      const match = await requireMatch(ctx, input.projectId, id)
      return { ...assignedTo(match), isNew: isNew === true, matchFrom: match.createdAt }
    },
  )

async function decide(ctx: Ports, input: AssignServerInput): Promise<Outcome<Assigned>> {
  const { host, ports, customData = {} } = input
  checkFreeForm({ customData })
  const issues = assignmentFaults(input)
  if (issues.length > 0) throw validationFailed(issues)
  const match = await requireMatch(ctx, input.projectId, input.matchId)
  const assigned = ports.map(({ name, protocol, port }) => ({ name, protocol, port }))
  const assignment = { host, ports: assigned, region: input.region ?? match.region, customData }
  const draft = new Draft(ctx.clock.now())
  const events = orThrow(decideAssign(match, assignment, draft.at))
  const after = writeMatch(draft, match, await withRequest(ctx, match, events, draft.at))
  const { server } = assignedTo(after)
  if (after !== match) await show(ctx, draft, after.lobbyIds, server)
  const isNew = match.external?.assignment === null
  return {
    draft,
    answer: { server, customData, isNew, matchFrom: match.createdAt },
    about: { id: match.id, rest: isNew },
  }
}

/** Returns the assignment of a match that has a server. An assignment is never removed from a match. */
function assignedTo(match: Match): Pick<Assigned, 'server' | 'customData'> {
  const server = externalServerOf(match)
  if (server === null) throw new Error(`${match.id} was assigned no server`)
  return { server, customData: match.external?.assignment?.customData ?? {} }
}

async function show(ctx: Ports, draft: Draft, lobbyIds: readonly string[], server: ServerSummary): Promise<void> {
  for (const lobby of await ctx.storage.getMany('lobby', lobbyIds)) {
    const isShown = jsonEqual(lobby.server as unknown as JsonValue, server as unknown as JsonValue)
    if (!isShown) writeLobby(draft, lobby, showServer(lobby, server.matchId, server))
  }
}
