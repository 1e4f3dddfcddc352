import type { CallOptions } from '../../commit/call-options'
import { departByReport } from '../../commit/depart-by-report'
import { Draft } from '../../commit/draft'
import { replayed } from '../../commit/idempotency'
import { ofMatch } from '../../commit/of-match'
import { change, transact, unavailableInsteadOf } from '../../commit/transact'
import { accept } from '../../errors/decision'
import { orThrow } from '../../errors/service-error'
import type { Lobby } from '../../lobby/lobby'
import { closeMatch } from '../../match/backfill'
import { seatOf } from '../../match/decide'
import type { Service } from '../../node/service'
import { requireMatch } from '../../reads/require'
import { matchOfSelf } from '../../reads/require-self'
import type { SelfCall } from '../../server/self-call'

/**
 * Records the report of a game server that a player has left: the match marks the player, and the player leaves the lobby. A repeated
 * report, or one after the match, changes nothing; a call repeated under its idempotency key does not remove a player who has returned
 * since. Throws MATCH_NOT_FOUND, PLAYER_NOT_IN_LOBBY (of kind `absent`), INVALID_SERVER_STATE.
 */
export async function selfPlayerLeft(
  ctx: Service,
  input: SelfCall & { readonly playerId: string },
  call?: CallOptions,
): Promise<void> {
  const { playerId } = input
  // A repeated call is answered first: the lobby is looked up before the commit, and the player may be in another one by now.
  if ((await unavailableInsteadOf(() => replayed(ctx, call))) !== undefined) return
  const { projectId, matchId, lobbyId } = await unavailableInsteadOf(async () => {
    const target = await matchOfSelf(ctx, input)
    const match = await requireMatch(ctx, target.projectId, target.matchId)
    return { ...target, lobbyId: orThrow(seatOf(match, playerId))[0]?.lobbyId }
  })
  const inMatch = (lobby: Lobby) => lobby.matchId === matchId
  const found = lobbyId !== undefined && (await departByReport(ctx, { projectId, lobbyId }, playerId, inMatch, call))
  // The player was gone already; the answer is recorded for a repeated call.
  if (!found) await transact(ctx, call, async () => ({ draft: new Draft(ctx.clock.now()), answer: null }))
}

/**
 * Closes a match to new players at the request of its game server: its backfill request ends, and no other is made until the match ends.
 * Throws MATCH_NOT_FOUND, INVALID_SERVER_STATE.
 */
export async function selfClose(ctx: Service, input: SelfCall, call?: CallOptions): Promise<void> {
  const target = await unavailableInsteadOf(() => matchOfSelf(ctx, input))
  await change(ctx, ofMatch, target, (match, { at }) => accept(...closeMatch(match, at)), { call, answer: () => null })
}
