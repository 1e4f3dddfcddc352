import { appliesTo, type Ban, banText, isInForce, type PlayerBan } from '../ban/ban'
import type { Lobby } from '../lobby/lobby'
import { playerIdsOf } from '../lobby/members'
import type { Ports } from '../ports/ports'
import { bansIn, type Project } from '../project/project'
import type { Instant } from '../shared/time'

export const banId = (ctx: Ports, projectId: string, playerId: string): string =>
  ctx.tokens.hash(banText(projectId, playerId))

/** Returns the ban of a player if it is in force; otherwise undefined. */
export async function banOf(ctx: Ports, projectId: string, playerId: string): Promise<Ban | undefined> {
  const ban = await ctx.storage.get('ban', banId(ctx, projectId, playerId))
  return ban !== undefined && isInForce(ban, ctx.clock.now()) ? ban : undefined
}

/**
 * Returns the bans in force of these players. Reads nothing while the project has no bans. A commit that relies on the answer checks the
 * version of the project.
 */
export async function bansOf(
  ctx: Ports,
  project: Project,
  playerIds: readonly string[],
  at: Instant,
): Promise<PlayerBan[]> {
  if (bansIn(project) === 0) return []
  const players = new Map(playerIds.map((playerId) => [banId(ctx, project.id, playerId), playerId]))
  const bans = await ctx.storage.getMany('ban', [...players.keys()])
  return bans
    .filter((ban) => isInForce(ban, at))
    .map((ban) => ({ playerId: players.get(ban.id) ?? '', ban }))
    .sort((a, b) => playerIds.indexOf(a.playerId) - playerIds.indexOf(b.playerId))
}

/**
 * Returns the lobbies with a player whom a ban keeps out of the lobby's queue. A commit that relies on the answer checks the version of the
 * project.
 */
export async function bannedLobbies(
  ctx: Ports,
  project: Project,
  lobbies: readonly Lobby[],
  at: Instant,
): Promise<Lobby[]> {
  const bans = await bansOf(ctx, project, lobbies.flatMap(playerIdsOf), at)
  const isOut = (playerId: string, queueId: string) =>
    bans.some((one) => one.playerId === playerId && appliesTo(one.ban, queueId))
  return lobbies.filter((lobby) => playerIdsOf(lobby).some((playerId) => isOut(playerId, lobby.queueId)))
}
