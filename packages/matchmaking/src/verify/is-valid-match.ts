import { byAge, formatOf, levelAt, type MatchFormat } from '../config/match-format'
import type { MatchmakingConfig, Proposal, Ticket } from '../types'
import { brokenRule, type Member, membersById, stateOf } from './broken-rule'
import { matchRegion, rulingTicket } from './match-region'
import { partyCheck, rolesOf, versionOf } from './party'

/**
 * Returns true when a proposal is a valid match at `now` (epoch milliseconds), otherwise the first fault as text. The
 * check shares no code with the search, so that commits and tests can verify the results of the search.
 */
export const isValidMatch = (
  config: MatchmakingConfig,
  tickets: readonly Ticket[],
  proposal: Proposal,
  now: number,
): true | string => {
  const format = formatOf(config)
  const members = membersOf(tickets, proposal)
  if (typeof members === 'string') return members
  return (
    wholeParties(members, proposal) ??
    teamShapes(format, members, proposal, now) ??
    rolesFilled(format, members, proposal) ??
    partiesAndVersion(format, members, proposal) ??
    rulesHold(format, members, proposal, now) ??
    (proposal.region === matchRegion(format, members, now) ? true : `region ${proposal.region} is not the one decided`)
  )
}

/** Returns the tickets that a proposal names, or a fault of the proposal's list of tickets as text. */
export const membersOf = (tickets: readonly Ticket[], { ticketIds }: Proposal): readonly Ticket[] | string => {
  const byId = new Map(tickets.map((ticket) => [ticket.id, ticket]))
  const members: Ticket[] = []
  for (const id of ticketIds) {
    const ticket = byId.get(id)
    if (!ticket) return `ticket ${id} is not waiting`
    members.push(ticket)
  }
  if (members.length === 0) return 'no tickets'
  return members.some((ticket, index) => index > 0 && byAge(members[index - 1] as Ticket, ticket) >= 0)
    ? 'tickets are not in order of age, each once'
    : members
}

/**
 * Returns a fault as text when a proposal splits a party or leaves out a player of a party; undefined when there is no
 * fault.
 */
export const wholeParties = (members: readonly Ticket[], proposal: Proposal): string | undefined => {
  const seats = proposal.teams.flatMap((team) => team.players.map((player) => ({ team, ...player })))
  if (new Set(seats.map((seat) => seat.playerId)).size !== seats.length) return 'a player appears twice'
  if (seats.length !== members.reduce((sum, ticket) => sum + ticket.players.length, 0)) return 'a party is not whole'
  for (const ticket of members) {
    const own = seats.filter((seat) => seat.ticketId === ticket.id)
    if (!ticket.players.every((player) => own.some((seat) => seat.playerId === player.playerId))) {
      return `party ${ticket.id} is not whole`
    }
    if (own.some((seat) => seat.team !== own[0]?.team)) return `party ${ticket.id} is split`
  }
  return undefined
}

const teamShapes = (
  format: MatchFormat,
  members: readonly Ticket[],
  { teams }: Proposal,
  now: number,
): string | undefined => {
  if (new Set(teams.map((team) => team.name)).size !== teams.length) return 'a team appears twice'
  if (teams.length < format.minTeams || teams.length > format.teams.length) return `${teams.length} teams`
  let players = 0
  for (const [index, team] of teams.entries()) {
    const planned = format.composed ? format.teams.find((other) => other.name === team.name) : format.teams[index]
    if (planned?.name !== team.name) return `no team ${team.name}`
    if (team.players.length < planned.min || team.players.length > planned.max)
      return `team ${team.name} has the wrong size`
    players += team.players.length
  }
  const sizes = teams.map((team) => team.players.length)
  if (Math.max(...sizes) - Math.min(...sizes) > format.maxSizeDifference)
    return `sides differ by more than ${format.maxSizeDifference}`
  if (players < format.fullSize && now - (members[0] as Ticket).enteredAt < format.partialAfterMs)
    return 'short too early'
  return undefined
}

const rolesFilled = (format: MatchFormat, members: readonly Ticket[], { teams }: Proposal): string | undefined => {
  const states = membersById(members)
  for (const team of teams) {
    const places = new Map(format.teams.find((planned) => planned.name === team.name)?.roles)
    for (const { playerId, role } of team.players) {
      if (!format.composed) {
        if (role !== null) return `${playerId} has a role where there are none`
        continue
      }
      if (role === null || !places.get(role)) return `team ${team.name} has no place for ${playerId} as ${role}`
      if (rolesOf(stateOf(states, playerId))?.includes(role) === false) return `${playerId} does not play ${role}`
      places.set(role, (places.get(role) as number) - 1)
    }
    if ([...places.values()].some((left) => left > 0)) return `team ${team.name} lacks a role`
  }
  return undefined
}

const partiesAndVersion = (format: MatchFormat, members: readonly Ticket[], proposal: Proposal): string | undefined => {
  for (const { id, players } of members) {
    const party = partyCheck(format, players)
    if (!party.ok) return `party ${id}: ${party.code} ${'rule' in party ? party.rule : ''}`
  }
  const version = format.versioned
    ? versionOf(
        format,
        members.flatMap((ticket) => ticket.players),
      )
    : null
  return version === proposal.version ? undefined : 'version'
}

const rulesHold = (
  format: MatchFormat,
  members: readonly Ticket[],
  { teams }: Proposal,
  now: number,
): string | undefined => {
  const level = levelAt(format, rulingTicket(format, members).enteredAt, now)
  const byId = membersById(members)
  const seated = teams.map((team) => team.players.map(({ playerId }) => byId.get(playerId) as Member))
  return brokenRule(format, level, now, seated)
}
