/**
 * A step that relaxes a rule: after `afterSeconds` of waiting, the rule has this bound. Steps only loosen a rule, and
 * the latest step reached counts.
 */
export interface RuleExpansion {
  /** Waiting time in seconds since the ticket entered the queue, not since the step before. */
  readonly afterSeconds: number
  /** Bound from this step on, for `difference` and `team_difference` rules. */
  readonly maxDifference?: number | undefined
  /** Bound from this step on, for `region` and `intersection` rules. */
  readonly minOverlap?: number | undefined
  /** Bound from this step on, in milliseconds, for `latency` rules. */
  readonly maxMs?: number | undefined
  /** Bound from this step on, in seconds, for `recent_opponents` rules. */
  readonly seconds?: number | undefined
  /** Drops the rule: from this step on it constrains no player. */
  readonly off?: boolean | undefined
}

interface RuleBase {
  /** Key of the player's `state` that the rule reads. */
  readonly field: string
  /**
   * Refuses a party with a player that lacks the field, or has a value of the wrong type. By default the rule does not
   * constrain such a player.
   */
  readonly required?: boolean | undefined
  /** Steps that loosen the rule with waiting time; at most 16. */
  readonly expansions?: readonly RuleExpansion[] | undefined
}

/** The highest number of the players of a match minus the lowest number is at most `maxDifference`. */
export interface DifferenceRule extends RuleBase {
  readonly type: 'difference'
  readonly maxDifference: number
}
/** All players of a match have the same value of the field (JSON equality). */
export interface EqualsRule extends RuleBase {
  readonly type: 'equals'
}
/**
 * At least `minOverlap` (default 1) region codes are in the list of every player; the server starts in one of these
 * regions.
 */
export interface RegionRule extends Omit<RuleBase, 'field'> {
  readonly type: 'region'
  /** Key of the player's `state` that the rule reads; default `regions`. */
  readonly field?: string | undefined
  readonly minOverlap?: number | undefined
}
/** All players of a match have different values of the field (JSON equality). */
export interface NotEqualsRule extends RuleBase {
  readonly type: 'not_equals'
}
/** The number of every player of a match is at least `value`. */
export interface MinRule extends RuleBase {
  readonly type: 'min'
  readonly value: number
}
/** The number of every player of a match is at most `value`. */
export interface MaxRule extends RuleBase {
  readonly type: 'max'
  readonly value: number
}
/** At least `minOverlap` (default 1) strings are in the list of every player. */
export interface IntersectionRule extends RuleBase {
  readonly type: 'intersection'
  readonly minOverlap?: number | undefined
}
/** The averages of the field over the teams of a match differ by at most `maxDifference`. */
export interface TeamDifferenceRule extends RuleBase {
  readonly type: 'team_difference'
  readonly maxDifference: number
}
/** At least one region is within `maxMs` milliseconds for every player. The field maps region codes to milliseconds. */
export interface LatencyRule extends RuleBase {
  readonly type: 'latency'
  readonly maxMs: number
}

/**
 * Nobody's list of player ids (at most 50) names another player of the match or, with `scope: 'team'`, of the same team.
 * A player's own id is ignored. A value that is not such a list refuses the party.
 */
export interface AvoidRule extends Omit<RuleBase, 'field'> {
  readonly type: 'avoid'
  /** Key of the player's `state` that holds the list; default `avoid`. */
  readonly field?: string | undefined
  /** Players whom a list keeps apart: those of the match (default) or only those of the same team. */
  readonly scope?: 'match' | 'team' | undefined
}
/**
 * No two players of different parties were opponents, or with `scope: 'anyone'` in one match, in a match that began
 * less than `seconds` (default 600) ago. The rule reads `recent` of the players.
 */
export interface RecentOpponentsRule extends Pick<RuleBase, 'expansions'> {
  readonly type: 'recent_opponents'
  readonly seconds?: number | undefined
  readonly scope?: 'opponents' | 'anyone' | undefined
}

/** Rule that the players of a match must fulfil together; `type` selects its fields. */
export type MatchRule =
  | DifferenceRule
  | EqualsRule
  | RegionRule
  | NotEqualsRule
  | MinRule
  | MaxRule
  | IntersectionRule
  | TeamDifferenceRule
  | LatencyRule
  | AvoidRule
  | RecentOpponentsRule

/** The ticket of a match whose waiting time relaxes the rules: the oldest or the newest. */
export type ExpansionAge = 'oldest' | 'newest'

/**
 * Whether a tick serves the open seats of running matches `before` new matches, or `after` them, from the tickets that
 * remain.
 */
export type BackfillPriority = 'before' | 'after'

/**
 * A queue's matchmaking settings. The settings of equal teams (`teams`, `playersPerTeam`, `minTeams`,
 * `minPlayersPerTeam`, `maxSizeDifference`) and `teamComposition` exclude each other.
 */
export interface MatchmakingConfig {
  /** Number of teams of a full match; default 2. */
  readonly teams?: number | undefined
  /** Number of players of a full team; default 1. */
  readonly playersPerTeam?: number | undefined
  /** Fewest teams of a short match; default `teams`. */
  readonly minTeams?: number | undefined
  /** Fewest players of a team of a short match; default `playersPerTeam`. */
  readonly minPlayersPerTeam?: number | undefined
  /** Largest difference between the sizes of two teams of a short match, in players; default null: no bound. */
  readonly maxSizeDifference?: number | null | undefined
  /** Composition of a match: team name → role name → number of players. Such matches are always full. */
  readonly teamComposition?: Readonly<Record<string, Readonly<Record<string, number>>>> | undefined
  /**
   * Whether all players of a match must have the same `state.game_version`; no relaxation changes this. Default false.
   */
  readonly useVersionFromState?: boolean | undefined
  /**
   * Values of `state.game_version` with which players may enter, if `useVersionFromState` is true; default: all values.
   */
  readonly allowedVersions?: readonly string[] | undefined
  /** Most players of a party; default: the size of the largest team. */
  readonly maxPartySize?: number | undefined
  /** Seconds that the longest-waiting ticket of a match must have waited before the match may be short; default 5. */
  readonly partialAfterSeconds?: number | undefined
  /** The ticket of a match whose waiting time relaxes the rules; default `oldest`. */
  readonly expansionAge?: ExpansionAge | undefined
  /** Whether open seats are served before or after new matches; default `after`. */
  readonly backfillPriority?: BackfillPriority | undefined
  /** Conditions that the players of a match fulfil together; at most 32, default none. */
  readonly rules?: readonly MatchRule[] | undefined
  /**
   * Region of the queue's servers (`server_settings.region`). The engine uses it where the players' regions and pings
   * allow several regions.
   */
  readonly serverRegion?: string | null | undefined
  /**
   * Codes of the regions in which game servers can run now, in the order of preference; at least one. `region` and
   * `latency` rules use only these regions, and the first one is the region of a match when no other setting decides.
   * Default: all regions, and `iad` when no other setting decides.
   */
  readonly servedRegions?: readonly string[] | undefined
  /**
   * Whether rules also use regions that are not in `servedRegions`. Served regions are then only preferred. Default:
   * false.
   */
  readonly unservedRegions?: boolean | undefined
}

/** A player whom another player met in an earlier match. */
export interface RecentPlayer {
  readonly playerId: string
  /** Time at which the match began, in epoch milliseconds. */
  readonly at: number
  /** Whether the two players were in different teams. */
  readonly opponent: boolean
}

export interface TicketPlayer {
  readonly playerId: string
  readonly state: Readonly<Record<string, unknown>>
  /** Players whom this player met in earlier matches of the queue, for `recent_opponents` rules; default none. */
  readonly recent?: readonly RecentPlayer[] | undefined
}

/** The stay of one lobby in a queue. The first player is the host of the lobby. */
export interface Ticket {
  readonly id: string
  /** Time at which the ticket entered the queue, in epoch milliseconds. It decides the age of the ticket. */
  readonly enteredAt: number
  readonly players: readonly TicketPlayer[]
  /**
   * Region of the lobby, if the lobby has a region. The engine uses it where neither the players nor the queue decide
   * the region of a match.
   */
  readonly region?: string | null | undefined
}

/** A player of a running match that has open seats. */
export interface SeatedPlayer extends TicketPlayer {
  readonly team: string
  /** Role of the player; null where teams have no roles. */
  readonly role: string | null
}

/** The open seats of one team of a running match. */
export interface OpenTeam {
  readonly name: string
  /** Number of players that may join the team. */
  readonly open: number
  /** Role → number of open seats; null where teams have no roles. */
  readonly roles: Readonly<Record<string, number>> | null
}

/**
 * The open seats of a running match, as a request for players. Whole parties may take the seats when they fit each
 * other and all present players.
 */
export interface SeatRequest {
  /** Id of the request, unique among requests; it may equal the id of a ticket. */
  readonly id: string
  /** Time of the request, in epoch milliseconds. It decides the age of the request. */
  readonly requestedAt: number
  /** The present players of the match, with the states that rules read. */
  readonly players: readonly SeatedPlayer[]
  /** Teams with open seats. A team without open seats may be left out, or have `open: 0`. */
  readonly teams: readonly OpenTeam[]
  /** Region code of the game server on which the match runs. */
  readonly region: string
  /** Game version that the match plays, if `useVersionFromState` is true; otherwise null. */
  readonly version: string | null
}

export interface ProposedPlayer {
  readonly playerId: string
  readonly ticketId: string
  /** Role of the player in the team; null where teams have no roles. */
  readonly role: string | null
}

export interface ProposedTeam {
  readonly name: string
  readonly players: readonly ProposedPlayer[]
}

/**
 * A match that could be made of waiting tickets, or a fill: tickets that could take open seats of a running match. No
 * commit has been made for it.
 */
export interface Proposal {
  /**
   * Id of the request whose seats the tickets take; absent for a new match. In a fill, `ticketIds` and `teams` hold
   * only the new players, and only the teams that get new players.
   */
  readonly requestId?: string
  /** Ids of the tickets, the longest wait first. */
  readonly ticketIds: readonly string[]
  readonly teams: readonly ProposedTeam[]
  /** Code of the region in which the game server of the match starts. */
  readonly region: string
  /** Game version of the build to launch, if `useVersionFromState` is true; otherwise null. */
  readonly version: string | null
}

/** Result of one rule, compared between a ticket and each of the other waiting tickets. */
export interface RuleExplanation {
  /** Type of the rule, or `version` for the comparison of game versions. */
  readonly type: string
  /** Key of `state` that the rule reads; null for a rule that reads no state. */
  readonly field: string | null
  /** Number of parties that pass the rule together with the ticket. */
  readonly passing: number
  /** Number of parties that fail the rule together with the ticket. */
  readonly failing: number
}

/** Places of one team and role that no waiting party fills in a match with the ticket. */
export interface MissingPlace {
  /** Name of the team. */
  readonly team: string
  /** Role of the missing players; null where teams have no roles. */
  readonly role: string | null
  /** Number of missing players. */
  readonly players: number
}

/**
 * Reasons why a ticket still waits. The counts are numbers of other waiting parties; they are scaled up where only a
 * sample was compared.
 */
export interface Explanation {
  /** Id of the ticket. */
  readonly ticketId: string
  /** Seconds since the ticket entered. */
  readonly waitedSeconds: number
  /** Results of the rules, in the order of the configuration. */
  readonly rules: readonly RuleExplanation[]
  /** Number of other parties that pass every rule together with this ticket's party. */
  readonly fittingAll: number
  /** Number of other parties that were compared: all of them, or a sample chosen independently of their content. */
  readonly sampled: number
  /**
   * Missing places of the fullest match that the compared parties could form with this ticket. Empty where a running
   * match has seats for the ticket.
   */
  readonly missing: readonly MissingPlace[]
  /**
   * The setting `maxSizeDifference`, when only this bound prevents a short match of the party and the parties that fit;
   * otherwise null.
   */
  readonly maxSizeDifference: number | null
  /** Number of running matches whose open seats the party could take now; absent where no match has open seats. */
  readonly matchesToJoin?: number
  /**
   * Seconds until a rule next relaxes for this ticket, or until the ticket may lead a short match; null when no such
   * change will come.
   */
  readonly nextRelaxationSeconds: number | null
}

/** Whether a party may enter a queue; and if not, the reason. */
export type PartyCheck =
  | { readonly ok: true }
  | {
      readonly ok: false
      readonly code: 'PARTY_TOO_LARGE'
      /** Most players of a party. */
      readonly most: number
    }
  | ({ readonly ok: false; readonly code: 'PARTY_CANNOT_MATCH' } & PartyFault)

/**
 * Reason why a party can never be in a match. `rule` is the type of a rule that the party by itself breaks, or
 * `version`, `roles` or `players`.
 */
export interface PartyFault {
  readonly rule: string
  /** Key of `state` that the rule reads; absent when `rule` is `players`. */
  readonly field?: string
  /** Player whose field is missing or has the wrong type, where the rule requires the field. */
  readonly playerId?: string
  /** Kind of value that the field must hold, for example "a number"; present together with `playerId`. */
  readonly wants?: string
  /**
   * Values of the field: of the player `playerId`, or else of all players of the party. Absent for `avoid` rules, whose
   * lists are private.
   */
  readonly values?: readonly unknown[]
  /** Bound that the values break, at the loosest step of the rule; absent for rules without a bound. */
  readonly bound?: number
}

/**
 * A setting with an invalid value. `path` leads from the configuration to the setting, in the engine's own (camelCase)
 * names.
 */
export interface ConfigIssue {
  /** Path from the configuration to the setting: names of fields and indexes of lists. */
  readonly path: readonly (string | number)[]
  /** The fault, as a sentence without a subject: `must not be above the number of teams`. */
  readonly message: string
}

/** The waiting tickets of one queue, which stay in memory between ticks. */
export interface Pool {
  /** Number of waiting tickets. */
  readonly size: number
  /** Adds a ticket; it replaces a ticket with the same id. */
  add(ticket: Ticket): void
  /** Removes a ticket; returns whether the ticket was in the pool. */
  remove(ticketId: string): boolean
  /**
   * Reads the values of a changed ticket again. The `enteredAt` of the ticket decides its place in the order of age.
   */
  update(ticket: Ticket): void
  /** Whether a ticket with this id waits. */
  has(ticketId: string): boolean
  /** Adds a request: the open seats of a running match. It replaces a request with the same id. */
  addRequest(request: SeatRequest): void
  /** Removes a request for players; returns whether the request was in the pool. */
  removeRequest(requestId: string): boolean
  /** Whether a request for players with this id is in the pool. */
  hasRequest(requestId: string): boolean
  /**
   * Returns every match that can be made at `now` (epoch milliseconds), then every fill. The tickets of these proposals
   * leave the pool. A filled request leaves the pool too, even if seats stay open: add a request for these seats, or
   * add the old request again if you do not commit the fill.
   */
  tick(now: number): Proposal[]
  /**
   * Runs a tick as a generator that yields at least every few milliseconds of work, and ends with the proposals that
   * `tick` would return. The caller must not change or tick the pool until the generator has ended.
   */
  tickSliced(now: number): Generator<undefined, Proposal[], undefined>
  /**
   * Returns the ticket ids of the matches that `tick` would propose, as a flat list: match k is `ids[starts[k]] …
   * ids[starts[k + 1] - 1]`. These tickets leave the pool. Fills come last, as the ids of the joining tickets, without
   * the ids of their requests: use `tick` where the pool has requests.
   */
  tickIds(now: number): MatchedIds
  /**
   * Returns the time (epoch milliseconds) at which longer waiting alone could change the result of a tick; undefined
   * when no such time exists.
   */
  nextDueAt(now: number): number | undefined
  /**
   * Returns the reasons why a ticket still waits; undefined when the ticket is not in the pool. The call compares all
   * other tickets, so its time grows with the pool.
   */
  explain(ticketId: string, now: number): Explanation | undefined
}

export interface MatchedIds {
  /** Ticket ids of all matches, match after match. */
  readonly ids: readonly string[]
  /** Index in `ids` at which each match begins; the last entry is the length of `ids`. */
  readonly starts: readonly number[]
}
