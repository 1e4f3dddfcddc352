export { MAX_MATCH_PLAYERS, validateConfig } from './config/validate-config'
export { explain } from './explain/explain'
export { Explainer } from './explain/explainer'
export { findMatches } from './pool/find-matches'
export { createPool } from './pool/pool'
export { DEFAULT_REGION, isRegion, REGIONS, type Region } from './rules/regions'
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
export { checkParty, partyCheckOf } from './verify/check-party'
export { isValidMatch } from './verify/is-valid-match'
