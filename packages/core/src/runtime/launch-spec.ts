import type { Build } from '../build/build'
import { TIER_SIZES } from '../catalog/tiers'
import type { Context } from '../context/context'
import { configurationOf } from '../context/server-configuration'
import type { LaunchBuild, LaunchSpec } from '../ports/orchestrator'
import type { GameServer } from '../server/game-server'
import { DEFAULT_READINESS } from '../server/readiness'
import { traceOf } from '../shared/trace'

/** Everything the orchestrator needs for the recorded attempt. */
export async function specOf(ctx: Context, server: GameServer, build: Build): Promise<LaunchSpec> {
  return {
    instanceId: server.id,
    attempt: server.attempt,
    projectId: server.projectId,
    matchId: server.matchId,
    region: server.region,
    tier: server.tier,
    tierSize: TIER_SIZES[server.tier],
    build: launchBuild(build),
    startupArgs: server.startupArgs,
    networkPorts: server.networkPorts,
    portRequests: server.portRequests,
    readiness: server.readiness ?? DEFAULT_READINESS,
    config: await configurationOf(ctx, server, build.buildVersion),
    ...traceOf(server),
  }
}

const launchBuild = (build: Build): LaunchBuild =>
  build.type === 'zip'
    ? { type: 'zip', buildId: build.id, executablePath: build.executablePath ?? '' }
    : { type: 'docker_image', buildId: build.id, image: build.imageDigest ?? build.imageUrl ?? '' }
