import { formatOf } from '../config/match-format'
import type { MatchmakingConfig, PartyCheck, TicketPlayer } from '../types'
import { partyCheck } from './party'

/**
 * Returns whether a party may enter a queue. The result has the code `PARTY_TOO_LARGE` when the party has more than
 * `maxPartySize` players. It has the code `PARTY_CANNOT_MATCH` in three cases: the party breaks a rule by itself even
 * at the rule's loosest step, it lacks a required field or a version, or it fits into no team.
 */
export const checkParty = (config: MatchmakingConfig, players: readonly TicketPlayer[]): PartyCheck =>
  partyCheckOf(config)(players)

/** Returns a function that checks parties. Use it to check many parties: it parses the configuration only once. */
export const partyCheckOf = (config: MatchmakingConfig): ((players: readonly TicketPlayer[]) => PartyCheck) => {
  const format = formatOf(config)
  return (players) => partyCheck(format, players)
}
