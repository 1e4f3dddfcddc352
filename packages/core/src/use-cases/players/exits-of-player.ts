import { PLAYER_FOUND } from '../../catalog/limits'
import type { Context } from '../../context/context'
import type { LobbyExit } from '../../lobby/last-exit'
import type { Lobby } from '../../lobby/lobby'
import { memberOf } from '../../lobby/members'
import type { Match } from '../../match/match'
import type { Instant } from '../../shared/time'

/** How a lobby of a player came back to `waiting`. */
export interface PlayerExit extends LobbyExit {
  readonly lobbyId: string
  readonly queueId: string
}

/** Logs that are looked through: those of the newest lobbies. */
const LOGS = 10
/** Of each its newest events, and so many bytes of them. */
const EVENTS = 100
const BYTES = 512 * 1_024

interface Stay {
  readonly lobbyId: string
  /** Since when the player was in it. */
  readonly since: Instant
}

/**
 * The newest exits of a player's lobbies. They are kept nowhere by themselves: each lobby shows its last one, and the logs of lobbies,
 * which are kept for an hour, those before. So asking costs a few readings of logs, and playing costs nothing.
 */
export async function exitsOfPlayer(
  ctx: Context,
  playerId: string,
  lobbies: readonly Lobby[],
  matches: readonly Match[],
): Promise<readonly PlayerExit[]> {
  const stays = staysOf(playerId, lobbies, matches).slice(0, LOGS)
  const logged = await Promise.all(stays.map((stay) => loggedExits(ctx, stay)))
  const exits = [...lobbies.flatMap((lobby) => exitOf(lobby, joinedAt(lobby, playerId))), ...logged.flat()]
  const each = new Map(exits.map((exit) => [`${exit.lobbyId} ${exit.at} ${exit.reason}`, exit]))
  return [...each.values()].sort((a, b) => b.at - a.at).slice(0, PLAYER_FOUND.exits)
}

/** The lobbies in which the player is, then those with which it played, newest first. */
function staysOf(playerId: string, lobbies: readonly Lobby[], matches: readonly Match[]): readonly Stay[] {
  const stays = new Map(lobbies.map((lobby) => [lobby.id, joinedAt(lobby, playerId)]))
  for (const match of matches) {
    for (const player of match.teams.flatMap(({ players }) => players)) {
      const since = stays.get(player.lobbyId) ?? match.createdAt
      if (player.playerId === playerId) stays.set(player.lobbyId, Math.min(since, match.createdAt))
    }
  }
  return [...stays].map(([lobbyId, since]) => ({ lobbyId, since }))
}

async function loggedExits(ctx: Context, { lobbyId, since }: Stay): Promise<readonly PlayerExit[]> {
  const kept = await ctx.storage.events.range(lobbyId)
  if (kept === undefined) return []
  const from = Math.max(kept.oldest - 1, kept.newest - EVENTS)
  const events = await ctx.storage.events.read(lobbyId, from, EVENTS, BYTES)
  return events.flatMap(({ lobby }) => exitOf(lobby, since))
}

const exitOf = ({ id, queueId, lastExit }: Lobby, since: Instant): readonly PlayerExit[] =>
  lastExit == null || lastExit.at < since ? [] : [{ ...lastExit, lobbyId: id, queueId }]

const joinedAt = (lobby: Lobby, playerId: string): Instant => memberOf(lobby, playerId)?.joinedAt ?? lobby.createdAt
