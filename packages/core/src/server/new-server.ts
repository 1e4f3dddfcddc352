import { STOP_GRACE_SECONDS, TTL_SECONDS } from '../catalog/limits'
import { DEFAULT_REGION, type Region } from '../catalog/regions'
import { DEFAULT_TIER, type Tier } from '../catalog/tiers'
import type { ValidationIssue } from '../errors/service-error'
import type { JsonObject } from '../shared/json'
import type { Instant } from '../shared/time'
import { traceOf } from '../shared/trace'
import { type Environment, environmentFaults } from './environment'
import type { GameServer, PortRequest } from './game-server'
import { portFaults } from './ports'
import type { Readiness } from './readiness'
import { startupArgsFaults } from './startup-args'

/** Properties of a new server. An absent property takes its default. */
export interface ServerDesign {
  readonly projectId: string
  readonly versionTag: string
  readonly pinnedVersion?: number | undefined
  readonly name?: string | undefined
  readonly region?: Region | undefined
  readonly tier?: Tier | undefined
  readonly networkPorts?: readonly PortRequest[] | undefined
  readonly startupArgs?: string | undefined
  readonly environment?: Environment | undefined
  readonly readiness?: Readiness | undefined
  readonly ttlSeconds?: number | undefined
  readonly stopGraceSeconds?: number | undefined
  readonly autoRestart?: boolean | undefined
  readonly customData?: JsonObject | undefined
  readonly matchId?: string | undefined
  readonly queueId?: string | undefined
}

/** Returns the faults of a new server's properties that a caller sent. */
export function designFaults(design: ServerDesign): ValidationIssue[] {
  const issues: ValidationIssue[] = [...portFaults(design.networkPorts ?? [], 'networkPorts')]
  const { ttlSeconds, stopGraceSeconds, startupArgs, environment } = design
  if (ttlSeconds !== undefined && !(Number.isInteger(ttlSeconds) && ttlSeconds >= TTL_SECONDS.min)) {
    issues.push({ path: 'ttlSeconds', message: `must be a whole number of seconds, at least ${TTL_SECONDS.min}` })
  }
  const { min, max } = STOP_GRACE_SECONDS
  if (
    stopGraceSeconds !== undefined &&
    !(Number.isInteger(stopGraceSeconds) && stopGraceSeconds >= min && stopGraceSeconds <= max)
  )
    issues.push({ path: 'stopGraceSeconds', message: `must be a whole number from ${min} to ${max}` })
  if (startupArgs !== undefined)
    issues.push(...startupArgsFaults(startupArgs, design.networkPorts ?? [], 'startupArgs'))
  if (environment !== undefined) issues.push(...environmentFaults(environment, 'environment'))
  return issues
}

/**
 * Returns a new server that is ready to be launched. `given` has the facts that `design` lacks: the owner, the lifetime, the launch
 * deadline.
 */
export function newServer(
  design: ServerDesign,
  given: {
    readonly id: string
    readonly accountId: string
    /** Maximum seconds that the server runs, limited by the account's plan; null when unlimited. */
    readonly ttlSeconds: number | null
    readonly at: Instant
    readonly launchTimeoutMs: number
    readonly capacityTimeoutMs: number
    readonly trace?: string | undefined
  },
): GameServer {
  const { id, accountId, ttlSeconds, at } = given
  return {
    id,
    version: 1,
    projectId: design.projectId,
    accountId,
    name: design.name ?? id,
    status: 'launching',
    statusReason: null,
    room: { deadlineAt: at + given.capacityTimeoutMs, admittedAt: null, orchestrator: null, passedSince: null },
    region: design.region ?? DEFAULT_REGION,
    tier: design.tier ?? DEFAULT_TIER,
    versionTag: design.versionTag,
    ...(design.pinnedVersion === undefined ? {} : { pinnedVersion: design.pinnedVersion }),
    buildId: null,
    buildVersion: null,
    portRequests: design.networkPorts ?? [],
    networkPorts: [],
    startupArgs: design.startupArgs ?? '',
    ...(design.environment === undefined ? {} : { environment: design.environment }),
    ...(design.readiness === undefined ? {} : { readiness: design.readiness }),
    ttlSeconds,
    ...(design.stopGraceSeconds === undefined ? {} : { stopGraceSeconds: design.stopGraceSeconds }),
    autoRestart: design.autoRestart ?? false,
    customData: design.customData ?? {},
    queueId: design.queueId ?? null,
    matchId: design.matchId ?? null,
    ...traceOf(given),
    nodeId: null,
    attempt: 0,
    attemptOpen: false,
    launchAttempts: 0,
    launchDeadlineAt: at + given.launchTimeoutMs,
    exitCode: null,
    stopReason: null,
    restarts: 0,
    crashesInARow: 0,
    relaunchAt: null,
    launchedAt: null,
    createdAt: at,
    runningAt: null,
    stoppedAt: null,
    expiresAt: null,
    updatedAt: at,
  }
}
