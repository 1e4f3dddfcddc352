import { resolve } from 'node:path'
import type { Placement, PlanLimits, PriceTable, Region, RegionFallback } from '@matchyard/core'
import type { AddressPolicy, NodeLimits } from '@matchyard/core/ports'
import type { Certificate } from '@matchyard/orchestrator/process'
import type { z } from 'zod'
import type { AgonesOptions } from './agones'
import { beaconFaults } from './beacon'
import { type BUILD_STORES, type BucketConfig, bucketFaults, bucketOf } from './bucket'
import { ConfigurationError } from './configuration-error'
import type { ContainerOptions } from './containers'
import { defaultDatabaseUrl } from './database-url'
import {
  type CONSOLE,
  type Environment,
  environmentSchema,
  type LOG_LEVELS,
  type ORCHESTRATORS,
  type PAYMENTS,
  type REGISTRATION,
  VARIABLES,
  type VariableName,
  type WORK_LIMITS,
} from './environment'
import { type OpenIdConfig, openIdFaults, openIdOf, type PASSWORD_SIGN_IN } from './openid'
import { isTraced } from './tracing'

export interface PoolSettings {
  /** Number of database connections for reads and commits. */
  readonly poolSize: number
  /** Maximum time of one statement in milliseconds, including its wait for locks. */
  readonly statementTimeoutMs: number
  /** URL of the database without a pooler, needed when `databaseUrl` leads to a pooler in transaction mode. */
  readonly listenUrl?: string
}

/** Locations of the database and of the files. */
export interface StorageConfig {
  readonly databaseUrl: string
  /** Megabytes of memory for the pages of a SQLite file. */
  readonly cacheMb: number
  /** Connection pool of a PostgreSQL database; a SQLite file has one connection. */
  readonly pool: PoolSettings
  /** Folder for the service's files, as an absolute path. */
  readonly dataDirectory: string
}

export interface ServiceConfig extends StorageConfig {
  readonly host: string
  readonly port: number
  readonly publicUrl: string | undefined
  readonly serverHost: string | undefined
  /** Certificate for the ports of game servers that have TLS; undefined when this machine has none. */
  readonly certificate: Certificate | undefined
  readonly nodeId: string | undefined
  /** URL at which the other nodes call this node; undefined if the other nodes cannot call it. */
  readonly peerUrl: string | undefined
  /** UDP port on which the node answers measurements of players' clients. */
  readonly beaconPort: number | undefined
  /** https URL that reaches `/ping` of this node. */
  readonly beaconUrl: string | undefined
  /**
   * Milliseconds after a stop signal for which the service still accepts calls, so that load balancers can notice the
   * stop.
   */
  readonly drainMs: number
  /** Number of this node's processes that accept calls on its port. */
  readonly workers: number
  readonly logLevel: (typeof LOG_LEVELS)[number]
  readonly metricsToken: string | undefined
  readonly trustedProxies: number
  readonly controlPlaneOrigins: readonly string[]
  /** Whether every caller may create an account. */
  readonly registration: (typeof REGISTRATION)[number]
  /**
   * Maximum number of accounts that one network address may register per hour. All addresses together may register 20
   * times as many. 0 means no limit.
   */
  readonly registrationsPerHour: number
  /** Whether `/console` is served. */
  readonly console: (typeof CONSOLE)[number]
  /** OpenID provider by which people sign in to the console; undefined: none. */
  readonly openId: OpenIdConfig | undefined
  /** Whether accounts may sign in, register and join by password. */
  readonly passwordSignIn: (typeof PASSWORD_SIGN_IN)[number]
  /** Rate limits of one player's calls with a client key; 0 means no limit. */
  readonly brakes: {
    readonly creations: number
    readonly joins: number
    readonly streams: number
    readonly writes: number
  }
  /** Whether calls that cause work outside the service are limited per minute, for each project or account. */
  readonly workLimits: (typeof WORK_LIMITS)[number]
  /**
   * Milliseconds for which calls may wait before the service refuses calls because of overload. If undefined, no call
   * is refused for this reason.
   */
  readonly admission: { readonly delayMs: number } | undefined
  /** Regions whose game servers this node runs, in the order of preference; undefined: all. */
  readonly regions: readonly Region[] | undefined
  /** Effect of a region without a machine. */
  readonly regionFallback: RegionFallback
  /** Choice among the machines of a region. */
  readonly placement: Placement
  readonly launchTimeoutMs: number
  readonly capacityTimeoutMs: number
  readonly nodeLostAfterMs: number
  readonly machineAwayMs: number
  readonly maxUploadBytes: number
  readonly maxLobbiesPerProject: number
  readonly matchRetentionDays: number
  readonly logRetentionHours: number
  /** Where builds are stored. `bucket` is undefined when they are stored in the data folder. */
  readonly buildStore: (typeof BUILD_STORES)[number]
  readonly bucket: BucketConfig | undefined
  readonly buildCacheBytes: number
  readonly prices: PriceTable | undefined
  /** Plan limits of accounts on the tariff `self_hosted`. */
  readonly operatorLimits: Partial<PlanLimits>
  /** Payment adapter: `manual` accepts test cards, `none` accepts no card. */
  readonly payments: (typeof PAYMENTS)[number]
  readonly orchestrator: (typeof ORCHESTRATORS)[number]
  readonly containers: ContainerOptions
  /** Options of the Agones clusters; set when AGONES_CONFIG is set. */
  readonly agones: AgonesOptions | undefined
  /** Limits of game servers on this node. */
  readonly limits: NodeLimits
  /** Policy about the addresses that customers may configure, for example for webhooks. */
  readonly addresses: AddressPolicy
  /** Whether spans are sent to a collector. */
  readonly isTraced: boolean
}

export interface ServeConfig extends ServiceConfig, Secrets {}

export interface Secrets {
  readonly secret: string
  /** Secret that `secret` replaces; undefined when the secret is not being changed. */
  readonly previousSecret: string | undefined
}

export const dockerOnly = environmentSchema.pick({
  DOCKER_HOST: true,
  DOCKER_BASE_IMAGE: true,
  DOCKER_REGISTRIES: true,
  DOCKER_TRUSTED_REGISTRIES: true,
  DOCKER_CREDENTIALS: true,
  DOCKER_LOCAL_IMAGES: true,
  DOCKER_NETWORK: true,
  MAX_WARM_SERVERS: true,
})
export const limitsOnly = environmentSchema.pick({
  MAX_SERVERS: true,
  MAX_SERVER_CPUS: true,
  MAX_SERVER_MEMORY_MB: true,
})
const serversOnly = dockerOnly.extend({
  ...limitsOnly.shape,
  ...environmentSchema.pick({ ORCHESTRATOR: true, AGONES_CONFIG: true, CAPACITY_TIMEOUT_SECONDS: true }).shape,
})
const withoutSecret = environmentSchema.omit({ MATCHYARD_SECRET: true, MATCHYARD_SECRET_PREVIOUS: true })
const storageOnly = environmentSchema.pick({
  DATABASE_URL: true,
  DATABASE_LISTEN_URL: true,
  DATABASE_CACHE_MB: true,
  DATABASE_POOL_SIZE: true,
  DATABASE_STATEMENT_TIMEOUT_SECONDS: true,
  MATCHYARD_DATA: true,
})

/** Returns the configuration of `matchyard serve`. Throws ConfigurationError with one line for every fault. */
export function readServeConfig(environment: Environment): ServeConfig {
  const data = orThrow(environmentSchema.safeParse(environment))
  const wrong = faultsBetween(data)
  if (wrong.length > 0) throw new ConfigurationError(wrong.map(([name, fault]) => `${name}: ${fault}`))
  return { ...secretsOf(data), ...serviceOf(data) }
}

/** Returns the storage settings for an operator's command; ignores all other variables. Throws ConfigurationError. */
export const readStorageConfig = (environment: Environment): StorageConfig =>
  withoutPooler(storageOf(orThrow(storageOnly.safeParse(environment))))

const secretsOnly = environmentSchema.pick({ MATCHYARD_SECRET: true, MATCHYARD_SECRET_PREVIOUS: true })
const secretOnly = storageOnly.extend(secretsOnly.shape)

/** Returns the configuration of `matchyard secret`: the storage settings and the secrets. Throws ConfigurationError. */
export function readSecretConfig(environment: Environment): StorageConfig & Secrets {
  const data = orThrow(secretOnly.safeParse(environment))
  return { ...withoutPooler(storageOf(data)), ...secretsOf(data) }
}

const SAME_SECRETS =
  'MATCHYARD_SECRET_PREVIOUS: it is the same as MATCHYARD_SECRET; set MATCHYARD_SECRET to the new secret, or unset MATCHYARD_SECRET_PREVIOUS'

function secretsOf({
  MATCHYARD_SECRET: secret,
  MATCHYARD_SECRET_PREVIOUS: previousSecret,
}: z.output<typeof secretsOnly>): Secrets {
  if (secret === previousSecret) throw new ConfigurationError(SAME_SECRETS)
  return { secret, previousSecret }
}

const machinesOnly = storageOnly.extend(environmentSchema.pick({ NODE_LOST_AFTER_SECONDS: true }).shape)

/** Returns the configuration of the machine commands. Throws ConfigurationError. */
export function readMachinesConfig(environment: Environment): StorageConfig & { readonly nodeLostAfterMs: number } {
  const data = orThrow(machinesOnly.safeParse(environment))
  return { ...withoutPooler(storageOf(data)), nodeLostAfterMs: data.NODE_LOST_AFTER_SECONDS * 1_000 }
}

const accountsOnly = storageOnly.extend(
  environmentSchema.pick({ PLAN_LIMITS: true, PUBLIC_URL: true, HOST: true, PORT: true }).shape,
)

/** Configuration of the account commands: the storage settings, the plan limits, and the service's address. */
export interface AccountsConfig extends StorageConfig {
  readonly operatorLimits: Partial<PlanLimits>
  readonly baseUrl: string
}

/** Returns the configuration of the account commands. Throws ConfigurationError. */
export function readAccountsConfig(environment: Environment): AccountsConfig {
  const data = orThrow(accountsOnly.safeParse(environment))
  // If the service listens on all addresses, this machine reaches it at the loopback address.
  const host = /^(0\.0\.0\.0|::|\[::\])$/.test(data.HOST) ? '127.0.0.1' : data.HOST
  const named = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  return {
    ...withoutPooler(storageOf(data)),
    operatorLimits: data.PLAN_LIMITS,
    baseUrl: data.PUBLIC_URL ?? `http://${named}:${data.PORT}`,
  }
}

/** Variables that `dev` uses, besides the variables of the orchestrators. */
const devOnly = environmentSchema.pick({
  DATABASE_CACHE_MB: true,
  HOST: true,
  PUBLIC_URL: true,
  SERVER_HOST: true,
  GAME_TLS_CERT_FILE: true,
  GAME_TLS_KEY_FILE: true,
  LOG_LEVEL: true,
  CONSOLE: true,
})
const DEV_VARIABLES = new Set([
  ...Object.keys({ ...devOnly.shape, ...serversOnly.shape }),
  ...['DATABASE_URL', 'MATCHYARD_DATA', 'MATCHYARD_SECRET', 'PORT'],
])

export interface DevConfig
  extends Pick<ServiceConfig, 'cacheMb' | 'publicUrl' | 'serverHost' | 'certificate' | 'logLevel' | 'console'>,
    ReturnType<typeof serversOf> {
  /** The value of HOST; undefined when HOST is not set. */
  readonly host: string | undefined
  readonly secret: string | undefined
}

/**
 * Returns the configuration of `matchyard dev`. Throws ConfigurationError for faults, and for a variable that is set
 * but that `dev` does not use.
 */
export function readDevConfig(environment: Environment): DevConfig {
  const isSet = (name: VariableName) => environment[name] !== undefined && environment[name] !== ''
  // OpenTelemetry's variables may be set for other programs of the same shell.
  const unapplied = VARIABLES.filter((name) => isSet(name) && !DEV_VARIABLES.has(name) && !name.startsWith('OTEL_'))
  if (unapplied.length > 0)
    throw new ConfigurationError(unapplied.map((name) => `${name}: dev does not apply it; unset it, or run serve`))
  const data = orThrow(devOnly.safeParse(environment))
  return {
    ...serversOf(orThrow(serversOnly.safeParse(environment))),
    cacheMb: data.DATABASE_CACHE_MB,
    host: isSet('HOST') ? data.HOST : undefined,
    publicUrl: data.PUBLIC_URL,
    serverHost: data.SERVER_HOST,
    certificate: certificateOf(data),
    logLevel: data.LOG_LEVEL,
    console: data.CONSOLE,
    secret: isSet('MATCHYARD_SECRET') ? readSecretConfig(environment).secret : undefined,
  }
}

function serversOf(data: z.output<typeof serversOnly>) {
  return {
    orchestrator: data.ORCHESTRATOR,
    containers: containersOf(data),
    agones: data.AGONES_CONFIG,
    limits: limitsOf(data),
    capacityTimeoutMs: data.CAPACITY_TIMEOUT_SECONDS * 1000,
  }
}

/**
 * Returns the input of `doctor`: the fault of each variable, and a configuration with the default value of each faulty
 * variable.
 */
export function examine(environment: Environment): {
  readonly faults: ReadonlyMap<VariableName, string>
  readonly config: ServiceConfig
} {
  const { error } = environmentSchema.safeParse(environment)
  const faults = new Map(error?.issues.map(({ path, message }) => [path[0] as VariableName, message]))
  const sound = Object.fromEntries(Object.entries(environment).filter(([name]) => !faults.has(name as VariableName)))
  const data = withoutSecret.parse(sound)
  for (const [name, fault] of faultsBetween(data)) if (!faults.has(name)) faults.set(name, fault)
  return { faults, config: serviceOf(data) }
}

/** Returns the faults of variables that do not fit each other. */
const faultsBetween = (data: z.output<typeof withoutSecret>): readonly (readonly [VariableName, string])[] => [
  ...bucketFaults(data),
  ...beaconFaults(data),
  ...certificateFaults(data),
  ...agentsFaults(data),
  ...openIdFaults(data),
]

const certificateOnly = environmentSchema.pick({ GAME_TLS_CERT_FILE: true, GAME_TLS_KEY_FILE: true })

export function certificateOf({
  GAME_TLS_CERT_FILE: certFile,
  GAME_TLS_KEY_FILE: keyFile,
}: z.output<typeof certificateOnly>): Certificate | undefined {
  return certFile === undefined || keyFile === undefined
    ? undefined
    : { certFile: resolve(certFile), keyFile: resolve(keyFile) }
}

/** Returns a fault when only one of the two files is set. */
export function certificateFaults(data: z.output<typeof certificateOnly>): ReadonlyMap<VariableName, string> {
  const missing = (['GAME_TLS_CERT_FILE', 'GAME_TLS_KEY_FILE'] as const).filter((name) => data[name] === undefined)
  const [name] = missing
  if (name === undefined || missing.length === 2) return new Map()
  return new Map([[name, 'it is not set; a certificate needs both files, GAME_TLS_CERT_FILE and GAME_TLS_KEY_FILE']])
}

/** Returns a fault when agents would reach several processes of one node, of which only one has an agent's stream. */
function agentsFaults(
  data: Pick<z.output<typeof environmentSchema>, 'ORCHESTRATOR' | 'WORKERS'>,
): ReadonlyMap<VariableName, string> {
  if (data.ORCHESTRATOR !== 'agents' || data.WORKERS === 1) return new Map()
  return new Map([['WORKERS', 'with ORCHESTRATOR=agents a node is one process; set 1, and run further nodes']])
}

export function orThrow<T>(parsed: z.ZodSafeParseResult<T>): T {
  if (parsed.success) return parsed.data
  throw new ConfigurationError(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`))
}

function storageOf(data: z.output<typeof storageOnly>): StorageConfig {
  const dataDirectory = resolve(data.MATCHYARD_DATA)
  return {
    dataDirectory,
    databaseUrl: data.DATABASE_URL ?? defaultDatabaseUrl(dataDirectory),
    cacheMb: data.DATABASE_CACHE_MB,
    pool: {
      poolSize: data.DATABASE_POOL_SIZE,
      statementTimeoutMs: data.DATABASE_STATEMENT_TIMEOUT_SECONDS * 1000,
      ...(data.DATABASE_LISTEN_URL === undefined ? {} : { listenUrl: data.DATABASE_LISTEN_URL }),
    },
  }
}

/**
 * Returns the configuration with the URL of the database itself instead of the pooler's URL. Some statements of a
 * command need a session, which a pooler in transaction mode does not give.
 */
function withoutPooler({ pool: { listenUrl, ...pool }, ...config }: StorageConfig): StorageConfig {
  return { ...config, databaseUrl: listenUrl ?? config.databaseUrl, pool }
}

function serviceOf(data: z.output<typeof withoutSecret>): ServiceConfig {
  return {
    ...storageOf(data),
    host: data.HOST,
    port: data.PORT,
    publicUrl: data.PUBLIC_URL,
    serverHost: data.SERVER_HOST,
    certificate: certificateOf(data),
    nodeId: data.NODE_ID,
    peerUrl: data.PEER_URL,
    beaconPort: data.BEACON_PORT,
    beaconUrl: data.BEACON_URL,
    drainMs: data.DRAIN_SECONDS * 1000,
    workers: data.WORKERS,
    logLevel: data.LOG_LEVEL,
    metricsToken: data.METRICS_TOKEN,
    trustedProxies: data.TRUST_PROXY,
    controlPlaneOrigins: data.CONTROL_PLANE_ORIGINS,
    registration: data.REGISTRATION,
    registrationsPerHour: data.REGISTRATION_PER_HOUR,
    console: data.CONSOLE,
    openId: openIdOf(data),
    passwordSignIn: data.PASSWORD_SIGN_IN,
    brakes: {
      creations: data.RATE_LIMIT_CREATIONS,
      joins: data.RATE_LIMIT_JOINS,
      streams: data.RATE_LIMIT_STREAMS,
      writes: data.RATE_LIMIT_WRITES,
    },
    workLimits: data.WORK_LIMITS,
    admission: data.OVERLOAD_DELAY_MS === 0 ? undefined : { delayMs: data.OVERLOAD_DELAY_MS },
    regions: data.REGIONS,
    regionFallback: data.REGION_FALLBACK,
    placement: data.PLACEMENT,
    launchTimeoutMs: data.LAUNCH_TIMEOUT_SECONDS * 1000,
    nodeLostAfterMs: data.NODE_LOST_AFTER_SECONDS * 1000,
    machineAwayMs: data.MACHINE_AWAY_SECONDS * 1000,
    maxUploadBytes: data.MAX_UPLOAD_BYTES,
    maxLobbiesPerProject: data.MAX_LOBBIES_PER_PROJECT,
    matchRetentionDays: data.MATCH_RETENTION_DAYS,
    logRetentionHours: data.LOG_RETENTION_HOURS,
    buildStore: data.BUILD_STORE,
    bucket: bucketOf(data),
    buildCacheBytes: data.BUILD_CACHE_MB * 1024 ** 2,
    prices: data.PRICES,
    operatorLimits: data.PLAN_LIMITS,
    payments: data.PAYMENTS,
    addresses: { allowPrivate: data.WEBHOOK_ALLOW_PRIVATE, allowLoopback: false, httpsOnly: true },
    isTraced: isTraced(data),
    ...serversOf(data),
  }
}

export const limitsOf = (data: z.output<typeof limitsOnly>): NodeLimits => ({
  maxServers: data.MAX_SERVERS,
  maxServerCpus: data.MAX_SERVER_CPUS,
  maxServerMemoryMb: data.MAX_SERVER_MEMORY_MB,
})

export function containersOf(data: z.output<typeof dockerOnly>): ContainerOptions {
  return {
    engineHost: data.DOCKER_HOST,
    baseImage: data.DOCKER_BASE_IMAGE,
    registries: data.DOCKER_REGISTRIES,
    trustedRegistries: data.DOCKER_TRUSTED_REGISTRIES,
    registryCredentials: data.DOCKER_CREDENTIALS,
    localImages: data.DOCKER_LOCAL_IMAGES,
    maxWarmServers: data.MAX_WARM_SERVERS,
    ...(data.DOCKER_NETWORK === undefined ? {} : { network: data.DOCKER_NETWORK }),
  }
}
