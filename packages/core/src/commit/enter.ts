import { mayEnterProject, mayEnterQueue } from '../ban/decide'
import { orThrow } from '../errors/service-error'
import type { ByClient } from '../lobby/on-lobby'
import type { Ports } from '../ports/ports'
import type { Project } from '../project/project'
import { bansOf } from '../reads/bans'
import { requireProject } from '../reads/require'
import type { Instant } from '../shared/time'
import type { Draft } from './draft'

/** Entry of players into a project: they create or join a lobby, enter its queue, or start a match. */
export interface Entry {
  readonly project: Project
  /** Throws PLAYER_BANNED when a player is banned from this queue. */
  readonly into: (queueId: string) => void
}

type Entering = ByClient & { readonly projectId: string; readonly playerId: string }

/**
 * Throws PLAYER_BANNED when one of the players is banned from the whole project. The commit of the draft checks the version of the project,
 * so a ban that is set meanwhile makes the commit fail. While the project has no bans, none is looked up.
 */
export async function enter(ctx: Ports, draft: Draft, by: Entering, playerIds = [by.playerId]): Promise<Entry> {
  const project = await requireProject(ctx, by.projectId)
  draft.check('project', project)
  return { project, into: project.bans ? await bansFor(ctx, project, draft.at, by, playerIds) : () => {} }
}

async function bansFor(
  ctx: Ports,
  project: Project,
  at: Instant,
  { playerId, client }: Entering,
  playerIds: readonly string[],
): Promise<Entry['into']> {
  const bans = await bansOf(ctx, project, playerIds, at)
  const to = { playerId, backend: client === undefined }
  orThrow(mayEnterProject(bans, to))
  return (queueId) => void orThrow(mayEnterQueue(bans, to, queueId))
}
