import { PLAYER_FOUND } from '../../catalog/limits'
import type { LobbyExit } from '../../lobby/last-exit'
import type { Lobby } from '../../lobby/lobby'
import { bannedFrom, memberOf } from '../../lobby/members'
import type { Match } from '../../match/match'
import type { Ports } from '../../ports/ports'
import type { LoggedEvent } from '../../ports/storage/index'
import type { Instant } from '../../shared/time'

/** How a lobby of a player came back to `waiting`, or how the player came out of a match that its lobby went on with. */
export interface PlayerExit extends LobbyExit {
  readonly lobbyId: string
  readonly queueId: string
}

/** Logs that are looked through: those of the newest lobbies. */
const LOGS = 10
/** Number of newest events that are read of each lobby, bounded in bytes as well. */
const EVENTS = 100
const BYTES = 512 * 1_024

interface Stay {
  readonly lobbyId: string
  /** Since when the player was in it. */
  readonly since: Instant
}

/**
 * Returns the newest exits of a player. They are kept nowhere by themselves: each lobby shows its last one, and the logs of lobbies,
 * which are kept for an hour, those before. So asking costs a few readings of logs, and playing costs nothing.
 */
export async function exitsOfPlayer(
  ctx: Ports,
  playerId: string,
  lobbies: readonly Lobby[],
  matches: readonly Match[],
): Promise<readonly PlayerExit[]> {
  const stays = staysOf(playerId, lobbies, matches).slice(0, LOGS)
  const logged = await Promise.all(stays.map((stay) => loggedExits(ctx, playerId, stay)))
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

async function loggedExits(ctx: Ports, playerId: string, { lobbyId, since }: Stay): Promise<readonly PlayerExit[]> {
  const kept = await ctx.storage.events.range(lobbyId)
  if (kept === undefined) return []
  const from = Math.max(kept.oldest - 1, kept.newest - EVENTS)
  const events = await ctx.storage.events.read(lobbyId, from, EVENTS, BYTES)
  return events.flatMap((event, index) => exitsIn(playerId, since, events[index - 1]?.lobby, event))
}

/** Returns the exit that one event of a lobby tells, where it is the player's: that of its lobby, or its own from a match of it. */
function exitsIn(
  playerId: string,
  since: Instant,
  before: Lobby | undefined,
  { lobby, at }: LoggedEvent,
): readonly PlayerExit[] {
  const wasThere = before !== undefined && memberOf(before, playerId) !== undefined
  const isNews = lobby.lastExit?.at !== before?.lastExit?.at
  if (memberOf(lobby, playerId) !== undefined || (wasThere && isNews)) return exitOf(lobby, since)
  return wasThere && before.matchId !== null ? [departure(lobby, playerId, at)] : []
}

/** Returns how a player came out of a match that went on. */
function departure(lobby: Lobby, playerId: string, at: Instant): PlayerExit {
  const how = bannedFrom(lobby).includes(playerId) ? 'was banned from' : 'left, or was removed from,'
  return {
    reason: 'player_left',
    detail: `the player ${how} the lobby during its match`,
    at,
    lobbyId: lobby.id,
    queueId: lobby.queueId,
  }
}

const exitOf = ({ id, queueId, lastExit }: Lobby, since: Instant): readonly PlayerExit[] =>
  lastExit == null || lastExit.at < since ? [] : [{ ...lastExit, lobbyId: id, queueId }]

const joinedAt = (lobby: Lobby, playerId: string): Instant => memberOf(lobby, playerId)?.joinedAt ?? lobby.createdAt
