import type { Placement, PlanLimits, PriceTable, Region, RegionFallback } from '@matchyard/core'
import {
  type AddressPolicy,
  type Logger,
  type NamesOf,
  requireKnownOptions,
  requireOneOf,
  type Storage,
  type Tracing,
} from '@matchyard/core/ports'
import type { AdmissionOptions, AppOptions, BrakeLimits } from '@matchyard/http'
import type { Certificate } from '@matchyard/orchestrator/process'
import type { BeaconChoice } from '../beacon/node-beacons'
import { CONSOLE, ORCHESTRATORS, PAYMENTS, REGISTRATION, WORK_LIMITS } from '../config/environment'
import { type OpenIdConfig, PASSWORD_SIGN_IN } from '../config/openid'
import type { ServeConfig } from '../config/serve-config'
import type { BuildStoreChoice } from './build-store'
import type { HeaderTimeouts } from './listen'
import type { OrchestratorChoice } from './orchestrator'
import type { Place } from './place'

/**
 * Options of a service. The result of `readServeConfig(process.env)` can be passed unchanged, together with the
 * storage, the logger and the installation's id.
 */
export interface ServiceOptions
  extends OrchestratorChoice,
    BuildStoreChoice,
    BeaconChoice,
    Partial<Pick<ServeConfig, 'pool' | 'cacheMb' | 'logLevel' | 'workers' | 'buildStore' | 'isTraced'>> {
  readonly storage: Storage
  /**
   * URL of `storage`. If it is a PostgreSQL database, all nodes count rate limits in the database, and this machine's
   * clock is compared with the database's clock.
   */
  readonly databaseUrl?: string
  /** Folder for uploads, unpacked builds and the files of game servers. */
  readonly dataDirectory: string
  readonly secret: string
  /** Secret that `secret` replaces. Its signatures are accepted too. Default: none. */
  readonly previousSecret?: string | undefined
  readonly host: string
  readonly port: number
  /**
   * Id of this node among all nodes of the storage; must be the same after a restart. Default: derived from
   * `installationId`.
   */
  readonly nodeId?: string | undefined
  /**
   * URL at which other nodes ask this node for logs of its game servers. Default: none; other nodes then cannot ask.
   */
  readonly peerUrl?: string | undefined
  /** Id of the installation on its machine. The service does not touch game servers of other installations. */
  readonly installationId: string
  /** Address of this service for its callers. Default: the address on which it listens. */
  readonly publicUrl?: string | undefined
  /** Host at which players reach the game servers. Default: the host of `publicUrl`. */
  readonly serverHost?: string | undefined
  /** Certificate for the ports of game servers that have TLS. Default: none, so that queues with such ports get no servers here. */
  readonly certificate?: Certificate | undefined
  /** Whether every caller that reaches the service may create an account. Default: `closed`. */
  readonly registration?: 'open' | 'closed'
  /**
   * Maximum number of accounts that one network address may register per hour. All addresses together may register 20
   * times as many. Default: no limit.
   */
  readonly registrationsPerHour?: number
  /** Whether `/console` is served and `/` redirects browsers to the console. Default: `off`. */
  readonly console?: 'on' | 'off'
  /** Folder of the console, with `index.html` and `assets/`. Default: the folder of `@matchyard/console`. */
  readonly consoleFiles?: string
  /** OpenID provider by which people sign in to the console; it needs `publicUrl`. */
  readonly openId?: OpenIdConfig | undefined
  /** Whether accounts may sign in, register and join by password; on by default. */
  readonly passwordSignIn?: (typeof PASSWORD_SIGN_IN)[number]
  /** Rate limits of one player's calls with a client key. Default: none. */
  readonly brakes?: BrakeLimits
  /**
   * Whether calls that cause work outside the service are limited per minute, for each project or account. Default:
   * `off`.
   */
  readonly workLimits?: 'on' | 'off'
  /**
   * When calls are refused because the service is overloaded. Default: never; all calls are started, even if they
   * waited for long.
   */
  readonly admission?: AdmissionOptions | undefined
  /** Number of the operator's own proxies in front of the service. Default: 0, and forwarded headers are ignored. */
  readonly trustedProxies?: number
  /** Origins whose pages may call the control plane. Default: none. */
  readonly controlPlaneOrigins?: readonly string[]
  readonly prices?: PriceTable | undefined
  /** Plan limits of accounts on the tariff `self_hosted`. Default: none. */
  readonly operatorLimits?: Partial<PlanLimits>
  /** Payment adapter: `manual` accepts test cards, `none` accepts no card. Default: `none`. */
  readonly payments?: 'manual' | 'none'
  readonly maxUploadBytes?: number
  /** Maximum number of live lobbies in one project. Default: 200,000. */
  readonly maxLobbiesPerProject?: number
  /** Days for which ended matches are kept, 1 to 3,650. Default: 90. */
  readonly matchRetentionDays?: number
  /** Hours for which the logs of ended game servers are kept. Default: 72. */
  readonly logRetentionHours?: number
  /** Policy about the addresses that customers may configure. Default: only public addresses, and only https. */
  readonly addresses?: Partial<AddressPolicy>
  /** Regions whose game servers this node runs, in the order of preference. Default: all. */
  readonly regions?: readonly Region[] | undefined
  /** Effect of a region without a machine. Default: `none`; the servers of the region wait. */
  readonly regionFallback?: RegionFallback
  /** Choice among the machines of a region. Default: `pack`. */
  readonly placement?: Placement
  readonly launchTimeoutMs?: number
  readonly capacityTimeoutMs?: number
  readonly nodeLostAfterMs?: number
  readonly machineAwayMs?: number
  /**
   * Milliseconds after a stop signal for which calls are still accepted, while `/readyz` reports the stop. Default: 0.
   */
  readonly drainMs?: number
  /** Token for `GET /metrics`, used when `metrics` is not given. */
  readonly metricsToken?: string | undefined
  /** Access to `GET /metrics` and `GET /top`: for everybody, for callers with the token, or (default) for nobody. */
  readonly metrics?: 'open' | 'closed' | { readonly token: string }
  /** Level of the log line for each request. Default: `info`. */
  readonly accessLevel?: 'info' | 'debug'
  readonly headerTimeouts?: HeaderTimeouts
  /**
   * How the log reports that game servers are not isolated: one warning for each limitation (default), or one line with
   * the number of limitations.
   */
  readonly isolation?: 'in-full' | 'in-a-line'
  /** Effect of a wrong clock. Default: the start is refused. */
  readonly wrongClock?: 'refuse' | 'warn'
  /** Effect of a secret that differs from the secret of earlier starts. Default: the start is refused. */
  readonly otherSecret?: 'refuse' | 'warn'
  /**
   * Returns the time of the database server in milliseconds. Default: the clock of `databaseUrl`, if it is a PostgreSQL
   * database.
   */
  readonly databaseNow?: () => Promise<number>
  readonly logger: Logger
  /** Tracing of the service. Default: none. */
  readonly tracing?: Tracing | undefined
  /** Returns the number of dropped log lines, for metrics. Default: 0. */
  readonly droppedLogLines?: () => number
  /** Role of this process among several processes of one node. Default: the process is the whole node. */
  readonly worker?: Place | undefined
  /** Further options of the application, which take precedence over the options above. */
  readonly app?: AppOptions
}

const OPTIONS: NamesOf<ServiceOptions> = {
  storage: true,
  databaseUrl: true,
  pool: true,
  cacheMb: true,
  dataDirectory: true,
  secret: true,
  previousSecret: true,
  host: true,
  port: true,
  nodeId: true,
  peerUrl: true,
  beaconPort: true,
  beaconUrl: true,
  installationId: true,
  publicUrl: true,
  serverHost: true,
  certificate: true,
  innerPortGuard: true,
  registration: true,
  registrationsPerHour: true,
  console: true,
  consoleFiles: true,
  openId: true,
  passwordSignIn: true,
  brakes: true,
  workLimits: true,
  admission: true,
  trustedProxies: true,
  controlPlaneOrigins: true,
  orchestrator: true,
  containers: true,
  agones: true,
  limits: true,
  prices: true,
  operatorLimits: true,
  payments: true,
  maxUploadBytes: true,
  maxLobbiesPerProject: true,
  matchRetentionDays: true,
  logRetentionHours: true,
  buildStore: true,
  bucket: true,
  buildCacheBytes: true,
  addresses: true,
  regions: true,
  regionFallback: true,
  placement: true,
  launchTimeoutMs: true,
  capacityTimeoutMs: true,
  nodeLostAfterMs: true,
  machineAwayMs: true,
  drainMs: true,
  metricsToken: true,
  metrics: true,
  accessLevel: true,
  headerTimeouts: true,
  isolation: true,
  wrongClock: true,
  otherSecret: true,
  databaseNow: true,
  logger: true,
  tracing: true,
  isTraced: true,
  logLevel: true,
  droppedLogLines: true,
  workers: true,
  worker: true,
  app: true,
}

/** Throws TypeError for an unknown option, and for a wrong value of some options. */
export function requireServiceOptions(options: ServiceOptions): void {
  const where = 'startService'
  requireKnownOptions(where, options, Object.keys(OPTIONS))
  requireOneOf(where, 'registration', options.registration, REGISTRATION)
  requireOneOf(where, 'workLimits', options.workLimits, WORK_LIMITS)
  requireOneOf(where, 'console', options.console, CONSOLE)
  requireOneOf(where, 'passwordSignIn', options.passwordSignIn, PASSWORD_SIGN_IN)
  requireOneOf(where, 'payments', options.payments, PAYMENTS)
  requireOneOf(where, 'orchestrator', options.orchestrator, ORCHESTRATORS)
  requireOneOf(where, 'wrongClock', options.wrongClock, ['refuse', 'warn'])
  requireOneOf(where, 'otherSecret', options.otherSecret, ['refuse', 'warn'])
  if (typeof options.metrics !== 'object') requireOneOf(where, 'metrics', options.metrics, ['open', 'closed'])
  else if (typeof options.metrics.token !== 'string') throw new TypeError(`${where}: metrics has no token`)
}

/** Returns those options that the application takes. */
export const appOptionsOf = (options: ServiceOptions): AppOptions => ({
  registration: options.registration ?? 'closed',
  ...(options.brakes === undefined ? {} : { brakes: options.brakes }),
  passwords: options.passwordSignIn ?? 'on',
  workLimits: options.workLimits ?? 'off',
  registrationsPerHour: options.registrationsPerHour ?? 0,
  trustProxy: options.trustedProxies ?? 0,
  controlPlaneOrigins: options.controlPlaneOrigins ?? [],
  ...(options.publicUrl === undefined ? {} : { publicUrl: options.publicUrl }),
})

/**
 * Returns the host at which players reach game servers: `serverHost`, or otherwise the host of the service's own
 * address.
 */
export const serverHostOf = ({ serverHost, publicUrl }: ServiceOptions): string | undefined =>
  serverHost ?? (publicUrl === undefined ? undefined : new URL(publicUrl).hostname.replace(/^\[|\]$/g, ''))

export function nodeIdOf({
  nodeId,
  installationId,
  worker,
}: Pick<ServiceOptions, 'nodeId' | 'installationId' | 'worker'>): string {
  const node = nodeId ?? `node-${installationId}`
  return worker?.nodeIdOf(node) ?? node
}
