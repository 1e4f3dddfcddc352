import { type HeldBy, partyHeldBy } from '../commit/hold'
import { unavailableInsteadOf } from '../commit/transact'
import { ServiceError } from '../errors/service-error'
import { notWaiting } from '../lobby/decide'
import type { OnLobbyByBackend } from '../lobby/on-lobby'
import { ticketOf } from '../lobby/queue-ticket'
import { stayOf } from '../lobby/stay'
import { noteRead } from '../node/note-read'
import type { Service } from '../node/service'
import { hourFigures } from '../reads/last-hour'
import { requireLobby, requireQueue } from '../reads/require'
import { unservedOf } from '../reads/unserved-regions'
import { SECOND_MS } from '../shared/time'
import { crowdOf } from './crowd'

/** Reasons why a lobby still waits in its queue. The counts are numbers of other waiting parties. */
export interface QueueExplanation {
  /** Id of the lobby. */
  readonly lobbyId: string
  /** Seconds since the search began. */
  readonly waitedSeconds: number
  /** Numbers of other waiting parties that pass and fail each rule of the queue. */
  readonly rules: readonly {
    /** Type of the rule, or `version` for the comparison of game versions. */
    readonly type: string
    /** Field of the players' states that the rule reads; null for a rule that reads none. */
    readonly field: string | null
    /** Number of parties that pass the rule. */
    readonly passing: number
    /** Number of parties that fail the rule. */
    readonly failing: number
  }[]
  /** Number of other waiting parties that pass every rule together with this party. */
  readonly fittingAll: number
  /** Number of other waiting parties that were compared. When this is only a sample, the counts are scaled up to all parties. */
  readonly sampled: number
  /** Seats of a match that no waiting party fills; empty when the waiting parties fill all of them. */
  readonly missing: readonly {
    /** Name of the team. */
    readonly team: string
    /** Role in the team; null when the queue has no roles. */
    readonly role: string | null
    /** Number of missing players. */
    readonly players: number
  }[]
  /**
   * Maximum difference between team sizes, when only this bound prevents a short match of the party and the parties that fit; else null.
   */
  readonly maxSizeDifference: number | null
  /** Seconds until a rule relaxes next; null when no rule will. */
  readonly nextRelaxationSeconds: number | null
  /** Median wait in seconds of parties of this size in the last hour, accurate to 10 %; null when it is unknown. */
  readonly estimatedWaitSeconds: number | null
  /** Reason why the party cannot be matched at present, with any party; null without such a reason. */
  readonly heldBy: HeldBy | null
  /** Clauses about the party's regions in which servers cannot run at present; empty without such regions. */
  readonly warnings: readonly string[]
}

export function explainMatchmaking(ctx: Service, input: OnLobbyByBackend): Promise<QueueExplanation> {
  return unavailableInsteadOf(async () => {
    const lobby = await requireLobby(ctx, input.projectId, input.lobbyId)
    await noteRead(ctx, lobby, input)
    const stay = stayOf(lobby)
    if (stay === undefined) throw ServiceError.of(notWaiting(lobby).rejected)
    const queue = await requireQueue(ctx, lobby.projectId, lobby.queueId)
    const [crowd, hour, held] = await Promise.all([
      crowdOf(ctx, queue),
      hourFigures(ctx, queue),
      partyHeldBy(ctx, queue, lobby),
    ])
    const explanation = crowd?.explain(ticketOf(lobby, { ...stay, id: stay.ticketId }))
    return {
      lobbyId: lobby.id,
      waitedSeconds: Math.max(0, ctx.clock.now() - stay.enteredAt) / SECOND_MS,
      rules: explanation?.rules ?? [],
      fittingAll: explanation?.fittingAll ?? 0,
      sampled: explanation?.sampled ?? 0,
      missing: explanation?.missing ?? [],
      maxSizeDifference: explanation?.maxSizeDifference ?? null,
      nextRelaxationSeconds: explanation?.nextRelaxationSeconds ?? null,
      estimatedWaitSeconds: hour.waitSeconds(0.5, lobby.players.length),
      heldBy: held,
      warnings: (await unservedOf(ctx, queue, lobby.players)).map((region) => `no machine serves ${region}`),
    }
  })
}
