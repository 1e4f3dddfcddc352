import { randomInt } from 'node:crypto'
import { resolve } from 'node:path'
import {
  type BuildStore,
  type Clock,
  type LaunchSpec,
  type Logger,
  type NodeLimits,
  type Orchestrator,
  requireKnownOptions,
  requireNodeLimits,
  unfailing,
} from '@matchyard/core/ports'
import { DEFAULT_PORT_RANGE, PortFinder, type PortRange } from '../kit/index'
import { ServerFleet } from './server-fleet'

const DEFAULT_LOG_BYTES = 8 * 1024 * 1024
const DEFAULT_KEPT_ENDED = 1_000

/** What is left out of the limits is not limited. */
export interface ProcessOrchestratorOptions extends NodeLimits {
  /** Of the orchestrator alone; what must outlive the service is kept here. */
  readonly dataDirectory: string
  readonly buildStore: Pick<BuildStore, 'has' | 'unpack'>
  /** Tells this service's game servers from those of another one on the same machine; the same in its next life. */
  readonly installationId: string
  readonly clock: Clock
  readonly logger?: Logger
  /** The address that players are told. */
  readonly host?: string
  /** External ports are taken from here. */
  readonly portRange?: PortRange
  /** `auto`: bubblewrap where it works. `none`: never. */
  readonly isolation?: 'auto' | 'none'
  /** `auto`: cgroups where they can be made. `none`: never. */
  readonly limits?: 'auto' | 'none'
  /** Further folders that sandboxed game servers may read, for instance a runtime under /opt. */
  readonly readOnlyPaths?: readonly string[]
  /** Folders that they must not see even inside one they may read; the data folder always is. */
  readonly hiddenPaths?: readonly string[]
  /** A delegated cgroup of version 2, as an absolute path, when it is not the service's own. */
  readonly cgroupParent?: string
  /** The log of one attempt, both streams together, in bytes on disk. */
  readonly logBytes?: number
  /** So many ended instances keep their logs. */
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
 * Runs ZIP builds as child processes of this machine that outlive the service. Throws TypeError for an option that nobody knows and for
 * a limit that is no number above 0.
 */
export function processOrchestrator(options: ProcessOrchestratorOptions): Orchestrator {
  requireKnownOptions('processOrchestrator', options, Object.keys(OPTIONS))
  requireNodeLimits('processOrchestrator', options)
  const range = options.portRange ?? DEFAULT_PORT_RANGE
  const ports = new PortFinder(range, options.host ?? '127.0.0.1', randomInt(range.to - range.from + 1))
  // A supervisor works from another folder: every path it is given is absolute.
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
  })
  return {
    name: 'process',
    get capabilities() {
      return { buildTypes: ['zip'] as const, limitations: fleet.limitations, keepsWarm: false }
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
