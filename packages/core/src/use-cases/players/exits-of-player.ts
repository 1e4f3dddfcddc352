import { PLAYER_FOUND } from '../../catalog/limits'
import type { LobbyExit } from '../../lobby/last-exit'
import type { Lobby } from '../../lobby/lobby'
import { bannedFrom, memberOf } from '../../lobby/members'
import type { Match } from '../../match/match'
import type { Ports } from '../../ports/ports'
import type { LoggedEvent } from '../../ports/storage/index'
import type { Instant } from '../../shared/time'

/** Return of a player's lobby to `waiting`, or departure of the player from a match that the lobby continued. */
export interface PlayerExit extends LobbyExit {
  /** Id of the lobby. */
  readonly lobbyId: string
  /** Queue of the lobby. */
  readonly queueId: string
}

/** Maximum number of logs that are read: those of the newest lobbies. */
const LOGS = 10
/** Maximum number of events, and of bytes, that are read of each lobby's log. The read begins EVENTS before the end of the log. */
const EVENTS = 100
const BYTES = 512 * 1_024

interface Stay {
  readonly lobbyId: string
  /** Time at which the player joined the lobby. */
  readonly since: Instant
}

/**
 * Returns the newest exits of a player. Exits are not stored separately: each lobby stores its last exit, and the logs of lobbies, kept for
 * an hour, contain earlier exits. Only this call therefore costs reads, and play needs no additional writes. Without `readsLogs`, earlier
 * exits are left out.
 */
export async function exitsOfPlayer(
  ctx: Ports,
  playerId: string,
  lobbies: readonly Lobby[],
  matches: readonly Match[],
  { readsLogs }: { readonly readsLogs: boolean },
): Promise<readonly PlayerExit[]> {
  const stays = readsLogs ? staysOf(playerId, lobbies, matches).slice(0, LOGS) : []
  const logged = await Promise.all(stays.map((stay) => loggedExits(ctx, playerId, stay)))
  const exits = [...lobbies.flatMap((lobby) => exitOf(lobby, joinedAt(lobby, playerId))), ...logged.flat()]
  const each = new Map(exits.map((exit) => [`${exit.lobbyId} ${exit.at} ${exit.reason}`, exit]))
  return [...each.values()].sort((a, b) => b.at - a.at).slice(0, PLAYER_FOUND.exits)
}

/**
 * Returns the stays of the player in lobbies, newest first: in the player's present lobbies, then in the lobbies of the player's matches.
 */
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

/**
 * Returns the exits of the player that one event of a lobby shows: the exit of the whole lobby, or the player's own departure from its
 * match.
 */
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

/** Returns the exit of a player who left, or was removed from, a lobby during its match. */
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
