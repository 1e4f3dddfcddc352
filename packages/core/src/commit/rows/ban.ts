import { type Ban, withoutIdentity } from '../../ban/ban'
import { bansIn, type Project } from '../../project/project'
import type { Draft } from '../draft'
import { followUps } from '../follow-ups'

/**
 * Adds a ban, which replaces an earlier ban of the player. `ended`: a ban that has ended and is removed to make room. The project's row
 * changes too, so that a commit that lets a player in and has not seen the ban fails.
 */
export function putBan(
  draft: Draft,
  project: Project,
  ban: Ban,
  { before, ended }: { readonly before: Ban | undefined; readonly ended: Ban | undefined },
): void {
  if (before === undefined) draft.create('ban', ban)
  else draft.replace('ban', before, ban)
  if (ended !== undefined) draft.remove('ban', ended)
  writeCount(draft, project, bansIn(project) + (before === undefined ? 1 : 0) - (ended === undefined ? 0 : 1))
  draft.tell({ type: 'player_banned', ban, projectId: project.id })
  if (ban.playerId !== null) draft.job(...followUps.playerBanned(project, ban.playerId, draft.at))
}

/** Removes a ban before its end. */
export function liftBan(draft: Draft, project: Project, ban: Ban): void {
  removeBans(draft, project, [ban])
  draft.tell({ type: 'player_unbanned', ban, projectId: project.id })
}

/** Removes the rows of bans of one project. */
export function removeBans(draft: Draft, project: Project, bans: readonly Ban[]): void {
  for (const ban of bans) draft.remove('ban', ban)
  writeCount(draft, project, bansIn(project) - bans.length)
}

/** Removes the player's id and the note from a ban, which stays in force. */
export function eraseFromBan(draft: Draft, ban: Ban): void {
  draft.update('ban', ban, withoutIdentity(ban))
}

function writeCount(draft: Draft, project: Project, bans: number): void {
  draft.update('project', project, { ...project, bans })
}
