import type { Ban } from '../../ban/ban'
import { mayAddBan } from '../../ban/decide'
import { type BanWish, banFaults, newBan } from '../../ban/new-ban'
import type { CallOptions } from '../../commit/call-options'
import { Draft } from '../../commit/draft'
import { putBan } from '../../commit/rows/ban'
import { transact } from '../../commit/transact'
import { orThrow, validationFailed } from '../../errors/service-error'
import type { Service } from '../../node/service'
import type { Ports } from '../../ports/ports'
import type { InProject } from '../../project/in-project'
import type { Project } from '../../project/project'
import { queueKey } from '../../queue/queue'
import { actorOf, type ByActor } from '../../reads/actor'
import { banId } from '../../reads/bans'
import { noSuchQueue, requireProject } from '../../reads/require'
import { requireBan } from './read-bans'

export interface OnPlayer extends InProject {
  /** Id of the player, 1 to 128 characters. */
  readonly playerId: string
}

export interface SetBanInput extends OnPlayer, BanWish, ByActor {}

/**
 * Bans a player, or replaces the player's ban. A job ends the player's searches. Throws VALIDATION_FAILED, QUEUE_NOT_FOUND, BAN_LIMIT,
 * PROJECT_NOT_FOUND.
 */
export function setBan(ctx: Service, input: SetBanInput, call?: CallOptions): Promise<Ban> {
  const { projectId, playerId } = input
  const set = async () => {
    const draft = new Draft(ctx.clock.now())
    const { at } = draft
    const issues = banFaults(input, at)
    if (issues.length > 0) throw validationFailed(issues)
    const project = await requireProject(ctx, projectId)
    await requireQueues(ctx, projectId, input.queues ?? [])
    const id = banId(ctx, projectId, playerId)
    const before = await ctx.storage.get('ban', id)
    const ended = before === undefined ? await roomIn(ctx, project, at) : undefined
    const ban = newBan(before, input, { id, projectId, playerId, by: await actorOf(ctx, input.by), at })
    putBan(draft, project, ban, { before, ended })
    return { draft, answer: ban, about: { id } }
  }
  return transact(ctx, call, set, () => requireBan(ctx, input))
}

async function requireQueues(ctx: Ports, projectId: string, queueIds: readonly string[]): Promise<void> {
  const found = await ctx.storage.getMany(
    'queue',
    queueIds.map((queueId) => queueKey(projectId, queueId)),
  )
  const known = new Set(found.map(({ queueId }) => queueId))
  for (const queueId of queueIds) if (!known.has(queueId)) noSuchQueue(projectId, queueId)
}

/**
 * Returns the ban that must be removed to make room for another: the one that ended first. Undefined when there is room. Throws BAN_LIMIT
 * when all bans of a full project are in force.
 */
async function roomIn(ctx: Ports, project: Project, at: number): Promise<Ban | undefined> {
  const room = mayAddBan(project)
  if (room.ok) return undefined
  const [ended] = await ctx.storage.bans.listEnded({ projectId: project.id, until: at, limit: 1 })
  if (ended === undefined) orThrow(room)
  return ended
}
