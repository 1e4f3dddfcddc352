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

export interface PlayerLeftInput extends SelfCall {
  /** Player of the match who left. */
  readonly playerId: string
  /** Whether the player gets no penalty for leaving the running match. Default: false. */
  readonly excused?: boolean | undefined
}

/**
 * Records the report of a game server that a player has left: the match marks the player as gone, and the player leaves the lobby. A
 * repeated report changes nothing, and neither does a report after the end of the match. A call that is repeated with its idempotency key
 * does not remove a player who has returned since. Throws MATCH_NOT_FOUND, PLAYER_NOT_IN_LOBBY (of kind `absent`), INVALID_SERVER_STATE.
 */
export async function selfPlayerLeft(ctx: Service, input: PlayerLeftInput, call?: CallOptions): Promise<void> {
  const { playerId, excused: isExcused = false } = input
  // A repeated call is answered before the look-up of the lobby, because the player may be in another lobby by now.
  if ((await unavailableInsteadOf(() => replayed(ctx, call))) !== undefined) return
  const { projectId, matchId, lobbyId } = await unavailableInsteadOf(async () => {
    const target = await matchOfSelf(ctx, input)
    const match = await requireMatch(ctx, target.projectId, target.matchId)
    return { ...target, lobbyId: orThrow(seatOf(match, playerId))[0]?.lobbyId }
  })
  const inMatch = (lobby: Lobby) => lobby.matchId === matchId
  const target = { projectId, lobbyId: lobbyId ?? '' }
  const player = { playerId, isExcused }
  const found = lobbyId !== undefined && (await departByReport(ctx, target, player, inMatch, call))
  // The player had left before. The answer is stored nevertheless, for a repeated call.
  if (!found) await transact(ctx, call, async () => ({ draft: new Draft(ctx.clock.now()), answer: null }))
}

/**
 * Closes a match to new players for its game server. The backfill request of the match ends, and no other request is made until the match
 * ends. Throws MATCH_NOT_FOUND, INVALID_SERVER_STATE.
 */
export async function selfClose(ctx: Service, input: SelfCall, call?: CallOptions): Promise<void> {
  const target = await unavailableInsteadOf(() => matchOfSelf(ctx, input))
  await change(ctx, ofMatch, target, (match, { at }) => accept(...closeMatch(match, at)), { call, answer: () => null })
}
