import type { Build } from '../build/build'
import { TIER_SIZES } from '../catalog/tiers'
import type { LaunchBuild, LaunchSpec, WarmShape } from '../ports/orchestrator'
import type { Ports } from '../ports/ports'
import { configurationOf } from '../reads/server-configuration'
import type { GameServer } from '../server/game-server'
import { DEFAULT_READINESS } from '../server/readiness'
import { traceOf } from '../shared/trace'
import { environmentOf, type LaunchRefused } from './environment-of'

/**
 * Returns all data that the orchestrator needs to launch the recorded attempt; the refusal when a secret of the server's variables is
 * missing.
 */
export async function specOf(ctx: Ports, server: GameServer, build: Build): Promise<LaunchSpec | LaunchRefused> {
  const shape = await shapeOf(ctx, server, build)
  if ('refused' in shape) return shape
  return {
    instanceId: server.id,
    attempt: server.attempt,
    matchId: server.matchId,
    ...shape,
    networkPorts: server.networkPorts,
    config: await configurationOf(ctx, server, build.buildVersion),
    ...traceOf(server),
  }
}

/** Properties of a server or of a queue's settings that its pool depends on. */
type Shaped = Pick<
  GameServer,
  'projectId' | 'region' | 'tier' | 'startupArgs' | 'environment' | 'stopGraceSeconds' | 'portRequests' | 'readiness'
>

/** Returns the properties by which servers are interchangeable: two servers with equal properties can replace each other. */
export async function shapeOf(ctx: Ports, server: Shaped, build: Build): Promise<WarmShape | LaunchRefused> {
  const environment =
    server.environment === undefined ? {} : await environmentOf(ctx, server.projectId, server.environment)
  if ('refused' in environment) return environment
  return {
    projectId: server.projectId,
    region: server.region,
    tier: server.tier,
    tierSize: TIER_SIZES[server.tier],
    build: launchBuild(build),
    startupArgs: server.startupArgs,
    ...environment,
    ...(server.stopGraceSeconds === undefined ? {} : { stopGraceSeconds: server.stopGraceSeconds }),
    portRequests: server.portRequests,
    readiness: server.readiness ?? DEFAULT_READINESS,
  }
}

const launchBuild = (build: Build): LaunchBuild =>
  build.type === 'zip'
    ? { type: 'zip', buildId: build.id, executablePath: build.executablePath ?? '' }
    : { type: 'docker_image', buildId: build.id, image: build.imageDigest ?? build.imageUrl ?? '' }
