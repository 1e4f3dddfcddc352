import type { Permission } from '../access/permission'
import type { AuditRule } from '../commit/audit'
import type { ErrorCode } from '../errors/catalogue'
import { accounts } from './accounts'
import { audit } from './audit'
import { bans } from './bans'
import { billing } from './billing'
import { builds } from './builds'
import { BACKEND } from './callers'
import type { AnyGame, GameTypes } from './game-types'
import { history } from './history'
import type { GroupIn } from './in-game'
import { keys } from './keys'
import { lobbies } from './lobbies'
import { machines } from './machines'
import { matches } from './matches'
import { matchmaking } from './matchmaking'
import { members } from './members'
import type { Bindable, CallsOf, InputField, OperationValue } from './operation'
import { players } from './players'
import { problems } from './problems'
import { projects } from './projects'
import { queues } from './queues'
import { ratings } from './ratings'
import { regions } from './regions'
import type { Running } from './running'
import { secondFactor } from './second-factor'
import { secrets } from './secrets'
import { servers } from './servers'
import { sessions } from './sessions'
import { webhooks } from './webhooks'

/** Groups by name. The type names each group instead of repeating its calls, so that their documentation reaches the published types. */
type Groups = {
  /** Calls about accounts and their sessions. */
  readonly accounts: typeof accounts
  /** Calls about the login sessions of an account, for its owner. */
  readonly sessions: typeof sessions
  /** Calls about the second factor of an account. */
  readonly secondFactor: typeof secondFactor
  /** Calls about the audit log. */
  readonly audit: typeof audit
  /** Calls about projects, and about the proof of their players' identity. */
  readonly projects: typeof projects
  /** Calls about the members of projects, and about invitations. */
  readonly members: typeof members
  /** Calls about API keys. */
  readonly keys: typeof keys
  /** Calls about plans, payment cards and costs. */
  readonly billing: typeof billing
  /** Calls about builds: server programs and container images. */
  readonly builds: typeof builds
  /** Calls about game servers, and calls that game servers make about themselves (`self…`). */
  readonly servers: typeof servers
  /** Calls about secrets, which servers get as environment variables. */
  readonly secrets: typeof secrets
  /** Calls about the machines of the installation, for operators. */
  readonly machines: typeof machines
  /** Calls about the regions in which servers can run. */
  readonly regions: typeof regions
  /** Calls about queues and their settings, statistics and history. */
  readonly queues: typeof queues
  /** Calls about lobbies: players, settings, searches and starts. */
  readonly lobbies: typeof lobbies
  /** Calls about matches: their servers, seats, results and ends. */
  readonly matches: typeof matches
  /** Calls about single players. */
  readonly players: typeof players
  /** Calls about bans of players. */
  readonly bans: typeof bans
  /** Calls about ratings, standings, leaderboards and seasons. */
  readonly ratings: typeof ratings
  /** Calls about figures over time. */
  readonly history: typeof history
  /** Calls about problems that need action. */
  readonly problems: typeof problems
  /** Calls about webhooks and their deliveries. */
  readonly webhooks: typeof webhooks
  /** Calls that run matchmaking by hand, for tests and simulations. */
  readonly matchmaking: typeof matchmaking
}
const GROUPS: Groups = {
  accounts,
  sessions,
  secondFactor,
  audit,
  projects,
  members,
  keys,
  billing,
  builds,
  servers,
  secrets,
  machines,
  regions,
  queues,
  lobbies,
  matches,
  players,
  bans,
  ratings,
  history,
  problems,
  webhooks,
  matchmaking,
}

/** Calls of the service by group, such as `lobbies.create`. */
export type GroupedCalls<Game extends GameTypes = AnyGame> = {
  readonly [Group in keyof Groups]: Group extends OfGame
    ? GroupIn<CallsOf<Groups[Group]>, Game>
    : CallsOf<Groups[Group]>
}

/** Groups whose calls have states of players or settings of lobbies. The others keep their types, which costs the compiler nothing. */
type OfGame = 'lobbies' | 'matches' | 'players'

type NamesIn<Group extends string, Calls> = {
  [Member in keyof Calls & string]: Calls[Member] extends OperationValue<infer _, infer Name>
    ? Name extends string
      ? Name
      : `${Group}.${Member}`
    : never
}[keyof Calls & string]

/** Name of an operation, such as `lobbies.create`. */
export type Operation = { [Group in keyof Groups]: NamesIn<Group, Groups[Group]> }[keyof Groups] | 'projects.events'

/** Properties of an operation that a protocol such as HTTP needs. */
export interface OperationFacts extends Permission {
  /** Error codes of this operation, besides the codes that every call may have. */
  readonly refusals: readonly ErrorCode[]
  /** Recording of the call in the audit log; undefined when the audit log never records it. */
  readonly audit: AuditRule | undefined
  /** Fields of the operation's input. */
  readonly fields: readonly InputField[]
  /**
   * Names of the group and the method by which a program calls the operation: `matchyard[group][member]`. Undefined for the project's feed,
   * which is `matchyard.feed`.
   */
  readonly place: readonly [group: string, member: string] | undefined
}

const ofGroups = Object.entries(GROUPS).flatMap(([group, calls]) =>
  Object.entries(calls).map(([member, call]: [string, Bindable<unknown>]) => ({ group, member, call })),
)

const isOperation = (call: Bindable<unknown>): call is OperationValue<unknown, string | undefined> => 'refusals' in call

/** Returns the name of a call in the permission table and in the audit log. */
const nameOf = (group: string, member: string, call: Bindable<unknown>): string =>
  (isOperation(call) ? call.name : undefined) ?? `${group}.${member}`

/**
 * Every operation by its name. This is the only table of permissions: a kind of credential that an operation does not list may not call it.
 */
export const OPERATIONS = Object.fromEntries<OperationFacts>([
  ...ofGroups.flatMap(({ group, member, call }): [string, OperationFacts][] => {
    if (!isOperation(call)) return []
    const { credentials, role, player, refusals, fields, audit: rule } = call
    const name = nameOf(group, member, call)
    return [[name, { credentials, role, player, refusals, fields, audit: rule, place: [group, member] }]]
  }),
  [
    'projects.events',
    {
      ...{ credentials: BACKEND, role: 'viewer', player: 'none' },
      ...{ refusals: [], fields: [], audit: undefined, place: undefined },
    },
  ],
]) as Readonly<Record<Operation, OperationFacts>>

/** Returns all calls of a running service, by group. */
export function bindCalls(node: Running): GroupedCalls {
  const bind = (group: string, calls: Readonly<Record<string, Bindable<unknown>>>) =>
    Object.fromEntries(
      Object.entries(calls).map(([member, call]) => [
        member,
        call.bind(node as never, group, nameOf(group, member, call)),
      ]),
    )
  const groups: unknown = Object.fromEntries(
    Object.entries(GROUPS).map(([group, calls]) => [group, bind(group, calls)]),
  )
  return groups as GroupedCalls
}
