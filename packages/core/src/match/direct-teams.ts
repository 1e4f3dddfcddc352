import { accept, type Decision, reject, rejectInvalid } from '../errors/decision'
import type { Lobby, LobbyPlayer } from '../lobby/lobby'
import { asQueued } from '../lobby/queue-ticket'
import { noMatchmaking } from '../queue/decide'
import type { Queue } from '../queue/queue'
import { counted } from '../shared/counted'
import { quoted } from '../shared/plain-text'
import type { MatchTeam, TeamSeats } from './match'
import { seatsOfQueue } from './seats'

/**
 * Teams of a match that is started directly. `one`: all players are in one team. `even`: the players are dealt to the teams of the queue in
 * turn, in the order of joining. `state`: the field `team` of each player's state names a team of the queue.
 */
export const START_TEAMS = ['one', 'even', 'state'] as const
/** Way to form the teams of a direct start, one of `START_TEAMS`. */
export type StartTeams = (typeof START_TEAMS)[number]

/** Rejects with VALIDATION_FAILED when there is no such way to form teams. */
export const knowsTeams = (teams: string): Decision<never> =>
  START_TEAMS.some((known) => known === teams)
    ? accept()
    : rejectInvalid([{ path: 'teams', message: `must be one of ${START_TEAMS.join(', ')}` }])

/** Maximum number of players that the sentence of a refusal names. `details.players` has all of them. */
const MAX_NAMED = 8

/** Returns the name of a player's team; undefined when no team is named or all teams are full. */
type TeamOf = (player: LobbyPlayer) => string | undefined

/**
 * Seats the players of a directly started match. Of the queue's settings, only the sizes of full teams apply. Teams without players are left
 * out. Rejects with MATCHMAKING_NOT_CONFIGURED, PARTY_CANNOT_MATCH.
 */
export function seatDirectly(queue: Queue, lobby: Lobby, teams: StartTeams): Decision<MatchTeam> {
  if (teams === 'one') return accept(teamOf('team_1', lobby, lobby.players))
  if (queue.matchmaking === null) {
    return noMatchmaking(queue, 'add matchmaking settings, which define its teams, or start the lobby with teams "one"')
  }
  const full = seatsOfQueue(queue)
  const seated = new Map<string, LobbyPlayer[]>(full.map(({ name }) => [name, []]))
  const left: LobbyPlayer[] = []
  const next: TeamOf = teams === 'state' ? ({ state }) => nameIn(state.team) : inTurn(full, seated)
  for (const player of lobby.players) {
    const name = next(player)
    const team = name === undefined ? undefined : seated.get(name)
    if (team === undefined || team.length >= sizeOf(full, name)) left.push(player)
    else team.push(player)
  }
  if (left.length > 0) return noSeat(lobby, full, left, teams)
  return accept(
    ...[...seated].filter(([, players]) => players.length > 0).map(([name, players]) => teamOf(name, lobby, players)),
  )
}

const nameIn = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const sizeOf = (full: readonly TeamSeats[], name: string | undefined): number =>
  full.find((team) => team.name === name)?.seats ?? 0

/** Returns a function that deals players to the teams in turn, and passes over full teams. */
function inTurn(full: readonly TeamSeats[], seated: ReadonlyMap<string, readonly LobbyPlayer[]>): TeamOf {
  let turn = 0
  return () => {
    const order = full.map((_, index) => full[(turn + index) % full.length])
    const team = order.find((one) => one !== undefined && (seated.get(one.name)?.length ?? 0) < one.seats)
    if (team === undefined) return undefined
    turn = full.indexOf(team) + 1
    return team.name
  }
}

function noSeat(lobby: Lobby, full: readonly TeamSeats[], left: readonly LobbyPlayer[], teams: StartTeams) {
  const players = left.map(({ playerId }) => playerId)
  const more = players.length > MAX_NAMED ? ` and ${counted(players.length - MAX_NAMED, 'other player')}` : ''
  const named = players.slice(0, MAX_NAMED).map(quoted).join(', ') + more
  const why = teams === 'state' ? 'their state.team names no team with a free seat' : 'the teams are full'
  const sizes = full.map(({ name, seats }) => `${name} (${counted(seats, 'seat')})`).join(', ')
  const detail = `${lobby.id} cannot start with teams "${teams}": ${named} would have no seat, because ${why}; the teams are ${sizes}`
  return reject('PARTY_CANNOT_MATCH', detail, { rule: 'team', players })
}

const teamOf = (name: string, lobby: Lobby, players: readonly LobbyPlayer[]): MatchTeam => ({
  name,
  players: players.map((player) => ({ ...asQueued(player), lobbyId: lobby.id, role: null, leftAt: null })),
})
