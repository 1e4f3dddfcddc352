import { mayEnterProject, mayEnterQueue } from '../ban/decide'
import { orThrow } from '../errors/service-error'
import type { ByClient } from '../lobby/on-lobby'
import type { Ports } from '../ports/ports'
import type { Project } from '../project/project'
import { bansOf } from '../reads/bans'
import { requireProject } from '../reads/require'
import type { Draft } from './draft'

/** Entry of players into a project: they create or join a lobby, enter its queue, or start a match. */
export interface Entry {
  readonly project: Project
  /** Throws PLAYER_BANNED when a player is banned from this queue. */
  readonly into: (queueId: string) => void
}

/**
 * Throws PLAYER_BANNED when one of the players is banned from the whole project. The commit of the draft checks the version of the project,
 * so a ban that is set meanwhile makes the commit fail.
 */
export async function enter(
  ctx: Ports,
  draft: Draft,
  by: ByClient & { readonly projectId: string; readonly playerId: string },
  playerIds: readonly string[] = [by.playerId],
): Promise<Entry> {
  const project = await requireProject(ctx, by.projectId)
  draft.check('project', project)
  const bans = await bansOf(ctx, project, playerIds, draft.at)
  const to = { playerId: by.playerId, backend: by.client === undefined }
  orThrow(mayEnterProject(bans, to))
  return { project, into: (queueId) => void orThrow(mayEnterQueue(bans, to, queueId)) }
}
