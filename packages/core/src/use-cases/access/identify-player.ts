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
  /** As `authenticateKey` found it. */
  readonly caller: Caller
  /** Whether the operation asks for a player: its row in the table of permissions. */
  readonly rule: Permission['player']
  /** Claimed acting player: the `x-player-id` header. */
  readonly playerId?: string | undefined
  /** The token of `Authorization: Bearer` beside the key. */
  readonly token?: string | undefined
}

/** Acting player, with the source of the identity. */
export interface IdentifiedPlayer {
  /** undefined where nobody is named and nobody need be. */
  readonly playerId: string | undefined
  /** Present where a client calls: the proven values of trusted fields. */
  readonly client: ClientWord | undefined
  /** When streams that it opens end. */
  readonly until: Instant | undefined
}

/**
 * The acting player of a call: named by a token where the project reads tokens, else as the caller says. A backend is believed always.
 * Throws PLAYER_TOKEN_REQUIRED, INVALID_PLAYER_TOKEN, PLAYER_ID_REQUIRED; UNAVAILABLE while an issuer's keys cannot be read and none are known.
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

/** A stream lasts a little longer than its key, as longer than a player's token, so that the reader can return with a new one. */
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
 * Returns the proof of a player token by the project's present issuers, for programs that put their own wire in front of the service. Throws
 * PROJECT_NOT_FOUND, INVALID_PLAYER_TOKEN, UNAVAILABLE.
 */
export function provePlayer(ctx: Service, { projectId, token }: ProvePlayerInput): Promise<PlayerProof> {
  return unavailableInsteadOf(async () => {
    const project = await requireProject(ctx, projectId)
    return prove(ctx, projectId, project.playerAuth ?? NO_PLAYER_AUTH, token)
  })
}
