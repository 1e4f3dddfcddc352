import { MAX_LIST_BYTES, PLAYER_FOUND } from '../../catalog/limits'
import { unavailableInsteadOf } from '../../commit/transact'
import type { Lobby } from '../../lobby/lobby'
import { listedStatus } from '../../match/listed'
import type { Match } from '../../match/match'
import type { Ports } from '../../ports/ports'
import type { InProject } from '../../project/in-project'
import { walked } from '../../reads/walk'
import { type MatchOnServer, withServers } from '../../reads/with-servers'
import { utf8Length } from '../../shared/json'
import { exitsOfPlayer, type PlayerExit } from './exits-of-player'

export interface FindPlayerInput extends InProject {
  readonly playerId: string
}

/** Known data of a player: its lobbies, its matches, and their ends. */
export interface FoundPlayer {
  readonly playerId: string
  /** In which it is now, newest first. */
  readonly lobbies: readonly Lobby[]
  /** Newest first, one that is proposed and those that are over too. */
  readonly matches: readonly MatchOnServer[]
  /** How its lobbies came back to `waiting`, the last first: of the last hour, and how each that lives did the last time. */
  readonly lastExits: readonly PlayerExit[]
  /** Whether there are more lobbies or matches than are told. */
  readonly hasMore: boolean
}

/** Bytes of the lobbies that are told, and of the matches that are read. */
const MAX_EACH_BYTES = MAX_LIST_BYTES / 2

/** Whether matches may have been left out for their size. */
const wereCut = (played: readonly Match[]): boolean =>
  played.length < 2 * PLAYER_FOUND.matches && 2 * utf8Length(JSON.stringify(played)) > MAX_EACH_BYTES

export function findPlayer(ctx: Ports, { projectId, playerId }: FindPlayerInput): Promise<FoundPlayer> {
  return unavailableInsteadOf(async () => {
    const [lobbies, played] = await Promise.all([
      walked<Lobby>({
        cursor: undefined,
        limit: PLAYER_FOUND.lobbies,
        maxBytes: MAX_EACH_BYTES,
        async read(window) {
          const query = { projectId, playerId, includePrivate: true, sort: 'created_at_desc', offset: 0 } as const
          return (await ctx.storage.lobbies.browse({ ...query, ...window })).data
        },
      }),
      // Proposals that came to nothing are forgotten within the hour; some more are read, so that they crowd nothing out.
      ctx.storage.matches.ofPlayer(projectId, playerId, 2 * PLAYER_FOUND.matches, MAX_EACH_BYTES),
    ])
    const listed = played.filter((match) => listedStatus(match) !== null)
    const matches = listed.slice(0, PLAYER_FOUND.matches)
    const [there, lastExits] = await Promise.all([
      withServers(ctx, matches),
      exitsOfPlayer(ctx, playerId, lobbies.data, matches),
    ])
    const hasMore = lobbies.nextCursor !== null || listed.length > matches.length || wereCut(played)
    return { playerId, lobbies: lobbies.data, matches: there, lastExits, hasMore }
  })
}
