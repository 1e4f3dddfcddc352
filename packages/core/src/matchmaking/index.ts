export { checkParty, partyCheckOf } from './check-party'
export { Explainer } from './explain'
export { findMatches } from './find-matches'
export { isValidMatch } from './is-valid-match'
export { createPool } from './pool'
export type {
  ConfigIssue,
  DifferenceRule,
  EqualsRule,
  ExpansionAge,
  Explanation,
  IntersectionRule,
  LatencyRule,
  MatchedIds,
  MatchmakingConfig,
  MatchRule,
  MaxRule,
  MinRule,
  MissingPlace,
  NotEqualsRule,
  PartyCheck,
  Pool,
  Proposal,
  ProposedPlayer,
  ProposedTeam,
  RegionRule,
  RuleExpansion,
  RuleExplanation,
  TeamDifferenceRule,
  Ticket,
  TicketPlayer,
} from './types'
export { MAX_MATCH_PLAYERS, validateConfig } from './validate-config'
