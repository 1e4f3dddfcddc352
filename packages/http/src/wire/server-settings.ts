import { z } from '@hono/zod-openapi'
import {
  type PortRequest,
  PROTOCOLS,
  READINESS,
  SERVER_SOURCES,
  type ServerSettings,
  type WarmSettings,
} from '@matchyard/core'
import {
  BUILD_VERSION,
  MAX_ENVIRONMENT_BYTES,
  MAX_ENVIRONMENT_VARIABLES,
  PORT_NAME_LENGTH,
  PORT_NUMBER,
  STARTUP_ARGS_LENGTH,
  STOP_GRACE_SECONDS,
  TTL_SECONDS,
  WARM_BUFFER,
  WARM_MIN,
} from '@matchyard/core/domain'
import { buildName } from './build'
import { defaulted, given, mirrorOf, plain, required, rowOf } from './codec/index'
import { flag, freeForm, nameText, oneOf, region, text, tier, wholeIn } from './shared'

export const protocol = oneOf(PROTOCOLS)
export const ttl = wholeIn(TTL_SECONDS)
export const stopGrace = wholeIn(STOP_GRACE_SECONDS)
export const STOP_GRACE_WORDS = 'Seconds from SIGTERM until the program is killed, at each stop; 10 by default.'
export const startupArgs = plain(
  text(STARTUP_ARGS_LENGTH).body.openapi({
    description:
      'Arguments of the program, split by the quoting rules of a shell, without a shell. Then ${PORT_<NAME>}, ${INSTANCE_ID}, ${MATCH_ID}, ${REGION} and ${SVC_CONFIG_FILE} are replaced; $${ is the text ${.',
  }),
)

export const environment = plain(
  z.record(z.string(), z.string('must be a text')).openapi({
    description: `Environment variables of the program, at most ${MAX_ENVIRONMENT_VARIABLES} and ${MAX_ENVIRONMENT_BYTES / 1_024} kB. The service's own names are refused: HOME, LANG, PATH, SVC_CONFIG_FILE, TRACEPARENT, PORT_* and MATCHYARD_*.`,
    example: { LOG_LEVEL: 'debug' },
  }),
)

const READINESS_WORDS =
  'Condition for `running`: its ports (each TCP port accepts, each UDP port is bound; the default), only its own call, or one second of running. Its own call always suffices.'
export const readiness = plain(
  z
    .enum(READINESS, `must be one of ${READINESS.join(', ')}`)
    .openapi({ default: 'port', description: READINESS_WORDS }),
)

const SOURCE_WORDS =
  "Source of a match's server: launched from `version_tag` (the default), or a server of your own, which your backend assigns by POST /v1/matches/{match_id}/server."
const source = plain(
  z
    .enum(SERVER_SOURCES, `must be one of ${SERVER_SOURCES.join(', ')}`)
    .openapi({ default: 'build', description: SOURCE_WORDS }),
)

/** Codec of a requested port. The service assigns `host` and `external_port`, so they are refused in a request. */
export const portRequest = mirrorOf<PortRequest>()(
  {
    name: required(nameText(PORT_NAME_LENGTH), 'Name of the port; the program gets its number as `PORT_<NAME>`.'),
    protocol: defaulted(protocol, 'udp', 'Protocol of the port; `udp` by default.'),
    internalPort: required(wholeIn(PORT_NUMBER), 'Port on which the server listens, if it has its own network.'),
    tlsEnabled: defaulted(flag, false, 'Whether the port uses TLS; only for tcp.'),
  },
  'PortRequest',
  'A port that a game server requests.',
)

const buildVersion = plain(wholeIn(BUILD_VERSION).body.nullable(), z.int().min(1).nullable())

const warm = mirrorOf<WarmSettings>()(
  {
    min: given(wholeIn(WARM_MIN), 'Minimum number of servers, including those in matches; 0 by default.'),
    buffer: given(wholeIn(WARM_BUFFER), 'Number of servers that wait for a match; 1 by default.'),
  },
  'WarmSettings',
  'Number of warm servers of a queue.',
)

/** Codec of a queue's server settings. Absent fields stay absent. */
export const serverSettings = mirrorOf<ServerSettings>()(
  {
    source: given(source),
    versionTag: given(
      buildName,
      'Name of the build. Its newest `ready` version that is not disabled runs, or the one of `version`. Without a name no server is launched.',
    ),
    version: given(
      buildVersion,
      'Version of that build to run, for example to return to a good one. Null or absent: the newest that is `ready` and not disabled. It does not apply to other builds that `use_version_from_state` names.',
    ),
    region: given(region, 'Default region.'),
    tier: given(tier, 'Size: cores and gigabytes; the smallest by default.'),
    networkPorts: given(rowOf(portRequest), 'Ports that the program requests, at most 16.'),
    startupArgs: given(startupArgs),
    environment: given(environment),
    readiness: given(readiness),
    ttl: given(ttl, "Maximum lifetime of a server in seconds; by default the plan's maximum."),
    stopGraceSeconds: given(stopGrace, STOP_GRACE_WORDS),
    autoRestart: given(flag, 'Whether the server is restarted when its program ends by itself.'),
    customData: given(freeForm, 'Custom data for the program, in its configuration file; `{}` by default.'),
    warm: given(
      warm,
      'Warm servers, started before their match; without them each server starts when its match is made.',
    ),
  },
  'ServerSettings',
  'Settings of game servers.',
)
