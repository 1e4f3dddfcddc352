import { counted } from '../shared/counted'
import type { NamesOf } from '../shared/known-names'
import type { Instant } from '../shared/time'
import type { MatchDesign } from './decide'
import type { MadeOf, MatchEvent } from './events'
import { canMoveMatch } from './evolve'
import type { Match, MatchPlayer, MatchProposal, MatchTeam, ProposalOutcome } from './match'

/**
 * Milliseconds between two updates of the number of accepted answers in lobbies whose own players did not answer. Many answers thus cause
 * one update.
 */
export const SPREAD_EVERY_MS = 150

/** Returns a proposed match, as the matchmaking engine found it. The match is made only after its players have accepted. */
export function decideProposeMatch(
  { at, lobbies, ...design }: Omit<MatchDesign, 'waits' | 'serverId' | 'assignBy'>,
  asked: Pick<MatchProposal, 'expiresAt' | 'penaltySeconds'>,
): Match {
  return {
    ...design,
    teams: design.teams.map(unanswered),
    version: 1,
    status: 'proposed',
    lobbyIds: lobbies.map((lobby) => lobby.id),
    settings: lobbies[0]?.settings ?? {},
    serverId: null,
    waits: [],
    proposal: { ...asked, spreadAt: null, settled: null },
    createdAt: at,
    endedAt: null,
  }
}

const unanswered = (team: MatchTeam): MatchTeam => ({
  ...team,
  players: team.players.map((player) => ({ ...player, answer: 'none' })),
})

/** Whether the match is proposed and its players are being asked. */
export const isProposed = (match: Match): boolean => canMoveMatch(match, 'accept')

/** Whether a match was made: false for a proposal that is open or failed. */
export const isMade = ({ proposal }: Match): boolean =>
  proposal === undefined || proposal.settled?.outcome === 'accepted'

const playersOf = ({ teams }: Match): readonly MatchPlayer[] => teams.flatMap(({ players }) => players)

/** Returns the number of players who were asked to accept. */
export const neededOf = (match: Match): number => playersOf(match).length

/** Returns the number of players who have accepted. */
export const acceptedOf = (match: Match): number =>
  playersOf(match).filter(({ answer }) => answer === 'accepted').length

/** Whether all players have accepted. */
export const isAcceptedByAll = (match: Match): boolean => playersOf(match).every(({ answer }) => answer === 'accepted')

/** Whether the match was made after a ready check and has this player. A repeated acceptance then returns the present state. */
export const wasAcceptedBy = (match: Match, playerId: string): boolean =>
  match.proposal?.settled?.outcome === 'accepted' && playersOf(match).some((player) => player.playerId === playerId)

/** Returns the players who have not answered. */
export const silentIn = (match: Match): readonly MatchPlayer[] =>
  playersOf(match).filter(({ answer }) => answer === 'none')

/** Records that players accept. An answer that a player gave before stays. */
export function acceptBy(match: Match, playerIds: readonly string[], at: Instant): MatchEvent[] {
  const fresh = silentIn(match).filter(({ playerId }) => playerIds.includes(playerId))
  if (!isProposed(match) || match.proposal === undefined || fresh.length === 0) return []
  return [
    {
      type: 'match_answered',
      playerIds: fresh.map(({ playerId }) => playerId),
      spreadAt: match.proposal.spreadAt === null ? at + SPREAD_EVERY_MS : null,
    },
  ]
}

/**
 * Gives all lobbies the present number of accepted answers. The update is an event of the match and changes the match's version. An answer
 * that is committed at the same time is therefore decided again, and reported with the next update.
 */
export const spreadAnswers = (match: Match): MatchEvent[] =>
  isProposed(match) && match.proposal?.spreadAt != null ? [{ type: 'answers_spread' }] : []

/** Names of all properties that are decided when a match is made. Code that leaves out a name does not compile. */
const MADE: NamesOf<MadeOf> = {
  teams: true,
  settings: true,
  serverId: true,
  external: true,
  waits: true,
  ttlSeconds: true,
  seats: true,
  quality: true,
  trace: true,
}

/** Makes the match from the present state of its lobbies. Only the properties of `MadeOf` are taken from `found`. */
export const makeMatch = (found: MadeOf, at: Instant): MatchEvent => ({
  type: 'match_accepted',
  made: Object.fromEntries(Object.entries(found).filter(([name]) => name in MADE)) as unknown as MadeOf,
  at,
})

/** Whether the deadline of a proposal has passed; false for a proposal that already has an outcome. */
export const isProposalExpired = (match: Match, at: Instant): boolean =>
  isProposed(match) && match.proposal !== undefined && match.proposal.expiresAt <= at

/** Returns the outcome of a proposal whose deadline has passed. The players who did not answer are blamed for it. */
export function expiryOf(match: Match): {
  readonly outcome: 'expired'
  readonly reason: string
  readonly blamed: string[]
} {
  const blamed = silentIn(match).map(({ playerId }) => playerId)
  return { outcome: 'expired', reason: `${counted(blamed.length, 'player')} did not answer in time`, blamed }
}

/** Ends the proposal without a match. An outcome that is already recorded stays. */
export const fallThrough = (
  match: Match,
  { outcome, reason }: { readonly outcome: Exclude<ProposalOutcome, 'accepted'>; readonly reason: string },
  at: Instant,
): MatchEvent[] => (isProposed(match) ? [{ type: 'proposal_ended', outcome, reason, at }] : [])
