import { type PlanLimits, SELF_HOSTED_LIMITS } from '../catalog/plans'
import type { PriceTable } from '../catalog/prices'
import type { Region } from '../catalog/regions'
import type { Placement, RegionFallback } from '../machine/machine'
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
import type { MachineSettings } from '../ports/ports'
import type { Random } from '../ports/random'
import type { CommitConflict, Storage } from '../ports/storage/index'
import type { Tokens } from '../ports/tokens'
import type { Tracing } from '../ports/tracing'
import { requireKnownOptions } from '../shared/known-names'
import { DEFAULT_STREAM_LIMITS, type StreamLimits } from '../streams/index'
import type { Message } from '../webhook/message'

/** Options of `createMatchyard`: the storage, the ports, and the settings of the installation. */
export interface MatchyardOptions {
  /** Database or memory in which the service stores all data. */
  readonly storage: Storage
  /** Tells the time. `nodePlatform({ secret })` of `@matchyard/node` supplies this port, the next five, `guardedFetch` and `playerTokens`. */
  readonly clock: Clock
  /** Runs functions later. `nodePlatform` supplies it. */
  readonly timers: Timers
  /** Makes the ids of new objects, which nobody can guess. `nodePlatform` supplies it. */
  readonly ids: Ids
  /** Draws random numbers. `nodePlatform` supplies it. */
  readonly random: Random
  /** Makes and verifies tokens by the secret of the installation. `nodePlatform` supplies it. */
  readonly tokens: Tokens
  /** Hashes and verifies passwords. `nodePlatform` supplies it. */
  readonly passwords: Passwords
  /**
   * Calls the addresses that customers configure, for webhooks and key sets. Default: none, so webhooks and key set URLs cannot be
   * configured.
   */
  readonly guardedFetch?: GuardedFetch
  /** Non-public addresses that `guardedFetch` may call too. Default: only public addresses, and only https. */
  readonly addresses?: Partial<AddressPolicy>
  /**
   * Returns the body of a webhook message. `webhookBody` of `@matchyard/http` returns the body in the format of the HTTP API. Default: the
   * format of this package, `{ id, type, createdAt, projectId, data }`.
   */
  readonly webhookBody?: (message: Message) => string
  /** Verifies the signatures of player tokens. Default: none, so every player token is invalid. */
  readonly playerTokens?: PlayerTokens
  /** Runs game servers. Default: none, so the service launches no servers. */
  readonly orchestrator?: Orchestrator
  /** Stores the archives of builds. Default: none, so no archive can be uploaded. */
  readonly buildStore?: BuildStore
  /** Stores the payment cards of accounts at a payment processor. Default: none, so no account can store a card. */
  readonly payments?: Payments
  /** Calls the other nodes that share the storage, and holds the URL at which they reach this node. Default: no other node is called. */
  readonly peers?: Peers
  /** Takes log entries. Default: no log. */
  readonly logger?: Logger
  /** Traces calls across all nodes, to show how long each step of a call takes. Default: no tracing. */
  readonly tracing?: Tracing
  /** Name of this process among the processes that share the storage; it must be the same after a restart. Default: `node`. */
  readonly nodeId?: string
  /** URL at which game servers and uploading clients reach this service, or a function that returns the URL. Default: empty. */
  readonly apiUrl?: string | (() => string)
  /** Maximum milliseconds from the first attempt to launch a server until it is `running`. Default: 60,000. */
  readonly launchTimeoutMs?: number
  /**
   * Maximum milliseconds that a server waits for capacity. Also the maximum that a match waits for a server that the studio assigns
   * (`source: 'external'`). Default: 120,000.
   */
  readonly capacityTimeoutMs?: number
  /** Milliseconds between SIGTERM and SIGKILL when a server is stopped. Default: 10,000. */
  readonly stopGraceMs?: number
  /**
   * Milliseconds without a heartbeat after which a node counts as lost. The other nodes then record its game servers as ended. Default:
   * 30,000.
   */
  readonly nodeLostAfterMs?: number
  /**
   * Milliseconds for which a node that was stopped by `stop` may be away before the other nodes record its game servers as ended. At most an
   * hour, because its goodbye is not kept longer. Default: 600,000.
   */
  readonly machineAwayMs?: number
  /**
   * Regions whose game servers this node runs, in the order of preference. An orchestrator that names its own regions has precedence.
   * Default: all regions, `iad` first.
   */
  readonly regions?: readonly Region[]
  /** Properties of this node's machine, for operators. Default: none. */
  readonly machine?: MachineSettings
  /** Effect of a region without a machine: servers wait (`none`), or run in another region (`any`). Default: `none`. */
  readonly regionFallback?: RegionFallback
  /** Choice among the machines of a region: the fullest with capacity (`pack`), or the emptiest (`spread`). Default: `pack`. */
  readonly placement?: Placement
  /** Maximum bytes of one uploaded archive. Default: 2 GiB. */
  readonly maxUploadBytes?: number
  /** Maximum number of live lobbies in one project, at least 1. Default: 200,000. Creating one more lobby is refused with `UNAVAILABLE`. */
  readonly maxLobbiesPerProject?: number
  /** Days for which ended matches are kept, 1 to 3,650. Default: 90. Older matches are removed. */
  readonly matchRetentionDays?: number
  /** Hours for which the build store keeps the logs of ended game servers, 0 to 8,760. Default: 72; 0 keeps no logs. */
  readonly logRetentionHours?: number
  /** Prices of the tiers in micro-USD per hour. Default: DEFAULT_PRICES. */
  readonly prices?: PriceTable
  /**
   * Limits of accounts with the tariff `self_hosted`, which `accounts.create` assigns. -1 means unlimited. Default: all limits -1, and all
   * regions and tiers.
   */
  readonly operatorLimits?: Partial<PlanLimits>
  /** Limits of the event streams of this node. Default: DEFAULT_STREAM_LIMITS. */
  readonly streams?: Partial<StreamLimits>
  /** Called for every commit that was refused because another commit was faster; used for metrics. Errors of the function are ignored. */
  readonly onConflict?: (conflict: CommitConflict) => void
}

/** Policy that allows only public addresses, and only https, so that nobody can read the messages on the way. */
export const PUBLIC_ADDRESSES: AddressPolicy = { allowLoopback: false, allowPrivate: false, httpsOnly: true }

/** Names of all options, and whether each is required. */
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
  machineAwayMs: 'optional',
  regions: 'optional',
  machine: 'optional',
  regionFallback: 'optional',
  placement: 'optional',
  maxUploadBytes: 'optional',
  maxLobbiesPerProject: 'optional',
  matchRetentionDays: 'optional',
  logRetentionHours: 'optional',
  prices: 'optional',
  operatorLimits: 'optional',
  streams: 'optional',
  onConflict: 'optional',
}

/** Throws TypeError for an unknown option and for a missing port. */
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
