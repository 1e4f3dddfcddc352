import { join } from 'node:path'
import {
  agentsOrchestrator,
  type BuildStore,
  type Clock,
  type Logger,
  type NodeLimits,
  type Orchestrator,
} from '@matchyard/core/ports'
import { agonesOrchestrator } from '@matchyard/orchestrator/agones'
import { dockerOrchestrator } from '@matchyard/orchestrator/docker'
import { type Certificate, processOrchestrator } from '@matchyard/orchestrator/process'
import type { AgonesOptions } from '../config/agones'
import { ConfigurationError } from '../config/configuration-error'
import type { ContainerOptions } from '../config/containers'
import type { ORCHESTRATORS } from '../config/environment'

export interface OrchestratorChoice {
  readonly dataDirectory: string
  readonly installationId: string
  readonly serverHost?: string | undefined
  /** Certificate for the ports of game servers that have TLS. */
  readonly certificate?: Certificate | undefined
  /** Whether a rule of the firewall closes the inner ports of game servers with TLS. Default: `auto`, where the machine lets it. */
  readonly innerPortGuard?: 'auto' | 'none'
  /** Kind of orchestrator. With `agents`, the agents of machines run the game servers. With `none`, nobody runs game servers, and the studio runs them itself. */
  readonly orchestrator?: (typeof ORCHESTRATORS)[number]
  readonly containers?: ContainerOptions
  /** Options of the Agones clusters, required for `agones`. */
  readonly agones?: AgonesOptions | undefined
  /** Limits of game servers on this node. Default: none. */
  readonly limits?: NodeLimits
}

interface Surroundings {
  readonly clock: Clock
  readonly buildStore: Pick<BuildStore, 'has' | 'unpack'>
  readonly logger: Logger
}

/**
 * Returns the configured orchestrator; undefined for `none`. Throws ConfigurationError when `agones` has no options.
 */
export function orchestratorOf(choice: OrchestratorChoice, around: Surroundings): Orchestrator | undefined {
  const { dataDirectory, installationId, serverHost, orchestrator = 'process', containers, limits } = choice
  const { certificate, innerPortGuard } = choice
  if (orchestrator === 'none') return undefined
  if (orchestrator === 'agents') return agentsOrchestrator
  if (orchestrator === 'agones') {
    if (choice.agones === undefined) {
      throw new ConfigurationError([
        'ORCHESTRATOR=agones: AGONES_CONFIG is not set; name a JSON file (docs/kubernetes.md)',
      ])
    }
    const { clock, logger } = around
    const { maxWarmServers } = containers ?? {}
    const warm = maxWarmServers === undefined ? {} : { maxWarmServers }
    const { beacons: _, ...clusters } = choice.agones
    return agonesOrchestrator({ clock, logger, ...limits, ...warm, ...clusters })
  }
  const common = {
    ...{ ...around, ...limits, installationId },
    ...(serverHost === undefined ? {} : { host: serverHost }),
    ...(certificate === undefined ? {} : { certificate }),
  }
  if (orchestrator === 'docker') {
    return dockerOrchestrator({ ...common, ...containers, dataDirectory: join(dataDirectory, 'containers') })
  }
  return processOrchestrator({
    ...common,
    ...(innerPortGuard === undefined ? {} : { innerPortGuard }),
    dataDirectory: join(dataDirectory, 'servers'),
    // A game server in a sandbox must not be able to read the database and the secret.
    hiddenPaths: [dataDirectory],
  })
}
