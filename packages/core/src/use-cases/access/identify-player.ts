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

export interface IdentifyPlayerInput {
  /** Caller that `authenticateKey` returned. */
  readonly caller: Caller
  /** Whether the operation needs an acting player, from its row in the table of permissions. */
  readonly rule: Permission['player']
  /** Player in whose name the call claims to act: the `x-player-id` header. */
  readonly playerId?: string | undefined
  /** Token of `Authorization: Bearer`, sent together with the API key. */
  readonly token?: string | undefined
}

/** Acting player, with the source of the identity. */
export interface IdentifiedPlayer {
  /** Id of the player; undefined when the call names none and needs none. */
  readonly playerId: string | undefined
  /** Proven values of trusted fields; undefined unless a client calls. */
  readonly client: ClientWord | undefined
  /** Time at which streams end that this call opens; undefined without an expiry. */
  readonly until: Instant | undefined
}

/**
 * Returns the acting player of a call. A player token names the player when the project reads tokens; otherwise the caller's `playerId` is
 * used. A backend's `playerId` needs no proof. Throws PLAYER_TOKEN_REQUIRED, INVALID_PLAYER_TOKEN, PLAYER_ID_REQUIRED; UNAVAILABLE while an
 * issuer's keys cannot be read and none are known.
 */
export async function identifyPlayer(ctx: Service, input: IdentifyPlayerInput): Promise<IdentifiedPlayer> {
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
 * Returns the end of streams opened with a key. A stream lasts slightly longer than its key, as it does with a player token, so that the
 * reader can return with a new one.
 */
const streamsUntil = (caller: Caller): Instant | undefined =>
  'expiresAt' in caller && caller.expiresAt !== undefined ? caller.expiresAt + TOKEN_TIMES.streamGraceMs : undefined

function named({ caller, rule, playerId }: IdentifyPlayerInput): string | undefined {
  const mayBeNobody = rule === 'optional' || (rule === 'unless-backend' && caller.kind === 'server')
  if (playerId === undefined && !mayBeNobody) orThrow(playerRequired())
  return playerId
}

export interface ProvePlayerInput extends InProject {
  readonly token: string
}

/**
 * Returns the proof of a player token by the project's present issuers, for programs that serve another protocol to clients. Throws
 * PROJECT_NOT_FOUND, INVALID_PLAYER_TOKEN, UNAVAILABLE.
 */
export function provePlayer(ctx: Service, { projectId, token }: ProvePlayerInput): Promise<PlayerProof> {
  return unavailableInsteadOf(async () => {
    const project = await requireProject(ctx, projectId)
    return prove(ctx, projectId, project.playerAuth ?? NO_PLAYER_AUTH, token)
  })
}
