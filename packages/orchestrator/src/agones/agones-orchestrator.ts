import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '@matchyard/core'
import {
  type Clock,
  type Logger,
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
/** A secret of Kubernetes is 1 MiB at most. */
const MAX_LOG_BYTES = 512 * KIB
const DEFAULT_KEPT_ENDED = 1_000
const DEFAULT_MAX_WARM_SERVERS = 32

/** What is left out of the limits is not limited. */
export interface AgonesOrchestratorOptions extends NodeLimits, ClusterChoice {
  /** Tells this service's game servers from those of another one in the same namespace; the same in its next life, and on all of its nodes. */
  readonly installationId: string
  readonly clock: Clock
  readonly logger?: Logger
  /** What pods of a tier are beyond its size; `*` for every tier that is not named. */
  readonly tiers?: Readonly<Record<string, TierTemplate>>
  /** Names of secrets in the namespace, by which nodes fetch images. */
  readonly imagePullSecrets?: readonly string[]
  /** For servers that speak to Agones' SDK: how often it expects to hear of them. Left out, it does not. */
  readonly health?: HealthTemplate
  /** Registries that builds may come from, `*` for every one. */
  readonly registries?: readonly string[]
  /** Of the lines that are kept of one ended instance, compressed. */
  readonly logBytes?: number
  /** So many ended instances keep their logs. */
  readonly keptEnded?: number
  /** So many at the most wait for their matches, of all pools together; with 0 none does. */
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

/** What a test puts in the place of time and of the network. */
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
 * Runs container images as game servers of Agones, on Kubernetes. Throws TypeError for an option that nobody knows and for a limit that
 * is no number above 0; `open` throws one for a kubeconfig that cannot be used.
 */
export const agonesOrchestrator = (options: AgonesOrchestratorOptions): Orchestrator => agonesIn(options, REAL)

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
  /** Fleets of a time when something waited would be kept by the cluster for ever. */
  const tidy = async (of: AgonesFleet) => void (maxWarmServers === 0 && (await of.keepWarm([])))
  return {
    name: 'agones',
    // One cluster is seen by every node: what runs in it is all nodes', and outlives each.
    sharedAs: `agones-${hashOf(installationId)}`,
    capabilities: { buildTypes: ['docker_image'], limitations: LIMITATIONS, keepsWarm: maxWarmServers > 0 },
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
