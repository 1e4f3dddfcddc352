import { ServiceError } from '../../errors/service-error'
import { SECOND_MS } from '../../shared/time'
import type { Context } from '../context'
import type { OnLobbyByBackend } from '../inputs'
import { percentile, recentMatches, waitsOf } from '../queues/queue-stats'
import { requireLobby, requireQueue } from '../require'
import { unavailableInsteadOf } from '../transact'
import { Director } from './director'

export interface QueueExplanation {
  readonly lobbyId: string
  readonly waitedSeconds: number
  readonly rules: readonly {
    readonly type: string
    readonly field: string
    readonly passing: number
    readonly failing: number
  }[]
  /** Other waiting parties that pass every rule beside this one. */
  readonly fittingAll: number
  readonly missing: readonly { readonly team: string; readonly role: string | null; readonly players: number }[]
  readonly nextRelaxationSeconds: number | null
  readonly estimatedWaitSeconds: number | null
}

/** "Why am I still waiting" (design, "Explaining"). Throws LOBBY_NOT_FOUND, INVALID_LOBBY_STATE. */
export function explainMatchmaking(
  ctx: Context,
  directors: ReadonlyMap<string, Director>,
  input: OnLobbyByBackend,
): Promise<QueueExplanation> {
  return unavailableInsteadOf(async () => {
    const lobby = await requireLobby(ctx, input.projectId, input.lobbyId)
    if (lobby.ticket === null) {
      throw new ServiceError('INVALID_LOBBY_STATE', `${lobby.id} is ${lobby.status}; only a lobby in the queue waits`, {
        status: lobby.status,
      })
    }
    const queue = await requireQueue(ctx, lobby.projectId, lobby.queueId)
    const now = ctx.clock.now()
    // The pool of a running director must not change under its tick, so explaining waits its turn. Where this node runs
    // none, one of its own gives the same answer; it only reads more.
    const director = directors.get(queue.id) ?? new Director(ctx, queue.id)
    const ticketId = lobby.ticket.id
    const explanation = await ctx.turns.run(`director:${queue.id}`, async () =>
      (await director.refresh(queue))?.explain(ticketId, now),
    )
    const waits = waitsOf(await recentMatches(ctx, queue.id), lobby.players.length)
    return {
      lobbyId: lobby.id,
      waitedSeconds: Math.max(0, now - lobby.ticket.enteredAt) / SECOND_MS,
      rules: explanation?.rules ?? [],
      fittingAll: explanation?.fittingAll ?? 0,
      missing: explanation?.missing ?? [],
      nextRelaxationSeconds: explanation?.nextRelaxationSeconds ?? null,
      estimatedWaitSeconds: percentile(waits, 0.5),
    }
  })
}
