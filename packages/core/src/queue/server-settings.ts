import { freeFormFault } from '../catalog/free-form'
import { BUILD_VERSION, TTL_SECONDS, WARM_BUFFER, WARM_MIN } from '../catalog/limits'
import type { Region } from '../catalog/regions'
import type { Tier } from '../catalog/tiers'
import type { PortRequest } from '../server/game-server'
import { portFaults } from '../server/ports'
import { READINESS, type Readiness } from '../server/readiness'
import { namesInArguments, startupArgsFaults } from '../server/startup-args'
import type { JsonObject } from '../shared/json'
import { anything, type Judge, type JudgesOf, oneOf, optional, orNull, settingFaults, wholeIn } from './setting'

/** Source of a match's server: `build` launches one from `versionTag`; `external` is the studio's own server, assigned by its backend. */
export const SERVER_SOURCES = ['build', 'external'] as const
export type ServerSource = (typeof SERVER_SOURCES)[number]

/** Servers of a queue that are started before their match, and wait for it. */
export interface WarmSettings {
  /** The least of them that there are in all, those in matches counted; default 0. */
  readonly min?: number
  /** How many wait; default 1. */
  readonly buffer?: number
}

export const WARM_DEFAULTS = { min: 0, buffer: 1 } as const satisfies Required<WarmSettings>

/** The template from which a match's game server is created. Without `versionTag` no server is launched. */
export interface ServerSettings {
  /** Default `build`; with `external` a `versionTag` means nothing. */
  readonly source?: ServerSource
  readonly versionTag?: string
  /** The version of the build `versionTag` that is launched; null: its newest that is ready and not disabled (default). */
  readonly version?: number | null
  readonly region?: Region
  readonly tier?: Tier
  readonly networkPorts?: readonly PortRequest[]
  readonly startupArgs?: string
  /** Condition on which the server counts as running; default `port`. */
  readonly readiness?: Readiness
  /** Seconds. */
  readonly ttl?: number
  readonly autoRestart?: boolean
  readonly customData?: JsonObject
  /** Absent: a server is started when its match is made. */
  readonly warm?: WarmSettings
}

export const WARM_JUDGES: JudgesOf<WarmSettings> = {
  min: optional(wholeIn(WARM_MIN)),
  buffer: optional(wholeIn(WARM_BUFFER)),
}

/** Variables that a server learns only when it is given to a match. */
const KNOWN_LATER = ['INSTANCE_ID', 'MATCH_ID']

const warmFaults: Judge<WarmSettings, ServerSettings> = (warm, path, { startupArgs = '' }) => [
  ...settingFaults(warm, WARM_JUDGES, `${path}.`),
  ...namesInArguments(startupArgs)
    .filter((name) => KNOWN_LATER.includes(name))
    .map((name) => ({
      path: 'serverSettings.startupArgs',
      message: `names \${${name}}, which a server that waits for its match is not started with; it is in its file`,
    })),
]

const versionFaults: Judge<number, ServerSettings> = (version, path, { versionTag }) => [
  ...wholeIn(BUILD_VERSION)(version, path, undefined),
  ...(versionTag === undefined ? [{ path, message: 'needs version_tag: a version alone names no build' }] : []),
]

const customDataFaults: Judge<JsonObject, unknown> = (value, path) => {
  const fault = freeFormFault(value)
  return fault === undefined ? [] : [{ path, message: fault }]
}

/** Judges of the server settings, in the order of the reported faults. */
export const SERVER_JUDGES: JudgesOf<ServerSettings> = {
  networkPorts: (ports, path) => portFaults(ports ?? [], path),
  source: optional(oneOf(SERVER_SOURCES)),
  versionTag: anything,
  region: anything,
  tier: anything,
  autoRestart: anything,
  readiness: optional(oneOf(READINESS)),
  ttl: optional(wholeIn(TTL_SECONDS)),
  startupArgs: optional((args, path, { networkPorts }) => startupArgsFaults(args, networkPorts ?? [], path)),
  version: orNull(versionFaults),
  warm: optional(warmFaults),
  customData: optional(customDataFaults),
}
