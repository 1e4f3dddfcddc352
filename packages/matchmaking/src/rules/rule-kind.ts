import type { MatchRule, TicketPlayer } from '../types'
import type { RuleBound } from './rule-bound'

/**
 * Form in which the pool stores the values of a rule; it decides how fast the rule is. A rule names its shape. The
 * engine knows shapes only, never single rules.
 * - `key`: parties with different keys are never matched while the rule is on; the pool is divided into buckets by key.
 * - `range`: numbers; the highest and the lowest of a match may differ by `bound`. The first rule of this shape sorts
 *   the pool.
 * - `mask`: 16 bits, of which all players must have at least `bound` in common.
 * - `ceiling`: 16 numbers, one of which must be at most `bound` for all players.
 * - `gate`: a number with which each player passes or fails alone.
 * - `values`: any values; `holds` checks all values of a match. A condition that holds for a match must hold for every
 *   part of it.
 * - `teams`: numbers of which the rule compares the averages of the teams, after the players are seated. The lowest and
 *   the highest average decide.
 * - `apart`: ids of other players, whom a player may not meet in a match, or in a team (`eachNamed`).
 */
export type RuleShape = 'key' | 'range' | 'mask' | 'ceiling' | 'gate' | 'values' | 'teams' | 'apart'

/** A rule type: the definition from which the engine knows how to read the rule's values and check the rule. */
export interface RuleKind<R extends MatchRule = MatchRule, V = unknown> {
  readonly type: R['type']
  readonly shape: RuleShape
  /** The kind of value that the field must hold, as part of a sentence, for example "a number". */
  readonly wants: string
  readonly bound: RuleBound | null
  /** Whether rules of this type read no field of the state. */
  readonly hasNoField?: boolean
  /** Field that a rule reads when it sets no `field`; absent where a rule must set `field`. */
  readonly fieldUnlessSaid?: string
  /** Whether the values are private to their player, so that a fault must not show them. */
  readonly isPrivate?: boolean
  /** Allowed values of the setting `scope`, the default first; absent for a rule type without this setting. */
  readonly scopes?: readonly [string, string]
  /** For the shape `apart`: whether the players of one party are compared with each other too. */
  readonly inParty?: boolean
  /**
   * For the shape `apart`: calls `tell` with the id of each player whom this player may not meet. The rule keeps the two
   * apart until its bound, in seconds, has passed since `at` (epoch milliseconds).
   */
  eachNamed?(player: TicketPlayer, rule: R, tell: (playerId: string, at: number) => void): void
  /**
   * Returns the value that the rule reads from a player's state; undefined when the value is absent, null or of the
   * wrong type. Then the rule does not constrain the player. The result depends only on the state and the rule's field,
   * so that rules of the same type and field can share it.
   */
  read(state: Readonly<Record<string, unknown>>, rule: R): V | undefined
  /**
   * Whether players with these values may be in one match under this bound. For the shape `teams`, the values are the
   * averages of the teams.
   */
  holds(values: readonly V[], bound: number): boolean
}

/** Returns the definition of a rule type with a general type, so that all rule types fit into one registry. */
export const ruleKind = <R extends MatchRule, V>(kind: RuleKind<R, V>): RuleKind => kind as unknown as RuleKind
