import { setTimeout as sleep } from 'node:timers/promises'
import { isRegion, type Region, ServiceError } from '@matchyard/core'
import {
  type Clock,
  type Logger,
  limitsAmong,
  type NodeLimits,
  type Orchestrator,
  requireKnownOptions,
  requireNodeLimits,
  unfailing,
} from '@matchyard/core/ports'
import { knock, RoomKeeper } from '../kit/index'
import { type ClusterChoice, type Connect, clustersOf } from './clusters'
import { AgonesFleet } from './fleet'
import type { Pauses } from './kube/client'
import { Launcher } from './launch/launcher'
import { DEFAULT_REGISTRIES, prepareImage } from './launch/prepare-image'
import { LIMITATIONS } from './limitations'
import type { HealthTemplate, TierTemplate } from './manifest'
import { hashOf } from './names'
import { type Knock, Readiness } from './observe/readiness'
import { WarmPools } from './pools/warm-pools'

const KIB = 1_024
const DEFAULT_LOG_BYTES = 64 * KIB
/** Upper bound of the option `logBytes`: the log is stored in a Kubernetes secret, which holds at most 1 MiB. */
const MAX_LOG_BYTES = 512 * KIB
const DEFAULT_KEPT_ENDED = 1_000
const DEFAULT_MAX_WARM_SERVERS = 32

/** Options of the Agones orchestrator. A limit that is not set does not apply. */
export interface AgonesOrchestratorOptions extends NodeLimits, ClusterChoice {
  /**
   * Id that separates this service's game servers from those of another service in the same namespace. It must be the
   * same on all nodes and after a restart.
   */
  readonly installationId: string
  /** Clock of the service. */
  readonly clock: Clock
  /** Log of the orchestrator. Default: none. */
  readonly logger?: Logger
  /** Settings of the pods of each tier, in addition to the tier's size; `*` is for every tier that has no entry. */
  readonly tiers?: Readonly<Record<string, TierTemplate>>
  /** Names of secrets in the namespace; with these secrets, the cluster's nodes pull images. */
  readonly imagePullSecrets?: readonly string[]
  /** Agones' health checks, for servers that use Agones' SDK. Default: no health checks. */
  readonly health?: HealthTemplate
  /** Registries that builds may come from; `*` allows all registries. Default: `docker.io`, `ghcr.io` and `quay.io`. */
  readonly registries?: readonly string[]
  /**
   * Maximum size of the log lines that are kept of one ended instance: bytes after compression; 64 KiB by default, 512
   * KiB at most.
   */
  readonly logBytes?: number
  /** Number of ended instances whose logs are kept; 1,000 by default. */
  readonly keptEnded?: number
  /**
   * Maximum number of warm game servers (started before a match needs them) in all pools together; 32 by default. 0
   * turns warm pools off.
   */
  readonly maxWarmServers?: number
}

const OPTIONS: { readonly [Name in keyof Required<AgonesOrchestratorOptions>]: true } = {
  installationId: true,
  clock: true,
  logger: true,
  kubeconfig: true,
  namespace: true,
  context: true,
  regions: true,
  tiers: true,
  imagePullSecrets: true,
  health: true,
  registries: true,
  logBytes: true,
  keptEnded: true,
  maxWarmServers: true,
  maxServers: true,
  maxServerCpus: true,
  maxServerMemoryMb: true,
}

/** The clock and the network of the orchestrator. Tests replace them. */
export interface AgonesSurroundings {
  readonly pauses: Pauses
  readonly knock: Knock
  readonly connect?: Connect
}

const REAL: AgonesSurroundings = {
  pauses: {
    now: () => performance.now(),
    pause: (ms, signal) => sleep(ms, undefined, { ref: false, ...(signal === undefined ? {} : { signal }) }),
  },
  knock,
}

/**
 * Returns an orchestrator that runs container images as game servers of Agones, on Kubernetes. Throws a TypeError for
 * an unknown option and for a limit that is not a number above 0. The orchestrator's `open` rejects with a TypeError
 * when the kubeconfig cannot be used.
 */
export const agonesOrchestrator = (options: AgonesOrchestratorOptions): Orchestrator => agonesIn(options, REAL)

/** Returns the regions of the clusters; empty when the clusters run every region. */
function regionsAmong({ regions = {}, context }: ClusterChoice): { readonly regions?: readonly Region[] } {
  const named = Object.keys(regions).filter(isRegion)
  return named.length === 0 || context !== undefined ? {} : { regions: named }
}

export function agonesIn(options: AgonesOrchestratorOptions, around: AgonesSurroundings): Orchestrator {
  requireKnownOptions('agonesOrchestrator', options, Object.keys(OPTIONS))
  requireNodeLimits('agonesOrchestrator', options)
  const { installationId, clock, tiers = {}, health, imagePullSecrets = [], registries = DEFAULT_REGISTRIES } = options
  const logger = unfailing(options.logger)
  const { pauses, knock, connect } = around
  const logBytes = Math.min(options.logBytes ?? DEFAULT_LOG_BYTES, MAX_LOG_BYTES)
  const settings = { installationId, logBytes, keptEnded: options.keptEnded ?? DEFAULT_KEPT_ENDED }
  const { maxWarmServers = DEFAULT_MAX_WARM_SERVERS } = options
  if (!(Number.isSafeInteger(maxWarmServers) && maxWarmServers >= 0)) {
    throw new TypeError(
      `agonesOrchestrator: maxWarmServers must be a whole number of at least 0, not ${maxWarmServers}`,
    )
  }
  const settingsOf = ({ tier }: { readonly tier: string }) => ({
    installationId,
    template: tiers[tier] ?? tiers['*'] ?? {},
    health,
    imagePullSecrets,
  })
  let opened: AgonesFleet | undefined
  const fleet = (): AgonesFleet => {
    if (opened === undefined) throw new ServiceError('UNAVAILABLE', 'the orchestrator is not open')
    return opened
  }
  /**
   * When warm pools are turned off, this deletes the fleets of an earlier run; otherwise the cluster would keep these
   * fleets forever.
   */
  const tidy = async (of: AgonesFleet) => void (maxWarmServers === 0 && (await of.keepWarm([])))
  return {
    name: 'agones',
    limits: limitsAmong(options),
    ...regionsAmong(options),
    // Every node sees the same clusters, so game servers belong to all nodes and continue when a node ends.
    sharedAs: `agones-${hashOf(installationId)}`,
    capabilities: {
      buildTypes: ['docker_image'],
      limitations: LIMITATIONS,
      keepsWarm: maxWarmServers > 0,
      keepsSecretsCold: true,
    },
    async open() {
      const { clusters, clusterOf } = await clustersOf(options, settings, pauses, logger, connect)
      const made = new AgonesFleet({
        clusters,
        clusterOf,
        launcher: (room, pools) => new Launcher({ settingsOf, room, pools, clock, pauses, logger }),
        pools: (room) =>
          new WarmPools({
            clusters: [...clusters.values()],
            clusterOf,
            settingsOf,
            room,
            maxWaiting: maxWarmServers,
            clock,
            logger,
          }),
        room: (running) => new RoomKeeper(options, running),
        readiness: new Readiness(knock, clock),
        pauses,
        clock,
        logger,
      })
      opened = made
      await made.open()
      await tidy(made)
    },
    close: async () => opened?.close(),
    proposePorts: async () => 'later',
    keepWarm: async (pools) => (maxWarmServers > 0 ? fleet().keepWarm(pools) : []),
    admit: async (wish) => fleet().admit(wish),
    launch: async (spec) => fleet().launch(spec),
    stop: async (instanceId, { graceMs, region }) => fleet().stop(instanceId, graceMs, { region }),
    observe: async (of, where) => fleet().observe(of, where),
    forget: async (instanceId, where = {}) => fleet().forget(instanceId, where),
    prune: async () => {
      await tidy(fleet())
      await fleet().prune()
    },
    logs: async (instanceId, options) => fleet().logs(instanceId, options),
    prepareImage: async (image) => prepareImage(image, registries),
    subscribe: (listener) => fleet().subscribe(listener),
  }
}
