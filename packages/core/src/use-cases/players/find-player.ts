import { PLAYER_FOUND } from '../../catalog/limits'
import { unavailableInsteadOf } from '../../commit/transact'
import type { Context } from '../../context/context'
import type { InProject } from '../../context/inputs'
import { walked } from '../../context/walk'
import { type MatchOnServer, withServers } from '../../context/with-servers'
import type { Lobby } from '../../lobby/lobby'
import { listedStatus } from '../../match/listed'
import { exitsOfPlayer, type PlayerExit } from './exits-of-player'

export interface FindPlayerInput extends InProject {
  readonly playerId: string
}

/** What is known of a player: where it is, what it played, and how that ended. */
export interface FoundPlayer {
  readonly playerId: string
  /** In which it is now, newest first. */
  readonly lobbies: readonly Lobby[]
  /** Newest first, one that is proposed and those that are over too. */
  readonly matches: readonly MatchOnServer[]
  /** How its lobbies came back to `waiting`, the last first: of the last hour, and how each that lives did the last time. */
  readonly lastExits: readonly PlayerExit[]
}

/** A player of the project; one whom nobody knows has nothing. */
export function findPlayer(ctx: Context, { projectId, playerId }: FindPlayerInput): Promise<FoundPlayer> {
  return unavailableInsteadOf(async () => {
    const [lobbies, played] = await Promise.all([
      walked<Lobby>({
        cursor: undefined,
        limit: PLAYER_FOUND.lobbies,
        portion: 10,
        async read(before, limit) {
          const query = { projectId, playerId, includePrivate: true, sort: 'created_at_desc', offset: 0 } as const
          return (await ctx.storage.lobbies.browse({ ...query, limit, ...(before && { before }) })).data
        },
      }),
      // Proposals that came to nothing are forgotten within the hour; some more are read, so that they crowd nothing out.
      ctx.storage.matches.ofPlayer(projectId, playerId, 2 * PLAYER_FOUND.matches),
    ])
    const matches = played.filter((match) => listedStatus(match) !== null).slice(0, PLAYER_FOUND.matches)
    const [there, lastExits] = await Promise.all([
      withServers(ctx, matches),
      exitsOfPlayer(ctx, playerId, lobbies.data, matches),
    ])
    return { playerId, lobbies: lobbies.data, matches: there, lastExits }
  })
}
