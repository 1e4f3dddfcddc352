import type { Ban } from '../../ban/ban'
import { MAX_LIST_BYTES, PLAYER_FOUND } from '../../catalog/limits'
import { unavailableInsteadOf } from '../../commit/transact'
import { asSeenBy } from '../../lobby/as-seen'
import type { Lobby } from '../../lobby/lobby'
import { hasPlayed, listedStatus } from '../../match/listed'
import type { Match } from '../../match/match'
import type { Service } from '../../node/service'
import type { ShownStanding } from '../../rating/standing'
import { banOf } from '../../reads/bans'
import { standingsOf } from '../../reads/standings'
import { walked } from '../../reads/walk'
import { type MatchOnServer, withServers } from '../../reads/with-servers'
import { utf8Length } from '../../shared/json'
import { exitsOfPlayer, type PlayerExit } from './exits-of-player'
import { type OfPlayer, type PlayerNow, playerNow } from './player-now'

/** Input of a call that finds the known data about a player. */
export type FindPlayerInput = OfPlayer

/** Known data about a player: the current match and searches, lobbies, matches, and the ends of matches and searches. */
export interface FoundPlayer extends PlayerNow {
  /** Id of the player. */
  readonly playerId: string
  /** Lobbies in which the player is at present, newest first. */
  readonly lobbies: readonly Lobby[]
  /** Matches of the player, newest first, with proposed matches and matches that have ended. */
  readonly matches: readonly MatchOnServer[]
  /** Exits of the player's lobbies, newest first: all exits of the last hour, and the last exit of each present lobby. */
  readonly lastExits: readonly PlayerExit[]
  /** Bans of the player that are in force; a project has at most one ban of each player. */
  readonly bans: readonly Ban[]
  /** Standings of the player in the ratings of the project. */
  readonly ratings: readonly ShownStanding[]
  /** Whether the player has more lobbies or matches than are listed. */
  readonly hasMore: boolean
}

/** Maximum bytes of the listed lobbies, and of the matches that are read. */
const MAX_EACH_BYTES = MAX_LIST_BYTES / 2

/** Whether matches may be missing because the maximum of bytes was reached. */
const wereCut = (played: readonly Match[]): boolean =>
  played.length < 2 * PLAYER_FOUND.matches && 2 * utf8Length(JSON.stringify(played)) > MAX_EACH_BYTES

export function findPlayer(ctx: Service, input: FindPlayerInput): Promise<FoundPlayer> {
  return unavailableInsteadOf(() => playerRecord(ctx, input, { forPlayer: false }))
}

/**
 * Returns the data about a player. With `forPlayer`, a match that is only proposed is not the live match, and only the last exit of each
 * present lobby is returned, which costs no additional reads.
 */
export async function playerRecord(
  ctx: Service,
  { projectId, playerId }: OfPlayer,
  { forPlayer }: { readonly forPlayer: boolean },
): Promise<FoundPlayer> {
  const [now, lobbies, played, ban, ratings] = await Promise.all([
    playerNow(ctx, { projectId, playerId }, { forPlayer }),
    walked<Lobby>({
      cursor: undefined,
      limit: PLAYER_FOUND.lobbies,
      maxBytes: MAX_EACH_BYTES,
      async read(window) {
        const query = { projectId, playerId, includePrivate: true, sort: 'created_at_desc', offset: 0 } as const
        return (await ctx.storage.lobbies.browse({ ...query, ...window })).data
      },
    }),
    // Proposed matches that were not made are removed within an hour. More matches are read than are listed, so that such proposals do
    // not displace other matches.
    ctx.storage.matches.ofPlayer(projectId, playerId, 2 * PLAYER_FOUND.matches, MAX_EACH_BYTES),
    banOf(ctx, projectId, playerId),
    standingsOf(ctx, projectId, playerId),
  ])
  const listed = played.filter((match) => listedStatus(match) !== null && hasPlayed(match, playerId))
  const matches = listed.slice(0, PLAYER_FOUND.matches)
  const [there, lastExits] = await Promise.all([
    withServers(ctx, matches),
    exitsOfPlayer(ctx, playerId, lobbies.data, matches, { readsLogs: !forPlayer }),
  ])
  const hasMore = lobbies.nextCursor !== null || listed.length > matches.length || wereCut(played)
  const bans = ban === undefined ? [] : [ban]
  const shown = lobbies.data.map((lobby) => asSeenBy(lobby, { playerId, backend: !forPlayer }))
  return { playerId, ...now, lobbies: shown, matches: there, lastExits, bans, ratings, hasMore }
}
