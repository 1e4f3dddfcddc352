import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { forgetAnswer } from '../../commit/idempotency'
import { transact } from '../../commit/transact'
import { orThrow } from '../../errors/service-error'
import { takesPlayers } from '../../match/decide'
import { type JoinGrant, joinGrant } from '../../match/join-token'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import type { InProject } from '../../project/in-project'
import { noSuchMatch, requireMatch } from '../../reads/require'
import type { Instant } from '../../shared/time'
import { joinTokenKey } from '../../tokens/join-token-key'

export interface IssueJoinTokenInput extends InProject {
  /** Id of the match: `mat_` and a ULID. */
  readonly matchId: string
  /** Player of the match. */
  readonly playerId: string
}

/** Token with which a player joins the game server of a match. */
export interface JoinToken {
  /** JWT, signed with HS256. The match's game server verifies it with `join_token_key`. */
  readonly token: string
  /** Time at which the token expires. */
  readonly expiresAt: Instant
}

/**
 * Returns a token by which a player proves to the game server of a match that the player belongs to the match. The server verifies the
 * token without a call to the service. The token is valid for five minutes. Throws MATCH_NOT_FOUND, also when the player is not in the
 * match, and INVALID_MATCH_STATE.
 */
export async function issueJoinToken(ctx: Service, input: IssueJoinTokenInput, call?: CallOptions): Promise<JoinToken> {
  const granted = await grant(ctx, input, call)
  if (granted.expiresAt > ctx.clock.now()) return signed(ctx, granted)
  // The grant that the first call stored has expired, so a new grant is made.
  await forgetAnswer(ctx, call)
  return signed(ctx, await grant(ctx, input, call))
}

/** Grant of a token with the instant at which its match was created; undefined in answers that an earlier release stored. */
type Granted = JoinGrant & { readonly matchFrom?: Instant }

/** Returns the grant of a token. Only the grant is stored, never the token: the token is signed again from its grant. */
const grant = (ctx: Service, input: IssueJoinTokenInput, call: CallOptions | undefined): Promise<Granted> =>
  transact(ctx, call, async () => {
    const match = await requireMatch(ctx, input.projectId, input.matchId)
    const draft = new Draft(ctx.clock.now())
    const granted = joinGrant(match, input.playerId, draft.at) ?? noSuchMatch(match.id)
    orThrow(takesPlayers(match))
    return { draft, answer: { ...granted, matchFrom: match.createdAt } }
  })

async function signed(ctx: Ports, granted: Granted): Promise<JoinToken> {
  const key = joinTokenKey(ctx.tokens, { id: granted.matchId, createdAt: granted.matchFrom ?? granted.issuedAt })
  return { token: await ctx.tokens.issueJoinToken(key, granted), expiresAt: granted.expiresAt }
}
