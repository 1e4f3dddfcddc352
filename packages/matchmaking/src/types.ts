/** A step of relaxation: from `afterSeconds` after entering the rule is this loose. Steps only loosen; the last due one wins. */
export interface RuleExpansion {
  /** Seconds since the ticket entered, absolute (not since the step before). */
  readonly afterSeconds: number
  readonly maxDifference?: number | undefined
  readonly minOverlap?: number | undefined
  /** Milliseconds. */
  readonly maxMs?: number | undefined
  /** The rule no longer counts at all. */
  readonly off?: boolean | undefined
}

interface RuleBase {
  /** A key of the player's `state`. */
  readonly field: string
  /** Refuse players without the field on entering, instead of putting no constraint on them. */
  readonly required?: boolean | undefined
  readonly expansions?: readonly RuleExpansion[] | undefined
}

/** max − min of the numeric field over all players of a match. */
export interface DifferenceRule extends RuleBase {
  readonly type: 'difference'
  readonly maxDifference: number
}
/** One value of the field in a match (JSON equality). */
export interface EqualsRule extends RuleBase {
  readonly type: 'equals'
}
/** At least `minOverlap` (default 1) region codes are in every player's list. */
export interface RegionRule extends Omit<RuleBase, 'field'> {
  readonly type: 'region'
  /** Default `regions`. */
  readonly field?: string | undefined
  readonly minOverlap?: number | undefined
}
/** All values of the field differ (JSON equality). */
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
/** At least `minOverlap` (default 1) strings are in every player's list. */
export interface IntersectionRule extends RuleBase {
  readonly type: 'intersection'
  readonly minOverlap?: number | undefined
}
/** The averages of the field over the teams of a match differ by at most `maxDifference`. */
export interface TeamDifferenceRule extends RuleBase {
  readonly type: 'team_difference'
  readonly maxDifference: number
}
/** The field maps region code → milliseconds; some region is within `maxMs` for every player. */
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

/** Ticket whose waiting time relaxes the rules of a match: the oldest or the newest. */
export type ExpansionAge = 'oldest' | 'newest'

/** Order of open seats and new matches: requests are served `before` new matches, or `after` them from the remaining tickets. */
export type BackfillPriority = 'before' | 'after'

/** How a queue pairs lobbies. Absent fields have the defaults named; symmetric fields and `teamComposition` exclude each other. */
export interface MatchmakingConfig {
  /** Teams of a full match; default 2. */
  readonly teams?: number | undefined
  /** Players of a full team; default 1. */
  readonly playersPerTeam?: number | undefined
  /** Teams of the smallest match worth playing; default `teams`. */
  readonly minTeams?: number | undefined
  /** Players of the smallest team worth playing; default `playersPerTeam`. */
  readonly minPlayersPerTeam?: number | undefined
  /** How many players the largest and the smallest side of a short match may differ by; default null: any number. */
  readonly maxSizeDifference?: number | null | undefined
  /** Team name → role name → how many. */
  readonly teamComposition?: Readonly<Record<string, Readonly<Record<string, number>>>> | undefined
  /** All players of a match carry the same `state.game_version`; never lenient. */
  readonly useVersionFromState?: boolean | undefined
  /** Bounds the versions that may enter. */
  readonly allowedVersions?: readonly string[] | undefined
  /** Default: the largest team. */
  readonly maxPartySize?: number | undefined
  /** A short match forms only once its longest-waiting ticket has waited this many seconds; default 5. */
  readonly partialAfterSeconds?: number | undefined
  /** Default `oldest`. */
  readonly expansionAge?: ExpansionAge | undefined
  /** Default `after`. */
  readonly backfillPriority?: BackfillPriority | undefined
  readonly rules?: readonly MatchRule[] | undefined
  /** The queue's own region (`server_settings.region`). */
  readonly serverRegion?: string | null | undefined
}

export interface TicketPlayer {
  readonly playerId: string
  readonly state: Readonly<Record<string, unknown>>
}

/** One lobby's stay in a queue. The first player is the host. */
export interface Ticket {
  readonly id: string
  /** Epoch milliseconds. */
  readonly enteredAt: number
  readonly players: readonly TicketPlayer[]
  /** The lobby's region, if it has one. */
  readonly region?: string | null | undefined
}

/** Player in a running match that asks for more players. */
export interface SeatedPlayer extends TicketPlayer {
  readonly team: string
  /** Null where teams have no roles. */
  readonly role: string | null
}

/** The seats that a team asks for. */
export interface OpenTeam {
  readonly name: string
  /** How many players may join the team. */
  readonly open: number
  /** Role → seats, where teams have roles; else null. */
  readonly roles: Readonly<Record<string, number>> | null
}

/** Open seats of a match that goes on: whole parties may fill them that suit each other and everybody who still plays. */
export interface SeatRequest {
  /** Id of the request, unique among requests; it may equal a ticket's id. */
  readonly id: string
  /** Epoch milliseconds; its age. */
  readonly requestedAt: number
  /** Players of the match, with the states by which rules judge them. */
  readonly players: readonly SeatedPlayer[]
  /** Seats asked for. Teams that ask for none may be left out, or have `open: 0`. */
  readonly teams: readonly OpenTeam[]
  /** The region code of the match's server. */
  readonly region: string
  /** The version played, with `useVersionFromState`; else null. */
  readonly version: string | null
}

export interface ProposedPlayer {
  readonly playerId: string
  readonly ticketId: string
  /** The role to play; null where teams have no roles. */
  readonly role: string | null
}

export interface ProposedTeam {
  readonly name: string
  readonly players: readonly ProposedPlayer[]
}

/**
 * A match that may be made of the waiting tickets, or a fill: tickets that may take open seats of a match that goes on. Nothing
 * has been committed yet.
 */
export interface Proposal {
  /** The request whose seats are filled. `ticketIds` and `teams` then hold the newcomers only, in those teams that get some. */
  readonly requestId?: string
  /** Longest waiting first. */
  readonly ticketIds: readonly string[]
  readonly teams: readonly ProposedTeam[]
  /** Where the server starts. */
  readonly region: string
  /** The build to launch, with `useVersionFromState`; else null. */
  readonly version: string | null
}

/** One rule, looked at between a ticket and each of the other waiting tickets. */
export interface RuleExplanation {
  /** The rule's type, or `version`. */
  readonly type: string
  readonly field: string
  /** Parties. */
  readonly passing: number
  readonly failing: number
}

/** A place that no waiting party fills beside the ticket. */
export interface MissingPlace {
  readonly team: string
  /** Null where teams have no roles. */
  readonly role: string | null
  readonly players: number
}

/** Why a ticket is still waiting. Counts are over the other waiting parties, scaled up where not all were looked at. */
export interface Explanation {
  readonly ticketId: string
  readonly waitedSeconds: number
  readonly rules: readonly RuleExplanation[]
  /** Parties that pass every rule beside this one. */
  readonly fittingAll: number
  /** Number of other waiting parties that were examined: all of them, or a sample chosen independently of their content. */
  readonly sampled: number
  /** Missing places of the fullest match around this ticket among the examined parties; empty where a running match has seats for it. */
  readonly missing: readonly MissingPlace[]
  /** The bound on the difference between sides, where it alone keeps the party and those that fit from a short match; else null. */
  readonly maxSizeDifference: number | null
  /** Matches that go on whose open seats the party could take as it is; absent where none asks for more. */
  readonly matchesToJoin?: number
  /** Seconds until this ticket's next expansion or its partial fill; null when none is to come. */
  readonly nextRelaxationSeconds: number | null
}

/** Whether a party may enter a queue. */
export type PartyCheck =
  | { readonly ok: true }
  | {
      readonly ok: false
      readonly code: 'PARTY_TOO_LARGE'
      /** Players of a party at most. */
      readonly most: number
    }
  | ({ readonly ok: false; readonly code: 'PARTY_CANNOT_MATCH' } & PartyFault)

/** Why a party can never be in a match. `rule` is the type of the rule that it breaks by itself, or `version`, `roles`, `players`. */
export interface PartyFault {
  readonly rule: string
  /** The field of `state` that the rule reads; absent for `players`. */
  readonly field?: string
  /** The player whose field is missing or of another kind, where the rule requires it. */
  readonly playerId?: string
  /** The kind of value that the field must hold: "a number". Beside `playerId`. */
  readonly wants?: string
  /** The values of the field: that player's one, or those of the whole party. */
  readonly values?: readonly unknown[]
  /** The bound that the values break, at the loosest step; absent for rules without one. */
  readonly bound?: number
}

/** A setting that cannot be taken; `path` leads to it from the configuration, in the engine's own (camelCase) names. */
export interface ConfigIssue {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** The tickets waiting in one queue, held between ticks. */
export interface Pool {
  /** Tickets waiting. */
  readonly size: number
  /** Takes a ticket in; one with the same id is replaced. */
  add(ticket: Ticket): void
  /** Whether a ticket of this id was waiting. */
  remove(ticketId: string): boolean
  /** Reads a changed ticket again; it keeps its place by `enteredAt`. */
  update(ticket: Ticket): void
  has(ticketId: string): boolean
  /** Takes open seats in; a request with the same id is replaced. */
  addRequest(request: SeatRequest): void
  /** Whether a request of this id was in the pool. */
  removeRequest(requestId: string): boolean
  hasRequest(requestId: string): boolean
  /**
   * Every match that can be made at `now` (epoch milliseconds), then every fill; their tickets leave the pool. So does a request
   * that is filled, with the seats that stay open: its owner adds what is left of it, or all of it where the fill was not committed.
   */
  tick(now: number): Proposal[]
  /**
   * Yields control at least every few milliseconds of work and returns the same proposals as `tick`. The pool must not be changed, nor ticked
   * again, until the iteration has ended.
   */
  tickSliced(now: number): Generator<undefined, Proposal[], undefined>
  /**
   * Returns the ticket ids of the matches that `tick` would propose, flat, for callers without teams: match k is `ids[starts[k]] … ids[starts[k
   * + 1] - 1]`. Its tickets leave the pool. Fills come last, as the tickets of their newcomers; use `tick` with requests, which names them.
   */
  tickIds(now: number): MatchedIds
  /** When the passing of time alone could next change the outcome (epoch milliseconds); undefined: never. */
  nextDueAt(now: number): number | undefined
  /** Why a ticket is still waiting; undefined when it is not. Looks at every other ticket: its time grows with the pool. */
  explain(ticketId: string, now: number): Explanation | undefined
}

export interface MatchedIds {
  readonly ids: readonly string[]
  /** One more entry than there are matches. */
  readonly starts: readonly number[]
}
