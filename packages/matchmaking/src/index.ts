export { fieldsRead, meetingsRead, numericFields, privateFields } from './config/fields-read'
export { type FullTeam, fullTeams } from './config/full-teams'
export { MATCHMAKING_NAMES, MAX_MATCH_PLAYERS, validateConfig } from './config/validate-config'
export { explain } from './explain/explain'
export { Explainer } from './explain/explainer'
export { findMatches } from './pool/find-matches'
export { createPool } from './pool/pool'
export { isPlayerList, MOST_AVOIDED } from './rules/avoid'
export { DEFAULT_REGION, isRegion, REGIONS, type Region } from './rules/regions'
export { RULE_FORMS, RULE_KINDS } from './rules/registry'
export { BOUND_FORMS } from './rules/rule-form'
export type {
  AvoidRule,
  BackfillPriority,
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
  OpenTeam,
  PartyCheck,
  PartyFault,
  Pool,
  Proposal,
  ProposedPlayer,
  ProposedTeam,
  RecentOpponentsRule,
  RecentPlayer,
  RegionRule,
  RuleExpansion,
  RuleExplanation,
  SeatedPlayer,
  SeatRequest,
  TeamDifferenceRule,
  Ticket,
  TicketPlayer,
} from './types'
export { checkParty, partyCheckOf } from './verify/check-party'
export { isValidFill } from './verify/is-valid-fill'
export { isValidMatch } from './verify/is-valid-match'
