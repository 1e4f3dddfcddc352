import type { Ports } from '../../ports/ports'
import { type Cooling, cooldownText, prolonged } from '../../queue/cooldown'
import type { Queue } from '../../queue/queue'
import type { Draft } from '../draft'

type OfQueue = Pick<Queue, 'projectId' | 'queueId'>

const idOf = (ctx: Ports, queue: OfQueue, playerId: string) => ctx.tokens.hash(cooldownText(queue, playerId))

/** Adds cooldowns to the draft: these players cannot enter the queue before an instant. */
export async function coolDown(
  ctx: Ports,
  draft: Draft,
  queue: OfQueue,
  playerIds: readonly string[],
  until: number,
): Promise<void> {
  const { projectId, queueId } = queue
  const ids = [...new Set(playerIds)].map((playerId) => idOf(ctx, queue, playerId))
  const known = new Map((await ctx.storage.getMany('cooldown', ids)).map((cooldown) => [cooldown.id, cooldown]))
  for (const id of ids) {
    const before = known.get(id)
    const row = { id, projectId, queueId, until: prolonged(before, until) }
    if (before === undefined) draft.create('cooldown', { ...row, version: 1 })
    else draft.update('cooldown', before, row)
  }
}

/** Returns the end of each player's cooldown in the queue. Players without a cooldown are left out. */
export async function coolingOf(ctx: Ports, queue: OfQueue, playerIds: readonly string[]): Promise<Cooling[]> {
  const players = new Map(playerIds.map((playerId) => [idOf(ctx, queue, playerId), playerId]))
  const cooldowns = await ctx.storage.getMany('cooldown', [...players.keys()])
  return cooldowns.map(({ id, until }) => ({ playerId: players.get(id) ?? '', until }))
}
