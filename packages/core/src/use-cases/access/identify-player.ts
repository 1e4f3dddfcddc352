import type { Caller } from '../../access/caller'
import type { Permission } from '../../access/permission'
import { TOKEN_TIMES } from '../../catalog/limits'
import { unavailableInsteadOf } from '../../commit/transact'
import { orThrow, ServiceError } from '../../errors/service-error'
import type { ClientWord } from '../../lobby/trusted-state'
import type { Service } from '../../node/service'
import type { InProject } from '../../project/in-project'
import { NO_PLAYER_AUTH, readsTokens } from '../../project/player-auth'
import { otherPlayer, type PlayerProof, playerRequired, tokenRequired } from '../../project/player-token'
import { requireProject } from '../../reads/require'
import type { Instant } from '../../shared/time'
import { verifyPlayerToken as prove } from '../../tokens/prove-player'

/** Player that a request names, with the caller and the rule of the operation. */
export interface IdentifyPlayerInput {
  /** Caller that `authenticateKey` has returned. */
  readonly caller: Caller
  /** Whether the operation needs an acting player: the field `player` of its permission. */
  readonly rule: Permission['player']
  /** Player for whom the call claims to act: the header `x-player-id`. */
  readonly playerId?: string | undefined
  /** Token of `Authorization: Bearer`, sent together with the API key. */
  readonly token?: string | undefined
  /** Whether the call only reads. A read with a server key does not show that the player is present. */
  readonly isRead?: boolean | undefined
}

/** Acting player of a call, and the proof of the player's identity. */
export interface IdentifiedPlayer {
  /** Id of the player; undefined when the call names no player and the operation needs none. */
  readonly playerId: string | undefined
  /** Values of trusted fields that the player's token proves; undefined when the caller is not a client. */
  readonly client: ClientWord | undefined
  /** Time at which the service ends the streams that this call opens; undefined when they do not end by time. */
  readonly until: Instant | undefined
}

/**
 * Returns the acting player of a call. In a project that reads player tokens, the token names the player. Otherwise the caller's `playerId`
 * is used; the `playerId` of a backend needs no proof. Throws PLAYER_TOKEN_REQUIRED, INVALID_PLAYER_TOKEN, PLAYER_ID_REQUIRED. Throws
 * UNAVAILABLE when an issuer's keys cannot be read and no keys are cached.
 */
export async function identifyPlayer(ctx: Service, input: IdentifyPlayerInput): Promise<IdentifiedPlayer> {
  const identified = await identify(ctx, input)
  const { caller } = input
  // Every call of a client shows that its player is present. Of a backend, calls that only read do not.
  const shows = caller.kind === 'client' || (caller.kind === 'server' && input.isRead !== true)
  if (shows && identified.playerId !== undefined) {
    const by = caller.kind === 'client' ? 'client' : 'backend'
    ctx.node.presence.heard(caller.projectId, identified.playerId, ctx.clock.now(), by)
  }
  return identified
}

async function identify(ctx: Service, input: IdentifyPlayerInput): Promise<IdentifiedPlayer> {
  const { caller, rule, playerId, token } = input
  const ofKey = streamsUntil(caller)
  if (rule === 'none') return { playerId: undefined, client: undefined, until: ofKey }
  if (caller.kind !== 'client') return { playerId: named(input), client: undefined, until: ofKey }
  const { playerAuth = NO_PLAYER_AUTH, projectId } = caller
  if (token !== undefined && readsTokens(playerAuth)) {
    const proof = await prove(ctx, projectId, playerAuth, token)
    if (playerId !== undefined && playerId !== proof.playerId) throw ServiceError.of(otherPlayer().rejected)
    const ofToken = proof.expiresAt + TOKEN_TIMES.streamGraceMs
    const until = ofKey === undefined ? ofToken : Math.min(ofKey, ofToken)
    return { playerId: proof.playerId, client: { proven: proof.state }, until }
  }
  const isNamed = playerId !== undefined || rule !== 'optional'
  if (playerAuth.mode === 'signed' && isNamed) orThrow(tokenRequired())
  return { playerId: named(input), client: { proven: {} }, until: ofKey }
}

/**
 * Returns the time at which streams end that were opened with a key. As with a player token, a stream lasts slightly longer than its key,
 * so that the reader can connect again with a new key.
 */
const streamsUntil = (caller: Caller): Instant | undefined =>
  'expiresAt' in caller && caller.expiresAt !== undefined ? caller.expiresAt + TOKEN_TIMES.streamGraceMs : undefined

function named({ caller, rule, playerId }: IdentifyPlayerInput): string | undefined {
  const mayBeNobody = rule === 'optional' || (rule === 'unless-backend' && caller.kind === 'server')
  if (playerId === undefined && !mayBeNobody) orThrow(playerRequired())
  return playerId
}

export interface ProvePlayerInput extends InProject {
  /** Player token: at most 8,192 characters. */
  readonly token: string
}

/**
 * Returns the proof of a player token, verified with the keys of the project's issuers. It is meant for programs that serve clients over
 * another protocol. Throws PROJECT_NOT_FOUND, INVALID_PLAYER_TOKEN, UNAVAILABLE.
 */
export function provePlayer(ctx: Service, { projectId, token }: ProvePlayerInput): Promise<PlayerProof> {
  return unavailableInsteadOf(async () => {
    const project = await requireProject(ctx, projectId)
    return prove(ctx, projectId, project.playerAuth ?? NO_PLAYER_AUTH, token)
  })
}
