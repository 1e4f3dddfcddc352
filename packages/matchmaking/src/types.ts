/**
 * A step that relaxes a rule: after `afterSeconds` of waiting, the rule has this bound. Steps only loosen a rule, and the latest step
 * reached counts.
 */
export interface RuleExpansion {
  /** Seconds since the ticket entered the queue, not since the step before. */
  readonly afterSeconds: number
  /** For `difference` and `team_difference` rules. */
  readonly maxDifference?: number | undefined
  /** For `region` and `intersection` rules. */
  readonly minOverlap?: number | undefined
  /** Milliseconds, for `latency` rules. */
  readonly maxMs?: number | undefined
  /** Drops the rule: from this step on it constrains no player. */
  readonly off?: boolean | undefined
}

interface RuleBase {
  /** Key of the player's `state` that the rule reads. */
  readonly field: string
  /**
   * Refuses a party with a player that lacks the field, or has a value of the wrong type. By default the rule does not constrain such a
   * player.
   */
  readonly required?: boolean | undefined
  /** Steps that loosen the rule with waiting time; at most 16. */
  readonly expansions?: readonly RuleExpansion[] | undefined
}

/** The highest number of the players of a match minus the lowest one is at most `maxDifference`. */
export interface DifferenceRule extends RuleBase {
  readonly type: 'difference'
  readonly maxDifference: number
}
/** All players of a match have the same value of the field (JSON equality). */
export interface EqualsRule extends RuleBase {
  readonly type: 'equals'
}
/** At least `minOverlap` (default 1) region codes are in the list of every player; the server starts in one of these regions. */
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
/** Every player's number is at least `value`. */
export interface MinRule extends RuleBase {
  readonly type: 'min'
  readonly value: number
}
/** Every player's number is at most `value`. */
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
/** Some region is within `maxMs` milliseconds for every player. The field maps region codes to milliseconds. */
export interface LatencyRule extends RuleBase {
  readonly type: 'latency'
  readonly maxMs: number
}

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

/** The ticket of a match whose waiting time relaxes the rules: the oldest or the newest. */
export type ExpansionAge = 'oldest' | 'newest'

/** Whether a tick serves the open seats of running matches `before` new matches, or `after` them from the remaining tickets. */
export type BackfillPriority = 'before' | 'after'

/**
 * A queue's matchmaking settings. The settings of equal teams (`teams`, `playersPerTeam`, `minTeams`, `minPlayersPerTeam`,
 * `maxSizeDifference`) and `teamComposition` exclude each other.
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
  /** Team name → role name → number of players. Such matches are always full. */
  readonly teamComposition?: Readonly<Record<string, Readonly<Record<string, number>>>> | undefined
  /** Whether all players of a match must have the same `state.game_version`; no relaxation changes this. Default false. */
  readonly useVersionFromState?: boolean | undefined
  /** Values of `state.game_version` that may enter, with `useVersionFromState`; default: all. */
  readonly allowedVersions?: readonly string[] | undefined
  /** Most players of a party; default: the size of the largest team. */
  readonly maxPartySize?: number | undefined
  /** Seconds that the longest-waiting ticket of a short match must have waited; default 5. */
  readonly partialAfterSeconds?: number | undefined
  /** The ticket of a match whose waiting time relaxes the rules; default `oldest`. */
  readonly expansionAge?: ExpansionAge | undefined
  /** Whether open seats are served before or after new matches; default `after`. */
  readonly backfillPriority?: BackfillPriority | undefined
  /** Conditions that the players of a match fulfil together; at most 32, default none. */
  readonly rules?: readonly MatchRule[] | undefined
  /** Region of the queue's servers (`server_settings.region`). It is used where the players' regions and pings leave a choice. */
  readonly serverRegion?: string | null | undefined
}

export interface TicketPlayer {
  readonly playerId: string
  readonly state: Readonly<Record<string, unknown>>
}

/** The stay of one lobby in a queue. The first player is the host. */
export interface Ticket {
  readonly id: string
  /** Time of entering, in epoch milliseconds. It decides the age of the ticket. */
  readonly enteredAt: number
  readonly players: readonly TicketPlayer[]
  /** Region of the lobby, if it has one. It is used where neither the players nor the queue decide the region of a match. */
  readonly region?: string | null | undefined
}

/** A player of a running match that has open seats. */
export interface SeatedPlayer extends TicketPlayer {
  readonly team: string
  /** Null where teams have no roles. */
  readonly role: string | null
}

/** The open seats of a team. */
export interface OpenTeam {
  readonly name: string
  /** Number of players that may join the team. */
  readonly open: number
  /** Role → number of open seats; null where teams have no roles. */
  readonly roles: Readonly<Record<string, number>> | null
}

/** The open seats of a running match. Whole parties may take them when they fit each other and all present players. */
export interface SeatRequest {
  /** Id of the request, unique among requests; it may equal the id of a ticket. */
  readonly id: string
  /** Time of the request, in epoch milliseconds. It decides the age of the request. */
  readonly requestedAt: number
  /** The present players of the match, with the states that rules read. */
  readonly players: readonly SeatedPlayer[]
  /** Teams with open seats. A team without open seats may be left out, or have `open: 0`. */
  readonly teams: readonly OpenTeam[]
  /** Region code of the match's server. */
  readonly region: string
  /** Version that the match plays, with `useVersionFromState`; else null. */
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
 * A match that could be made of waiting tickets, or a fill: tickets that could take open seats of a running match. Nothing has been
 * committed.
 */
export interface Proposal {
  /**
   * Id of the request whose seats the tickets take; absent for a new match. In a fill, `ticketIds` and `teams` hold the new players only,
   * and only the teams that get some.
   */
  readonly requestId?: string
  /** Ids of the tickets, longest waiting first. */
  readonly ticketIds: readonly string[]
  readonly teams: readonly ProposedTeam[]
  /** Region code in which the server starts. */
  readonly region: string
  /** Version of the build to launch, with `useVersionFromState`; else null. */
  readonly version: string | null
}

/** Result of one rule, compared between a ticket and each of the other waiting tickets. */
export interface RuleExplanation {
  /** Type of the rule, or `version`. */
  readonly type: string
  readonly field: string
  /** Number of parties that pass the rule together with the ticket, and that fail it. */
  readonly passing: number
  readonly failing: number
}

/** Places that no waiting party fills in a match with the ticket. */
export interface MissingPlace {
  readonly team: string
  /** Null where teams have no roles. */
  readonly role: string | null
  /** Number of missing players. */
  readonly players: number
}

/** Reasons why a ticket still waits. The counts are numbers of other waiting parties, scaled up where only a sample was compared. */
export interface Explanation {
  readonly ticketId: string
  /** Seconds since the ticket entered. */
  readonly waitedSeconds: number
  readonly rules: readonly RuleExplanation[]
  /** Number of parties that pass every rule together with this one. */
  readonly fittingAll: number
  /** Number of other parties that were compared: all of them, or a sample chosen independently of their content. */
  readonly sampled: number
  /** Missing places of the fullest match with this ticket among the compared parties. Empty where a running match has seats for it. */
  readonly missing: readonly MissingPlace[]
  /**
   * The bound on the difference of team sizes, when only this bound prevents a short match of the party and the parties that fit; else
   * null.
   */
  readonly maxSizeDifference: number | null
  /** Number of running matches whose open seats the party could take now; absent where no match has open seats. */
  readonly matchesToJoin?: number
  /** Seconds until a rule next relaxes for this ticket, or until it may lead a short match; null when neither will happen. */
  readonly nextRelaxationSeconds: number | null
}

/** Whether a party may enter a queue, and the reason if not. */
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
 * Reason why a party can never be in a match. `rule` is the type of a rule that the party breaks by itself, or `version`, `roles`,
 * `players`.
 */
export interface PartyFault {
  readonly rule: string
  /** Key of `state` that the rule reads; absent for `players`. */
  readonly field?: string
  /** Player whose field is missing or of the wrong type, where the rule requires it. */
  readonly playerId?: string
  /** Kind of value that the field must hold, for example "a number"; present together with `playerId`. */
  readonly wants?: string
  /** Values of the field: of this player, or else of all players of the party. */
  readonly values?: readonly unknown[]
  /** Bound that the values break, at the loosest step of the rule; absent for rules without a bound. */
  readonly bound?: number
}

/** A setting with an invalid value. `path` leads from the configuration to the setting, in the engine's own (camelCase) names. */
export interface ConfigIssue {
  readonly path: readonly (string | number)[]
  /** The fault, as a sentence without a subject: `must not be above the number of teams`. */
  readonly message: string
}

/** The waiting tickets of one queue, kept between ticks. */
export interface Pool {
  /** Number of waiting tickets. */
  readonly size: number
  /** Adds a ticket; it replaces a ticket with the same id. */
  add(ticket: Ticket): void
  /** Removes a ticket; returns whether it was waiting. */
  remove(ticketId: string): boolean
  /** Reads a changed ticket again. Its place in the order of age comes from `enteredAt`. */
  update(ticket: Ticket): void
  /** Whether a ticket with this id waits. */
  has(ticketId: string): boolean
  /** Adds the open seats of a running match; they replace a request with the same id. */
  addRequest(request: SeatRequest): void
  /** Removes a request; returns whether it was in the pool. */
  removeRequest(requestId: string): boolean
  /** Whether a request with this id is in the pool. */
  hasRequest(requestId: string): boolean
  /**
   * Returns every match that can be made at `now` (epoch milliseconds), then every fill. The tickets of these proposals leave the pool. A
   * filled request leaves it too, with the seats that stay open: add a request for these seats, or the old request again where the fill was
   * not committed.
   */
  tick(now: number): Proposal[]
  /**
   * Runs a tick as a generator that yields at least every few milliseconds of work; it ends with the proposals that `tick` would return.
   * The pool must not be changed, nor ticked again, until the iteration has ended.
   */
  tickSliced(now: number): Generator<undefined, Proposal[], undefined>
  /**
   * Returns the ticket ids of the matches that `tick` would propose, as a flat list: match k is `ids[starts[k]] … ids[starts[k + 1] - 1]`.
   * These tickets leave the pool. Fills come last, as the ids of the joining tickets, without their requests: use `tick` where the pool has
   * requests.
   */
  tickIds(now: number): MatchedIds
  /** Returns when waiting alone could next change the result of a tick (epoch milliseconds); undefined for never. */
  nextDueAt(now: number): number | undefined
  /**
   * Returns the reasons why a ticket still waits; undefined when it does not wait. The call compares all other tickets, so its time grows
   * with the pool.
   */
  explain(ticketId: string, now: number): Explanation | undefined
}

export interface MatchedIds {
  /** Ticket ids of all matches, match after match. */
  readonly ids: readonly string[]
  /** Index in `ids` at which each match begins; the last entry is the length of `ids`. */
  readonly starts: readonly number[]
}
