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
  PORT_NAME_LENGTH,
  PORT_NUMBER,
  STARTUP_ARGS_LENGTH,
  TTL_SECONDS,
  WARM_BUFFER,
  WARM_MIN,
} from '@matchyard/core/domain'
import { buildName } from './build'
import { defaulted, given, mirrorOf, plain, required, rowOf } from './codec/index'
import { flag, freeForm, nameText, oneOf, region, secondsIn, text, tier, wholeIn } from './shared'

export const protocol = oneOf(PROTOCOLS)
export const ttl = secondsIn(TTL_SECONDS)
export const startupArgs = plain(
  text(STARTUP_ARGS_LENGTH).body.openapi({
    description:
      'Split like a shell would quote; no shell sees it. Then ${PORT_<NAME>}, ${INSTANCE_ID}, ${MATCH_ID}, ${REGION} and ${SVC_CONFIG_FILE} are replaced; $${ is the text ${.',
  }),
)

const READINESS_WORDS =
  'What makes the server run: its ports (every TCP port accepts, every UDP port is bound by it; the default), its own call alone, or having stayed up for a second. Its own call always does.'
export const readiness = plain(
  z
    .enum(READINESS, `must be one of ${READINESS.join(', ')}`)
    .openapi({ default: 'port', description: READINESS_WORDS }),
)

const SOURCE_WORDS =
  'Who brings the server of a match: it is launched from `version_tag` (the default), or it is your own, which your backend tells by POST /v1/matches/{match_id}/server.'
const source = plain(
  z
    .enum(SERVER_SOURCES, `must be one of ${SERVER_SOURCES.join(', ')}`)
    .openapi({ default: 'build', description: SOURCE_WORDS }),
)

/** A port as it is asked for: `host` and `external_port` are assigned, so they are refused here. */
export const portRequest = mirrorOf<PortRequest>()(
  {
    name: required(nameText(PORT_NAME_LENGTH), 'The program is told it as `PORT_<NAME>`.'),
    protocol: defaulted(protocol, 'udp', 'What is spoken on it; `udp` unless said.'),
    internalPort: required(wholeIn(PORT_NUMBER), 'The port as the server sees it, where it has a network of its own.'),
    tlsEnabled: defaulted(flag, false, 'Only with tcp.'),
  },
  'PortRequest',
  'A port that a game server wants.',
)

const buildVersion = plain(wholeIn(BUILD_VERSION).body.nullable(), z.int().min(1).nullable())

const warm = mirrorOf<WarmSettings>()(
  {
    min: given(wholeIn(WARM_MIN), 'The least servers that there are in all, those in matches counted; 0 unless said.'),
    buffer: given(wholeIn(WARM_BUFFER), 'So many servers wait for a match; 1 unless said.'),
  },
  'WarmSettings',
  'How many servers of a queue are there before their match.',
)

/** Fields that were left out stay out. */
export const serverSettings = mirrorOf<ServerSettings>()(
  {
    source: given(source),
    versionTag: given(
      buildName,
      'The name of the build; its newest `ready` version that is not disabled is run, or the one of `version`. Without one no server is launched.',
    ),
    version: given(
      buildVersion,
      'The version of that build which is run, to go back to one that was good; null or left out: the newest that is `ready` and not disabled. It holds for no other build that `use_version_from_state` names.',
    ),
    region: given(region, 'Where it runs, where nobody says otherwise.'),
    tier: given(tier, 'How large it is: cores and gigabytes; the smallest unless said.'),
    networkPorts: given(rowOf(portRequest), 'The ports that the program wants, at most 16.'),
    startupArgs: given(startupArgs),
    readiness: given(readiness),
    ttl: given(ttl, 'A server is ended after so long; as long as the plan allows unless said.'),
    autoRestart: given(flag, 'Whether it is started again when its program ends by itself.'),
    customData: given(freeForm, 'For the program: it stands in its configuration file. `{}` unless said.'),
    warm: given(
      warm,
      'Servers that are started before their match; without it each is started when its match is made.',
    ),
  },
  'ServerSettings',
  'What game servers are made from.',
)
