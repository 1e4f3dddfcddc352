import { resolve } from 'node:path'
import {
  type BuildStore,
  type Clock,
  type LaunchSpec,
  type Logger,
  limitsAmong,
  type NodeLimits,
  type Orchestrator,
  requireKnownOptions,
  requireNodeLimits,
  unfailing,
} from '@matchyard/core/ports'
import { absoluteCertificate, type Certificate } from '../kit/certificate'
import { DEFAULT_PORT_RANGE, type PortRange } from '../kit/index'
import { DEFAULT_INNER_RANGE, portsFrom, requireApart } from '../kit/ports'
import { ServerFleet } from './server-fleet'

const DEFAULT_LOG_BYTES = 8 * 1024 * 1024
const DEFAULT_KEPT_ENDED = 1_000

/** Options of the process orchestrator. A limit that is not set does not apply. */
export interface ProcessOrchestratorOptions extends NodeLimits {
  /** Folder that only this orchestrator uses, for data that must outlive the service's process. */
  readonly dataDirectory: string
  /** Build store with the archives of the builds. */
  readonly buildStore: Pick<BuildStore, 'has' | 'unpack'>
  /**
   * Id that separates this service's game servers from those of other services on the machine. It must stay the same
   * after a restart.
   */
  readonly installationId: string
  /** Clock of the service. */
  readonly clock: Clock
  /** Log of the orchestrator. Default: none. */
  readonly logger?: Logger
  /** Host name or IP address to which players connect. */
  readonly host?: string
  /** Range of external ports, to which players connect. */
  readonly portRange?: PortRange
  /**
   * Certificate for ports with `tlsEnabled`. A front of each game server ends TLS, and reads the files again when they change. Default:
   * none; launches with such ports then fail.
   */
  readonly certificate?: Certificate
  /** Range of ports on which game servers listen behind TLS. Default: 30000 to 31999. */
  readonly innerPortRange?: PortRange
  /**
   * Whether a rule of nftables closes these ports for other hosts: `auto` adds it if this process may; `none` never does. Game servers
   * usually listen on every address, so without such a rule other hosts reach them without TLS.
   */
  readonly innerPortGuard?: 'auto' | 'none'
  /** Isolation: `auto` uses bubblewrap if it works on this machine; `none` never uses it. */
  readonly isolation?: 'auto' | 'none'
  /**
   * Limits on CPU and memory: `auto` uses cgroups if they can be created on this machine; `none` never uses cgroups.
   */
  readonly limits?: 'auto' | 'none'
  /** Additional folders that sandboxed game servers may read, for example a runtime under /opt. */
  readonly readOnlyPaths?: readonly string[]
  /** Folders that game servers cannot see even inside a readable folder. The data folder is always hidden. */
  readonly hiddenPaths?: readonly string[]
  /** Absolute path of a delegated cgroup of version 2, when this is not the service's own cgroup. */
  readonly cgroupParent?: string
  /** Maximum bytes on disk for the log of one attempt, for stdout and stderr together. */
  readonly logBytes?: number
  /** Number of ended instances whose logs are kept. */
  readonly keptEnded?: number
}

const OPTIONS: { readonly [Name in keyof Required<ProcessOrchestratorOptions>]: true } = {
  dataDirectory: true,
  buildStore: true,
  installationId: true,
  clock: true,
  logger: true,
  host: true,
  portRange: true,
  certificate: true,
  innerPortRange: true,
  innerPortGuard: true,
  isolation: true,
  limits: true,
  readOnlyPaths: true,
  hiddenPaths: true,
  cgroupParent: true,
  logBytes: true,
  keptEnded: true,
  maxServers: true,
  maxServerCpus: true,
  maxServerMemoryMb: true,
}

/**
 * Returns an orchestrator that runs ZIP builds as processes of this machine; the processes outlive the service. Throws
 * TypeError for an unknown option, for a limit that is not a number above 0, and for port ranges that overlap.
 */
export function processOrchestrator(options: ProcessOrchestratorOptions): Orchestrator {
  requireKnownOptions('processOrchestrator', options, Object.keys(OPTIONS))
  requireNodeLimits('processOrchestrator', options)
  const { portRange = DEFAULT_PORT_RANGE, innerPortRange = DEFAULT_INNER_RANGE } = options
  if (options.certificate !== undefined) requireApart('processOrchestrator', portRange, innerPortRange)
  const ports = portsFrom(portRange, options.host ?? '127.0.0.1')
  // A supervisor runs in another folder, so all its paths are absolute.
  const dataDirectory = resolve(options.dataDirectory)
  const fleet = new ServerFleet({
    ...options,
    dataDirectory,
    logger: unfailing(options.logger),
    isolation: options.isolation ?? 'auto',
    limits: options.limits ?? 'auto',
    readOnlyPaths: (options.readOnlyPaths ?? []).map((path) => resolve(path)),
    hiddenPaths: [dataDirectory, ...(options.hiddenPaths ?? []).map((path) => resolve(path))],
    logBytes: options.logBytes ?? DEFAULT_LOG_BYTES,
    keptEnded: options.keptEnded ?? DEFAULT_KEPT_ENDED,
    room: options,
    innerPortRange,
    innerPortGuard: options.innerPortGuard ?? 'auto',
    certificate: absoluteCertificate(options.certificate),
  })
  return {
    name: 'process',
    limits: limitsAmong(options),
    get capabilities() {
      return {
        buildTypes: ['zip'] as const,
        limitations: fleet.limitations,
        keepsWarm: false,
        endsTls: options.certificate !== undefined,
      }
    },
    open: () => fleet.open(),
    close: async () => fleet.close(),
    proposePorts: (requests) => ports.propose(requests),
    keepWarm: async () => [],
    admit: (wish) => fleet.admit(wish),
    launch: (spec: LaunchSpec) => fleet.launch(spec),
    stop: (instanceId, { graceMs }) => fleet.stop(instanceId, graceMs),
    observe: () => fleet.observe(),
    forget: (instanceId) => fleet.forget(instanceId),
    prune: () => fleet.prune(),
    logs: (instanceId, query) => fleet.logs(instanceId, query),
    prepareImage: async (image) => ({
      ok: false,
      message: `container images such as ${image} need an orchestrator that runs containers`,
    }),
    subscribe: (listener) => fleet.subscribe(listener),
  }
}
