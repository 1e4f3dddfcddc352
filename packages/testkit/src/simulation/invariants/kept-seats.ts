import type { KeptSeat, Match } from '@matchyard/core'
import { freeSeatsOf, openSeatsOf, takesNewcomers } from '@matchyard/core/domain'
import { type Invariant, twice } from './invariant'

const countOf = (teams: readonly { readonly name: string; readonly open: number }[], name: string): number =>
  teams.find((team) => team.name === name)?.open ?? 0

const playingIn = ({ teams }: Match) =>
  teams.flatMap(({ players }) => players.flatMap(({ leftAt, playerId }) => (leftAt === null ? [playerId] : [])))

/** Returns the faults of the seats that a match keeps. */
function faultsOf(match: Match, kept: readonly KeptSeat[]): string[] {
  const { id, seats = [] } = match
  const open = openSeatsOf(match, seats)
  const asked = match.backfill?.teams ?? []
  const free = freeSeatsOf(match, seats)
  const here = playingIn(match)
  const askers = kept.filter(({ keptBy }) => keptBy !== null)
  const inTeam = (name: string) => kept.filter(({ team }) => team === name).length
  return [
    ...(takesNewcomers(match) ? [] : [`${id} keeps seats and takes no newcomers`]),
    ...[...new Set(kept.map(({ team }) => team))].flatMap((team) =>
      inTeam(team) > countOf(open, team)
        ? [`${id} keeps ${inTeam(team)} seats of ${team}, which has ${countOf(open, team)}`]
        : [],
    ),
    ...asked.flatMap(({ name, open: wanted }) =>
      wanted > countOf(free, name) ? [`${id} asks for a seat of ${name} that is kept`] : [],
    ),
    ...[...twice(kept, ({ playerId }) => playerId).keys()].map((player) => `${id} keeps two seats for ${player}`),
    ...[...twice(askers, ({ keptBy }) => keptBy ?? '').keys()].map((player) => `${player} keeps two seats of ${id}`),
    ...kept.flatMap(({ playerId }) =>
      here.includes(playerId) ? [`${id} keeps a seat for ${playerId}, who plays`] : [],
    ),
  ]
}

/**
 * Invariant: no seat is given twice. A match keeps no more seats than are open, at most one seat for each player and by each player, and
 * asks for none of them.
 */
export const noSeatIsGivenTwice: Invariant = ({ now }) =>
  [...now.matches.values()].flatMap((match) => (match.keptSeats === undefined ? [] : faultsOf(match, match.keptSeats)))

/**
 * Invariant: a lobby that joins a running match without a search has one player, for whom the match kept a seat of the same team until
 * then.
 */
export const aSeatIsTakenAsItWasKept: Invariant = ({ now, before }) =>
  [...now.matches.values()].flatMap((match) => {
    const was = before?.matches.get(match.id)
    if (was === undefined) return []
    return match.lobbyIds.flatMap((lobbyId) => {
      if (was.lobbyIds.includes(lobbyId) || before?.lobbies.get(lobbyId)?.status !== 'waiting') return []
      const seated = match.teams.flatMap(({ name: team, players }) =>
        players.flatMap((player) => (player.lobbyId === lobbyId ? [{ team, playerId: player.playerId }] : [])),
      )
      const isKept = ({ team, playerId }: (typeof seated)[number]) =>
        was.keptSeats?.some((seat) => seat.team === team && seat.playerId === playerId)
      return seated.length === 1 && seated.every(isKept) ? [] : [`${lobbyId} joined ${match.id} without a kept seat`]
    })
  })

/** Invariant: at the end, no seat is kept any more, because its time has passed. */
export const noSeatIsKeptForEver: Invariant = ({ now }) =>
  [...now.matches.values()].flatMap(({ id, keptSeats }) =>
    keptSeats === undefined ? [] : [`${id} still keeps a seat`],
  )
