import { freeFormFault } from '../catalog/free-form'
import { BUILD_VERSION, STOP_GRACE_SECONDS, TTL_SECONDS, WARM_BUFFER, WARM_MIN } from '../catalog/limits'
import type { Region } from '../catalog/regions'
import type { Tier } from '../catalog/tiers'
import { type Environment, environmentFaults } from '../server/environment'
import type { PortRequest } from '../server/game-server'
import { portFaults } from '../server/ports'
import { READINESS, type Readiness } from '../server/readiness'
import { namesInArguments, startupArgsFaults } from '../server/startup-args'
import type { JsonObject } from '../shared/json'
import { anything, type Judge, type JudgesOf, oneOf, optional, orNull, settingFaults, wholeIn } from './setting'

/**
 * Source of a match's server. `build`: the service launches the build `versionTag`. `external`: the studio's backend assigns a server that
 * the studio runs.
 */
export const SERVER_SOURCES = ['build', 'external'] as const
/** Source of a match's server, one of `SERVER_SOURCES`. */
export type ServerSource = (typeof SERVER_SOURCES)[number]

/** Settings of servers that are started in advance and wait for a match of the queue. */
export interface WarmSettings {
  /** Minimum number of servers, 0 to 100: those that wait and those in matches, added up. Default: 0. */
  readonly min?: number
  /** Number of servers that wait, 1 to 100. Default: 1. */
  readonly buffer?: number
}

export const WARM_DEFAULTS = { min: 0, buffer: 1 } as const satisfies Required<WarmSettings>

/** Settings of the game server that each match of the queue launches. Without `versionTag` no server is launched. */
export interface ServerSettings {
  /** Source of the server. Default: `build`. With `external` a `versionTag` has no effect. */
  readonly source?: ServerSource
  /** Name of the build to launch. Absent: no server is launched. */
  readonly versionTag?: string
  /** Version of the build `versionTag` to launch. null: the newest version that is ready and not disabled. Default: null. */
  readonly version?: number | null
  /** Default region of matches, when neither their lobbies nor matchmaking choose one. */
  readonly region?: Region
  /** Size: cores and gigabytes. Default: `1x-1g`. */
  readonly tier?: Tier
  /** Ports that the program requests, at most 16. Default: none. */
  readonly networkPorts?: readonly PortRequest[]
  /**
   * Arguments of the program, at most 4,096 characters. They are split by the quoting rules of a shell, without a shell. Default: none.
   */
  readonly startupArgs?: string
  /** Environment variables of the program, by name. */
  readonly environment?: Environment
  /** Condition on which a launched server counts as running. Default: `port`. */
  readonly readiness?: Readiness
  /** Maximum seconds that the server runs, at least 60. */
  readonly ttl?: number
  /** Seconds from SIGTERM to SIGKILL at each stop, 1 to 300. Absent: the setting of the service, 10 by default. */
  readonly stopGraceSeconds?: number
  /** Whether the server is restarted when its program ends by itself. Default: false. */
  readonly autoRestart?: boolean
  /** Custom data for the program, in its configuration file: at most 16 KiB of JSON and 16 levels. Default: `{}`. */
  readonly customData?: JsonObject
  /** Servers that are started in advance; absent: a server is started when its match is made. */
  readonly warm?: WarmSettings
}

export const WARM_JUDGES: JudgesOf<WarmSettings> = {
  min: optional(wholeIn(WARM_MIN)),
  buffer: optional(wholeIn(WARM_BUFFER)),
}

/** Environment variables whose values are known only when a server is given to a match. */
const KNOWN_LATER = ['INSTANCE_ID', 'MATCH_ID']

const warmFaults: Judge<WarmSettings, ServerSettings> = (warm, path, { startupArgs = '' }) => [
  ...settingFaults(warm, WARM_JUDGES, `${path}.`),
  ...namesInArguments(startupArgs)
    .filter((name) => KNOWN_LATER.includes(name))
    .map((name) => ({
      path: 'serverSettings.startupArgs',
      message: `contains \${${name}}, but a warm server starts before its match, so this value is not known yet; read it from the configuration file (SVC_CONFIG_FILE)`,
    })),
]

const versionFaults: Judge<number, ServerSettings> = (version, path, { versionTag }) => [
  ...wholeIn(BUILD_VERSION)(version, path, undefined),
  ...(versionTag === undefined
    ? [{ path, message: 'requires a version tag too, because a version number alone does not identify a build' }]
    : []),
]

const customDataFaults: Judge<JsonObject, unknown> = (value, path) => {
  const fault = freeFormFault(value)
  return fault === undefined ? [] : [{ path, message: fault }]
}

/** Functions that check the server settings, in the order of the reported faults. */
export const SERVER_JUDGES: JudgesOf<ServerSettings> = {
  networkPorts: (ports, path) => portFaults(ports ?? [], path),
  source: optional(oneOf(SERVER_SOURCES)),
  versionTag: anything,
  region: anything,
  tier: anything,
  autoRestart: anything,
  readiness: optional(oneOf(READINESS)),
  ttl: optional(wholeIn(TTL_SECONDS)),
  stopGraceSeconds: optional(wholeIn(STOP_GRACE_SECONDS)),
  startupArgs: optional((args, path, { networkPorts }) => startupArgsFaults(args, networkPorts ?? [], path)),
  environment: optional(environmentFaults),
  version: orNull(versionFaults),
  warm: optional(warmFaults),
  customData: optional(customDataFaults),
}
