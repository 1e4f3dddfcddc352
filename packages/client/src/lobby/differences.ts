import type { Lobby, LobbyExit, Player, Proposal } from '../api/types'

/** Events of a lobby, each with its arguments. */
export interface LobbyEvents {
  /** The lobby changed; the arguments are its new and its previous version. Sent once for each version, in order. */
  change: [now: Lobby, before: Lobby]
  /** A player joined. */
  player_joined: [player: Player]
  /** A player left, was kicked, or was silent for too long. */
  player_left: [player: Player]
  /** Another player is the host. */
  host_changed: [playerId: string]
  /** A match is proposed, or players have answered the proposal; null when the proposal has ended. */
  proposal: [proposal: Proposal | null]
  /** A match was made; its server may still be starting. */
  matched: [now: Lobby]
  /** The match runs, and its server, if it has one, accepts players. */
  in_game: [now: Lobby]
  /** The lobby returned to `waiting`, with the reason. */
  exit: [exit: LobbyExit]
}

/** One event with its arguments. */
export type LobbyEvent = {
  [E in keyof LobbyEvents]: { readonly name: E; readonly args: LobbyEvents[E] }
}[keyof LobbyEvents]

/** Returns the events between two versions of a lobby. */
export function differences(now: Lobby, before: Lobby): LobbyEvent[] {
  const events: LobbyEvent[] = []
  const tell = <E extends keyof LobbyEvents>(name: E, ...args: LobbyEvents[E]) =>
    events.push({ name, args } as LobbyEvent)
  tell('change', now, before)
  // A player who left and joined again counts as a new player with the same id.
  const isIn = (lobby: Lobby, { player_id, joined_at }: Player) =>
    lobby.players.some((player) => player.player_id === player_id && player.joined_at === joined_at)
  for (const player of before.players) if (!isIn(now, player)) tell('player_left', player)
  for (const player of now.players) if (!isIn(before, player)) tell('player_joined', player)
  if (now.host_player_id !== before.host_player_id) tell('host_changed', now.host_player_id)
  if (JSON.stringify(now.proposal) !== JSON.stringify(before.proposal)) tell('proposal', now.proposal ?? null)
  const isNew = now.match_id !== before.match_id
  if (now.match_id !== null && isNew) tell('matched', now)
  if (now.status === 'in_game' && (before.status !== 'in_game' || isNew)) tell('in_game', now)
  const { last_exit: exit } = now
  if (exit !== null && exit.at !== before.last_exit?.at) tell('exit', exit)
  return events
}
