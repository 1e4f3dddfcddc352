import { DEFAULT_MAX_LOBBIES_PER_PROJECT, LOG_RETENTION_HOURS, MATCH_RETENTION_DAYS } from '../catalog/limits'
import { SELF_HOSTED_LIMITS } from '../catalog/plans'
import { DEFAULT_PRICES } from '../catalog/prices'
import { ALL_REGIONS, isRegion, type Region } from '../catalog/regions'
import { MAX_MACHINE_BEACONS } from '../machine/beacon'
import { quietly, unfailing } from '../ports/logger'
import { noBuildStore, noGuardedFetch, noOrchestrator, noPayments, noPeers, noPlayerTokens } from '../ports/none'
import type { MachineSettings, Ports } from '../ports/ports'
import { unfailingTracing } from '../ports/tracing'
import { DEFAULT_LAUNCH_TIMEOUT_MS, STOP_GRACE_MS } from '../server/game-server'
import { plainBody } from '../webhook/message'
import { type MatchyardOptions, PUBLIC_ADDRESSES } from './options'

const DEFAULT_CAPACITY_TIMEOUT_MS = 120_000
const DEFAULT_NODE_LOST_AFTER_MS = 30_000
const DEFAULT_MACHINE_AWAY_MS = 600_000
const DEFAULT_MAX_UPLOAD_BYTES = 2 * 1024 ** 3

/** Returns the ports of the options. A port that the options leave out gets its default. */
export function portsOf(options: MatchyardOptions): Ports {
  const { storage, clock, timers, ids, random, tokens, passwords, apiUrl } = options
  return {
    storage,
    clock,
    timers,
    ids,
    random,
    tokens,
    passwords,
    logger: unfailing(options.logger),
    tracing: unfailingTracing(options.tracing),
    messageBody: options.webhookBody ?? plainBody,
    guardedFetch: options.guardedFetch ?? noGuardedFetch,
    playerTokens: options.playerTokens ?? noPlayerTokens,
    orchestrator: options.orchestrator ?? noOrchestrator,
    buildStore: options.buildStore ?? noBuildStore,
    payments: options.payments ?? noPayments,
    peers: options.peers ?? noPeers,
    onConflict: (conflict) => quietly(() => options.onConflict?.(conflict)),
    settings: {
      nodeId: options.nodeId ?? 'node',
      apiUrl: typeof apiUrl === 'function' ? apiUrl : () => apiUrl ?? '',
      launchTimeoutMs: options.launchTimeoutMs ?? DEFAULT_LAUNCH_TIMEOUT_MS,
      capacityTimeoutMs: options.capacityTimeoutMs ?? DEFAULT_CAPACITY_TIMEOUT_MS,
      stopGraceMs: options.stopGraceMs ?? STOP_GRACE_MS,
      nodeLostAfterMs: options.nodeLostAfterMs ?? DEFAULT_NODE_LOST_AFTER_MS,
      machineAwayMs: options.machineAwayMs ?? DEFAULT_MACHINE_AWAY_MS,
      maxUploadBytes: options.maxUploadBytes ?? DEFAULT_MAX_UPLOAD_BYTES,
      maxLobbiesPerProject: options.maxLobbiesPerProject ?? DEFAULT_MAX_LOBBIES_PER_PROJECT,
      matchRetentionDays: retentionOf(options),
      logRetentionHours: logRetentionOf(options),
      regions: regionsOf(options),
      machine: machineOf(options),
      regionFallback: options.regionFallback ?? 'none',
      placement: options.placement ?? 'pack',
      prices: options.prices ?? DEFAULT_PRICES,
      addressPolicy: { ...PUBLIC_ADDRESSES, ...options.addresses },
      operatorLimits: { ...SELF_HOSTED_LIMITS, ...options.operatorLimits },
    },
  }
}

/** Returns the regions of the node, each once. Throws TypeError for an empty list and for an unknown code. */
function regionsOf({ regions = ALL_REGIONS }: MatchyardOptions): readonly Region[] {
  const unknown = regions.find((region) => !isRegion(region))
  if (regions.length > 0 && unknown === undefined) return [...new Set(regions)]
  const why = unknown === undefined ? 'must name a region' : `names ${JSON.stringify(unknown)}, which is no region code`
  throw new TypeError(`createMatchyard: regions ${why}`)
}

/** Returns the properties of the node's machine. Throws TypeError for more beacons than a machine may have. */
function machineOf({ machine = {} }: MatchyardOptions): MachineSettings {
  const { length = 0 } = machine.beacons ?? []
  if (length <= MAX_MACHINE_BEACONS) return machine
  throw new TypeError(`createMatchyard: machine has ${length} beacons; at most ${MAX_MACHINE_BEACONS} are possible`)
}

const DEFAULT_MATCH_RETENTION_DAYS = 90

/** Returns the days for which ended matches are kept. Throws TypeError for a number out of range. */
function retentionOf({ matchRetentionDays: days = DEFAULT_MATCH_RETENTION_DAYS }: MatchyardOptions): number {
  const { min, max } = MATCH_RETENTION_DAYS
  if (Number.isInteger(days) && days >= min && days <= max) return days
  throw new TypeError(`createMatchyard: matchRetentionDays must be a whole number from ${min} to ${max}, not ${days}`)
}

const DEFAULT_LOG_RETENTION_HOURS = 72

/** Returns the hours for which logs of ended game servers are kept. Throws TypeError for a number out of range. */
function logRetentionOf({ logRetentionHours: hours = DEFAULT_LOG_RETENTION_HOURS }: MatchyardOptions): number {
  const { min, max } = LOG_RETENTION_HOURS
  if (Number.isInteger(hours) && hours >= min && hours <= max) return hours
  throw new TypeError(`createMatchyard: logRetentionHours must be a whole number from ${min} to ${max}, not ${hours}`)
}
