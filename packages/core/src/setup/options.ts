import { type PlanLimits, SELF_HOSTED_LIMITS } from '../catalog/plans'
import type { PriceTable } from '../catalog/prices'
import type { BuildStore } from '../ports/build-store'
import type { Clock, Timers } from '../ports/clock'
import type { AddressPolicy, GuardedFetch } from '../ports/guarded-fetch'
import type { Ids } from '../ports/ids'
import type { Logger } from '../ports/logger'
import type { Orchestrator } from '../ports/orchestrator'
import type { Passwords } from '../ports/passwords'
import type { Payments } from '../ports/payments'
import type { Peers } from '../ports/peers'
import type { PlayerTokens } from '../ports/player-tokens'
import type { Random } from '../ports/random'
import type { CommitConflict, Storage } from '../ports/storage/index'
import type { Tokens } from '../ports/tokens'
import type { Tracing } from '../ports/tracing'
import { requireKnownOptions } from '../shared/known-names'
import { DEFAULT_STREAM_LIMITS, type StreamLimits } from '../streams/index'
import type { Message } from '../webhook/message'

export interface MatchyardOptions {
  readonly storage: Storage
  /** The platform: `nodePlatform({ secret })` of `@matchyard/node` gives all six, and `guardedFetch` and `playerTokens`. */
  readonly clock: Clock
  readonly timers: Timers
  readonly ids: Ids
  readonly random: Random
  readonly tokens: Tokens
  readonly passwords: Passwords
  /** Calls addresses that your users name; default: none, and nothing that needs it can be set up. */
  readonly guardedFetch?: GuardedFetch
  /** Which of those addresses may be called beside public ones; default: none, and only https. */
  readonly addresses?: Partial<AddressPolicy>
  /**
   * Returns the body of a webhook message: `webhookBody` of `@matchyard/http` writes it as the HTTP API shows it. Default: as the calls of this
   * object return it, `{ id, type, createdAt, projectId, data }`.
   */
  readonly webhookBody?: (message: Message) => string
  /** Verifies what players' issuers have signed; default: nothing, and every player token is invalid. */
  readonly playerTokens?: PlayerTokens
  /** Default: none, for studios that run their own servers. */
  readonly orchestrator?: Orchestrator
  readonly buildStore?: BuildStore
  readonly payments?: Payments
  /** Asks the other nodes that share the storage, and says by which URL they ask this one; default: none is asked. */
  readonly peers?: Peers
  /** Default: silent. */
  readonly logger?: Logger
  /** Tells where the time of calls goes, over all nodes; default: nothing is traced. */
  readonly tracing?: Tracing
  /** Names this process among those that share the storage; the same after a restart. Default `node`. */
  readonly nodeId?: string
  /** Where game servers and uploads reach this service. */
  readonly apiUrl?: string | (() => string)
  /** Milliseconds from the first attempt to launch to `running`; default 60,000. */
  readonly launchTimeoutMs?: number
  /** Milliseconds that a server waits for room, and a match for a server that the studio brings (`source: 'external'`); default 120,000. */
  readonly capacityTimeoutMs?: number
  /** Milliseconds between SIGTERM and SIGKILL; default 10,000. */
  readonly stopGraceMs?: number
  /** Milliseconds of silence after which a node is gone and the others end its game servers in the record; default 30,000. */
  readonly nodeLostAfterMs?: number
  /** Bytes of one uploaded archive; default 2 GiB. */
  readonly maxUploadBytes?: number
  /** Lobbies that live in one project at once, at least 1; default 200,000. One more is refused with `UNAVAILABLE`. */
  readonly maxLobbiesPerProject?: number
  readonly prices?: PriceTable
  /** Limits of accounts on the tariff `self_hosted`, which `accounts.create` makes; default: everything. -1 is unlimited. */
  readonly operatorLimits?: Partial<PlanLimits>
  /** How much event streams may hold on this node; see DEFAULT_STREAM_LIMITS. */
  readonly streams?: Partial<StreamLimits>
  /** Called for every commit that lost a race, for metrics; its errors are ignored. */
  readonly onConflict?: (conflict: CommitConflict) => void
}

/** Nobody but the public internet, and nothing that others can read on the way. */
export const PUBLIC_ADDRESSES: AddressPolicy = { allowLoopback: false, allowPrivate: false, httpsOnly: true }

/** Every option, and whether the service is nothing without it. */
const OPTIONS: { readonly [Name in keyof Required<MatchyardOptions>]: 'required' | 'optional' } = {
  storage: 'required',
  clock: 'required',
  timers: 'required',
  ids: 'required',
  random: 'required',
  tokens: 'required',
  passwords: 'required',
  guardedFetch: 'optional',
  addresses: 'optional',
  webhookBody: 'optional',
  playerTokens: 'optional',
  orchestrator: 'optional',
  buildStore: 'optional',
  payments: 'optional',
  peers: 'optional',
  logger: 'optional',
  tracing: 'optional',
  nodeId: 'optional',
  apiUrl: 'optional',
  launchTimeoutMs: 'optional',
  capacityTimeoutMs: 'optional',
  stopGraceMs: 'optional',
  nodeLostAfterMs: 'optional',
  maxUploadBytes: 'optional',
  maxLobbiesPerProject: 'optional',
  prices: 'optional',
  operatorLimits: 'optional',
  streams: 'optional',
  onConflict: 'optional',
}

/** Throws TypeError for an option that nobody knows and for a port that is missing. */
export function requireOptions(options: MatchyardOptions): void {
  requireKnownOptions('createMatchyard', options, Object.keys(OPTIONS))
  for (const [name, need] of Object.entries(OPTIONS)) {
    const given = options[name as keyof MatchyardOptions]
    if (need === 'optional' || (typeof given === 'object' && given !== null)) continue
    const mend =
      name === 'storage' ? 'memoryStorage(), sqliteStorage(…)' : 'nodePlatform({ secret }) of @matchyard/node'
    throw new TypeError(`createMatchyard: the port ${name} is missing; ${mend} gives one`)
  }
  requireKnownOptions('createMatchyard, streams', options.streams ?? {}, Object.keys(DEFAULT_STREAM_LIMITS))
  requireKnownOptions('createMatchyard, addresses', options.addresses ?? {}, Object.keys(PUBLIC_ADDRESSES))
  requireKnownOptions('createMatchyard, operatorLimits', options.operatorLimits ?? {}, Object.keys(SELF_HOSTED_LIMITS))
}
