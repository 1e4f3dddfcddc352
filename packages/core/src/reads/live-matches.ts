import { ServiceError } from '../errors/service-error'
import type { Match } from '../match/match'
import { asHeld, type HeldPlayer, playersFree } from '../match/one-match'
import type { Ports } from '../ports/ports'
import { type CommitConflict, uniqueKey } from '../ports/storage/index'

/** Returns the live match that keeps the player out of other matches; undefined without such a match. */
export const liveMatchOf = (ctx: Ports, projectId: string, playerId: string): Promise<Match | undefined> =>
  ctx.storage.find('match', uniqueKey.livePlayer(projectId, playerId))

/** Returns those of the players whom a live match keeps out of other matches, in the order of `playerIds`. */
export async function heldOf(ctx: Ports, projectId: string, playerIds: readonly string[]): Promise<HeldPlayer[]> {
  const matches = await Promise.all(playerIds.map((playerId) => liveMatchOf(ctx, projectId, playerId)))
  return matches.flatMap((match, index) => {
    const playerId = playerIds[index]
    if (match === undefined || playerId === undefined) return []
    return [asHeld(match, playerId)]
  })
}

/** Whether a commit was refused because another live match holds a player of the commit's match. */
export const isHeldConflict = ({ kind, on, id }: CommitConflict): boolean =>
  kind === 'unique-key' && on === 'unique' && id.startsWith(uniqueKey.livePlayer('', '').slice(0, -1))

/**
 * Returns the error PLAYER_IN_MATCH for a commit that was refused because of a held player; undefined for other conflicts, and when the
 * other match has ended meanwhile.
 */
export async function heldConflict(
  ctx: Ports,
  projectId: string,
  playerIds: readonly string[],
  conflict: CommitConflict,
): Promise<ServiceError | undefined> {
  if (!isHeldConflict(conflict)) return undefined
  const free = playersFree(await heldOf(ctx, projectId, playerIds))
  return free.ok ? undefined : ServiceError.of(free.rejected)
}
