import type { PlanLimits, PriceTable } from '@matchyard/core'
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
import { CONSOLE, ORCHESTRATORS, PAYMENTS, REGISTRATION, WORK_LIMITS } from '../config/environment'
import type { ServeConfig } from '../config/serve-config'
import type { BuildStoreChoice } from './build-store'
import type { HeaderTimeouts } from './listen'
import type { OrchestratorChoice } from './orchestrator'
import type { Place } from './place'

/** Everything of `readServeConfig(process.env)` may be given as it is, beside the storage, the logger and the installation's name. */
export interface ServiceOptions
  extends OrchestratorChoice,
    BuildStoreChoice,
    Partial<Pick<ServeConfig, 'pool' | 'cacheMb' | 'logLevel' | 'workers' | 'buildStore' | 'isTraced'>> {
  readonly storage: Storage
  /** Where `storage` is. Nodes that share it count limits there, and its clock is compared with this machine's. */
  readonly databaseUrl?: string
  /** Where uploads, unpacked builds and the files of game servers live. */
  readonly dataDirectory: string
  readonly secret: string
  readonly host: string
  readonly port: number
  /** Names this process among those that share the storage, the same after a restart; default: by `installationId`. */
  readonly nodeId?: string | undefined
  /** The URL by which other nodes ask this one for logs of its game servers; default: they cannot. */
  readonly peerUrl?: string | undefined
  /** Names the installation on its machine: game servers of another one are never touched. */
  readonly installationId: string
  /** How others reach this service; default: where it listens. */
  readonly publicUrl?: string | undefined
  /** Address that players connect to; default: the host of `publicUrl`. */
  readonly serverHost?: string | undefined
  /** Whether anybody who reaches the service may create an account; default `closed`. */
  readonly registration?: 'open' | 'closed'
  /** Accounts that strangers may make from one network address in an hour, and twenty times as many from all; default: as many as they like. */
  readonly registrationsPerHour?: number
  /** Whether `/console` is served, and `/` leads browsers there; default `off`. */
  readonly console?: 'on' | 'off'
  /** The folder that is served there, with `index.html` and `assets/`; default: that of `@matchyard/console`. */
  readonly consoleFiles?: string
  /** How much one player may do with a client key; default: as much as they like. */
  readonly brakes?: BrakeLimits
  /** Whether a project may make the service work outside itself only so often a minute; default `off`. */
  readonly workLimits?: 'on' | 'off'
  /** Refuses calls while there is more to do than can be done; default: all are begun, however late. */
  readonly admission?: AdmissionOptions | undefined
  /** How many proxies of one's own stand in front; default 0, and forwarded headers are never read. */
  readonly trustedProxies?: number
  /** Origins whose pages may call the control plane; default none. */
  readonly controlPlaneOrigins?: readonly string[]
  readonly prices?: PriceTable | undefined
  /** Limits of accounts on the tariff `self_hosted`; default: none. */
  readonly operatorLimits?: Partial<PlanLimits>
  /** `manual` takes test cards, `none` takes no card; default `none`. */
  readonly payments?: 'manual' | 'none'
  readonly maxUploadBytes?: number
  /** Lobbies that live in one project at once; default 200,000. */
  readonly maxLobbiesPerProject?: number
  /** Which addresses that users name are called beside public ones; default: none, and only https. */
  readonly addresses?: Partial<AddressPolicy>
  readonly launchTimeoutMs?: number
  readonly capacityTimeoutMs?: number
  readonly nodeLostAfterMs?: number
  /** How long a stop goes on taking calls while `/readyz` says that it is on its way out; default 0. */
  readonly drainMs?: number
  /** Token for `GET /metrics`, where `metrics` does not say otherwise. */
  readonly metricsToken?: string | undefined
  /** Access to `GET /metrics`: everybody, callers with the token, or (default) nobody. */
  readonly metrics?: 'open' | 'closed' | { readonly token: string }
  /** The level of the line that each request gets; default `info`. */
  readonly accessLevel?: 'info' | 'debug'
  readonly headerTimeouts?: HeaderTimeouts
  /** Report of missing isolation: each point as a warning (default), or their number in one line. */
  readonly isolation?: 'in-full' | 'in-a-line'
  /** Reaction to a wrong clock; default: the start is refused. */
  readonly wrongClock?: 'refuse' | 'warn'
  /** Reaction to another secret than at earlier starts; default: the start is refused. */
  readonly otherSecret?: 'refuse' | 'warn'
  /** The clock of the database's own machine, in milliseconds; default: that of `databaseUrl`, where it has one of its own. */
  readonly databaseNow?: () => Promise<number>
  readonly logger: Logger
  /** Default: nothing is traced. */
  readonly tracing?: Tracing | undefined
  /** How many lines the log has dropped, for metrics; default none. */
  readonly droppedLogLines?: () => number
  /** Where this process stands among several of one node; default: it is the node by itself. */
  readonly worker?: Place | undefined
  /** Further options of the application, which take precedence over these. */
  readonly app?: AppOptions
}

const OPTIONS: NamesOf<ServiceOptions> = {
  storage: true,
  databaseUrl: true,
  pool: true,
  cacheMb: true,
  dataDirectory: true,
  secret: true,
  host: true,
  port: true,
  nodeId: true,
  peerUrl: true,
  installationId: true,
  publicUrl: true,
  serverHost: true,
  registration: true,
  registrationsPerHour: true,
  console: true,
  consoleFiles: true,
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
  buildStore: true,
  bucket: true,
  buildCacheBytes: true,
  addresses: true,
  launchTimeoutMs: true,
  capacityTimeoutMs: true,
  nodeLostAfterMs: true,
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

/** Throws TypeError for an option that nobody knows, and for a value that an option does not take. */
export function requireServiceOptions(options: ServiceOptions): void {
  const where = 'startService'
  requireKnownOptions(where, options, Object.keys(OPTIONS))
  requireOneOf(where, 'registration', options.registration, REGISTRATION)
  requireOneOf(where, 'workLimits', options.workLimits, WORK_LIMITS)
  requireOneOf(where, 'console', options.console, CONSOLE)
  requireOneOf(where, 'payments', options.payments, PAYMENTS)
  requireOneOf(where, 'orchestrator', options.orchestrator, ORCHESTRATORS)
  requireOneOf(where, 'wrongClock', options.wrongClock, ['refuse', 'warn'])
  requireOneOf(where, 'otherSecret', options.otherSecret, ['refuse', 'warn'])
  if (typeof options.metrics !== 'object') requireOneOf(where, 'metrics', options.metrics, ['open', 'closed'])
  else if (typeof options.metrics.token !== 'string') throw new TypeError(`${where}: metrics has no token`)
}

/** Returns the application's part of the options. */
export const appOptionsOf = (options: ServiceOptions): AppOptions => ({
  registration: options.registration ?? 'closed',
  ...(options.brakes === undefined ? {} : { brakes: options.brakes }),
  workLimits: options.workLimits ?? 'off',
  registrationsPerHour: options.registrationsPerHour ?? 0,
  trustProxy: options.trustedProxies ?? 0,
  controlPlaneOrigins: options.controlPlaneOrigins ?? [],
  ...(options.publicUrl === undefined ? {} : { publicUrl: options.publicUrl }),
})

/** Players reach game servers where they reach the service, unless told otherwise. */
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
