import { resolve } from 'node:path'
import { ServiceError } from '@matchyard/core'
import {
  type BuildStore,
  type Clock,
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
import { ContainerFleet } from './container-fleet'
import { DEFAULT_ENGINE_HOST, EngineUnavailable } from './engine'
import type { RegistryCredentials } from './images/image-policy'

const MIB = 1024 ** 2
const DEFAULT_LOG_BYTES = 8 * MIB
const DEFAULT_KEPT_ENDED = 1_000
/** Default maximum number of warm servers. */
export const DEFAULT_MAX_WARM_SERVERS = 32
const DEFAULT_MAX_IMAGE_BYTES = 8 * 1024 * MIB
const DEFAULT_PULL_TIMEOUT_MS = 10 * 60_000
/** The default base image of ZIP builds. It contains `node`, because start scripts may use it. */
export const DEFAULT_BASE_IMAGE = 'docker.io/library/node:20-bookworm-slim'
/** Default registries from which images may be pulled. */
export const DEFAULT_REGISTRIES: readonly string[] = ['docker.io', 'ghcr.io', 'quay.io']

/** The options of the Docker orchestrator. A limit that is not set does not apply. */
export interface DockerOrchestratorOptions extends NodeLimits {
  /**
   * A folder that only this orchestrator uses. The engine mounts files of this folder, so the engine must find the
   * folder at the same path.
   */
  readonly dataDirectory: string
  /** Build store with the archives of ZIP builds. */
  readonly buildStore: Pick<BuildStore, 'has' | 'unpack'>
  /**
   * Id that separates the containers of this service from those of other services in the same engine. It must stay the
   * same after a restart.
   */
  readonly installationId: string
  /** Clock of the service. */
  readonly clock: Clock
  /** Log of the orchestrator. Default: none. */
  readonly logger?: Logger
  /** The address of the engine: `unix:///path` or `tcp://host:port`. */
  readonly engineHost?: string
  /** The host name or IP address to which players connect. Default: `127.0.0.1`. */
  readonly host?: string
  /** The range of external ports, to which players connect. */
  readonly portRange?: PortRange
  /**
   * Certificate for ports with `tlsEnabled`. A front of each container, a process of this machine, ends TLS, and reads the
   * files again when they change. Default: none; launches with such ports then fail.
   */
  readonly certificate?: Certificate
  /** Range of ports of the loopback device at which the engine publishes ports with TLS. Default: 30000 to 31999. */
  readonly innerPortRange?: PortRange
  /** The image in which ZIP builds run. */
  readonly baseImage?: string
  /** Registries from which builds may use images; `*` allows all public registries. */
  readonly registries?: readonly string[]
  /** Registries of the operator, which are also allowed at private addresses. */
  readonly trustedRegistries?: readonly string[]
  /** User name and password for each registry. */
  readonly registryCredentials?: Readonly<Record<string, RegistryCredentials>>
  /** Whether builds may use `local/…` images, which the operator added to the engine. Default: no. */
  readonly localImages?: boolean
  /** The most bytes of an image. The limit applies to the image's unpacked size and to its download. Default: 8 GiB. */
  readonly maxImageBytes?: number
  /** Milliseconds after which a download of an image is given up. Default: 10 minutes. */
  readonly pullTimeoutMs?: number
  /**
   * Name of a network that the operator created with its own rules. Default: a network that the orchestrator creates.
   */
  readonly network?: string
  /** Whether game servers cannot reach a cloud's metadata address, if the engine supports this. Default: yes. */
  readonly shieldMetadata?: boolean
  /** The most bytes on disk for the log of one attempt, for stdout and stderr together. Default: 8 MiB. */
  readonly logBytes?: number
  /** The number of ended instances whose logs are kept. Default: 1,000. */
  readonly keptEnded?: number
  /**
   * The most warm servers (started before a launch needs them) of all pools together; 0 turns warm servers off.
   * Default: 32.
   */
  readonly maxWarmServers?: number
}

const OPTIONS: { readonly [Name in keyof Required<DockerOrchestratorOptions>]: true } = {
  dataDirectory: true,
  buildStore: true,
  installationId: true,
  clock: true,
  logger: true,
  engineHost: true,
  host: true,
  portRange: true,
  certificate: true,
  innerPortRange: true,
  baseImage: true,
  registries: true,
  trustedRegistries: true,
  registryCredentials: true,
  localImages: true,
  maxImageBytes: true,
  pullTimeoutMs: true,
  network: true,
  shieldMetadata: true,
  logBytes: true,
  keptEnded: true,
  maxWarmServers: true,
  maxServers: true,
  maxServerCpus: true,
  maxServerMemoryMb: true,
}

/**
 * Returns an orchestrator that runs ZIP builds and container images as containers of a Docker engine on this machine.
 * Throws TypeError for an unknown option, for a limit that is not a number above 0, for port ranges that overlap, and for
 * a `maxWarmServers` that is not a whole number of at least 0.
 */
export function dockerOrchestrator(options: DockerOrchestratorOptions): Orchestrator {
  requireKnownOptions('dockerOrchestrator', options, Object.keys(OPTIONS))
  requireNodeLimits('dockerOrchestrator', options)
  const { host = '127.0.0.1', maxWarmServers = DEFAULT_MAX_WARM_SERVERS } = options
  if (!(Number.isSafeInteger(maxWarmServers) && maxWarmServers >= 0)) {
    throw new TypeError(
      `dockerOrchestrator: maxWarmServers must be a whole number of at least 0, not ${maxWarmServers}`,
    )
  }
  const { portRange = DEFAULT_PORT_RANGE, innerPortRange = DEFAULT_INNER_RANGE } = options
  if (options.certificate !== undefined) requireApart('dockerOrchestrator', portRange, innerPortRange)
  const ports = portsFrom(portRange, host)
  const fleet = new ContainerFleet({
    dataDirectory: resolve(options.dataDirectory),
    buildStore: options.buildStore,
    installationId: options.installationId,
    clock: options.clock,
    logger: unfailing(options.logger),
    engineHost: options.engineHost ?? DEFAULT_ENGINE_HOST,
    baseImage: options.baseImage ?? DEFAULT_BASE_IMAGE,
    images: {
      registries: { allowed: options.registries ?? DEFAULT_REGISTRIES, trusted: options.trustedRegistries ?? [] },
      credentials: options.registryCredentials ?? {},
      localImages: options.localImages ?? false,
      maxBytes: options.maxImageBytes ?? DEFAULT_MAX_IMAGE_BYTES,
      pullTimeoutMs: options.pullTimeoutMs ?? DEFAULT_PULL_TIMEOUT_MS,
    },
    network: options.network,
    shieldMetadata: options.shieldMetadata ?? true,
    logBytes: options.logBytes ?? DEFAULT_LOG_BYTES,
    keptEnded: options.keptEnded ?? DEFAULT_KEPT_ENDED,
    room: options,
    ports,
    host,
    maxWarmServers,
    innerPorts: portsFrom(innerPortRange, '127.0.0.1'),
    certificate: absoluteCertificate(options.certificate),
  })
  return {
    name: 'docker',
    limits: limitsAmong(options),
    get capabilities() {
      return {
        buildTypes: ['zip', 'docker_image'] as const,
        limitations: fleet.limitations,
        keepsWarm: maxWarmServers > 0,
        endsTls: options.certificate !== undefined,
      }
    },
    open: () => fleet.open(),
    close: async () => fleet.close(),
    proposePorts: (requests, pool) => fleet.proposePorts(requests, pool),
    keepWarm: (pools) => (maxWarmServers > 0 ? reached(fleet.keepWarm(pools)) : Promise.resolve([])),
    admit: (wish) => reached(fleet.admit(wish)),
    launch: (spec) => fleet.launch(spec),
    stop: (instanceId, { graceMs }) => reached(fleet.stop(instanceId, graceMs)),
    observe: () => reached(fleet.observe()),
    forget: (instanceId) => reached(fleet.forget(instanceId)),
    prune: () => reached(fleet.prune()),
    logs: (instanceId, query) => reached(fleet.logs(instanceId, query)),
    prepareImage: (image, log) => fleet.prepareImage(image, log),
    subscribe: (listener) => fleet.subscribe(listener),
  }
}

/** Rejects with `UNAVAILABLE` when the engine is unreachable, so that the caller tries again later. */
async function reached<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof EngineUnavailable) throw new ServiceError('UNAVAILABLE', error.message)
    throw error
  }
}
