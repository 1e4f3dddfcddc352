import { checkFreeForm } from '../../catalog/free-form'
import { checkPlayerId } from '../../catalog/player-id'
import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { enter } from '../../commit/enter'
import { idempotently } from '../../commit/idempotency'
import { unavailableInsteadOf } from '../../commit/transact'
import { ServiceError } from '../../errors/service-error'
import { quickJoinKeyOf } from '../../lobby/labels'
import type { Service } from '../../node/service'
import { queueKey } from '../../queue/queue'
import { lobbyNow, requireQueue } from '../../reads/require'
import { checkFilter } from './check-filter'
import { mayMakeLobbies } from './create-lobby'
import type { QuickJoined, QuickJoinInput } from './quick-join-input'
import { type Newcomer, SeatingRound } from './seat-newcomers'

/** Maximum number of players that one commit seats. */
const MAX_TOGETHER = 100
/** Maximum number of players who wait for a seat on this node. */
const MAX_WAITING = 10_000

/**
 * Collects quick joins. A node seats players with the same request together, with one commit for each lobby. A thousand calls at once thus
 * need about a hundred commits, and nodes seldom conflict. Collecting only saves work: when commits conflict, the versions of rows decide.
 * A unique key makes sure that only one node creates the next lobby.
 */
export class QuickJoins {
  private readonly waiting = new Map<string, Newcomer[]>()
  private count = 0

  constructor(private readonly ctx: Service) {}

  /**
   * Joins the open public lobby of the queue that fits the request and has the fewest free seats. When no lobby fits, creates a lobby.
   * Throws QUEUE_NOT_FOUND, VALIDATION_FAILED, LOBBY_NOT_FOUND with `create: false`, and the errors of creating a lobby.
   */
  join(input: QuickJoinInput, call?: CallOptions): Promise<QuickJoined> {
    return unavailableInsteadOf(async () => {
      checkPlayerId(input.playerId)
      checkFreeForm({ state: input.state })
      checkFilter('filter', input.filter)
      const join = async () => {
        await this.requireQueue(input)
        const joined = await this.seated(input, call)
        await this.ctx.node.presence.touchMember(joined.lobby, input.playerId, this.ctx.clock.now())
        return joined
      }
      return idempotently(this.ctx, call, join, async ({ id, rest: made }) => ({
        lobby: await lobbyNow(this.ctx, input, id),
        made: made === true,
      }))
    })
  }

  /**
   * Throws an error when the queue does not exist. Without a queue the call could only create a lobby, so a ban and the plan are checked
   * first (docs/http-api.md §1).
   */
  private async requireQueue(input: QuickJoinInput): Promise<void> {
    const { projectId, queueId, create } = input
    const queue = await this.ctx.storage.get('queue', queueKey(projectId, queueId))
    if (queue !== undefined) return
    const { project } = await enter(this.ctx, new Draft(this.ctx.clock.now()), input)
    if (create !== false) await mayMakeLobbies(this.ctx, project)
    await requireQueue(this.ctx, projectId, queueId)
  }

  private seated(input: QuickJoinInput, call: CallOptions | undefined): Promise<QuickJoined> {
    if (this.count >= MAX_WAITING)
      throw new ServiceError('UNAVAILABLE', 'too many quick joins are being processed; try again shortly')
    const key = JSON.stringify([
      input.projectId,
      quickJoinKeyOf(input.queueId, { ...input.filter }),
      input.create !== false,
    ])
    return new Promise((resolve, reject) => {
      const line = this.waiting.get(key) ?? []
      this.waiting.set(key, line)
      line.push({ input, call, resolve, reject })
      this.count++
      void this.ctx.node.turns.run(`quick-join ${key}`, () => this.serve(key))
    })
  }

  /** Seats the players who wait at this moment; later callers are seated by a later run. Never throws. */
  private async serve(key: string): Promise<void> {
    const line = this.waiting.get(key) ?? []
    const newcomers = line.splice(0, MAX_TOGETHER)
    if (line.length === 0) this.waiting.delete(key)
    this.count -= newcomers.length
    if (newcomers.length > 0) await new SeatingRound(this.ctx, newcomers).run()
  }
}
