import type { Build } from '../build/build'
import { TIER_SIZES } from '../catalog/tiers'
import type { LaunchBuild, LaunchSpec, WarmShape } from '../ports/orchestrator'
import type { Ports } from '../ports/ports'
import { configurationOf } from '../reads/server-configuration'
import { filledEnvironment } from '../server/environment'
import type { GameServer } from '../server/game-server'
import { DEFAULT_READINESS } from '../server/readiness'
import { traceOf } from '../shared/trace'

/** Returns all data that the orchestrator needs to launch the recorded attempt. */
export async function specOf(ctx: Ports, server: GameServer, build: Build): Promise<LaunchSpec> {
  return {
    instanceId: server.id,
    attempt: server.attempt,
    matchId: server.matchId,
    ...shapeOf(server, build),
    networkPorts: server.networkPorts,
    config: await configurationOf(ctx, server, build.buildVersion),
    ...traceOf(server),
  }
}

/** Returns the properties by which servers are interchangeable: two servers with equal properties can replace each other. */
export const shapeOf = (
  server: Pick<
    GameServer,
    'projectId' | 'region' | 'tier' | 'startupArgs' | 'environment' | 'stopGraceSeconds' | 'portRequests' | 'readiness'
  >,
  build: Build,
): WarmShape => ({
  projectId: server.projectId,
  region: server.region,
  tier: server.tier,
  tierSize: TIER_SIZES[server.tier],
  build: launchBuild(build),
  startupArgs: server.startupArgs,
  ...(server.environment === undefined ? {} : { environment: filledEnvironment(server.environment) }),
  ...(server.stopGraceSeconds === undefined ? {} : { stopGraceSeconds: server.stopGraceSeconds }),
  portRequests: server.portRequests,
  readiness: server.readiness ?? DEFAULT_READINESS,
})

const launchBuild = (build: Build): LaunchBuild =>
  build.type === 'zip'
    ? { type: 'zip', buildId: build.id, executablePath: build.executablePath ?? '' }
    : { type: 'docker_image', buildId: build.id, image: build.imageDigest ?? build.imageUrl ?? '' }
