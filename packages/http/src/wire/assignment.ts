import { z } from '@hono/zod-openapi'
import type { AssignedPort, AssignedServer } from '@matchyard/core'
import {
  isServerHost,
  PORT_NAME_LENGTH,
  PORT_NUMBER,
  SERVER_HOST_LENGTH,
  SERVER_HOST_RULE,
} from '@matchyard/core/domain'
import { answerOf, bodyOf, defaulted, listOf, mirrorOf, optional, plain, required, rowOf, told } from './codec/index'
import { protocol } from './server-settings'
import { portMapping } from './server-summary'
import { freeForm, nameText, oneOf, region, string, wholeIn } from './shared'

const port = mirrorOf<AssignedPort>()(
  {
    name: required(nameText(PORT_NAME_LENGTH), 'Name by which players request the port.'),
    protocol: defaulted(protocol, 'udp', 'Protocol of the port.'),
    port: required(wholeIn(PORT_NUMBER), 'Port that players connect to.'),
  },
  'AssignedPort',
  'A port of a server of your own.',
)

const { min: minLength, max: maxLength } = SERVER_HOST_LENGTH
const host = plain(
  z.string().refine(isServerHost, SERVER_HOST_RULE).openapi({
    minLength,
    maxLength,
    description: 'Address to connect to: a host name, an IPv4 or an IPv6 address.',
  }),
  z.string(),
)

export const assignment = bodyOf({
  host: required(host),
  ports: required(rowOf(port), 'Ports of the server.'),
  region: optional(region, "Region of the server; the match's region by default."),
  customData: optional(
    freeForm,
    'Custom data that is stored and returned to you, and hidden from players; `{}` by default.',
  ),
})

export const assignedServer = answerOf<AssignedServer>()(
  {
    instanceId: told(
      string,
      ({ server }: AssignedServer) => server.instanceId,
      'Id: `ext_` and the ULID of the match.',
    ),
    matchId: told(string, ({ server }: AssignedServer) => server.matchId, 'Match that runs on the server.'),
    region: told(region, ({ server }: AssignedServer) => server.region, 'Region of the server.'),
    status: told(oneOf(['running']), () => 'running' as const, 'Always `running`, from its assignment on.'),
    networkPorts: told(
      listOf(portMapping),
      ({ server }: AssignedServer) => server.networkPorts,
      'Ports that players connect to.',
    ),
    customData: required(freeForm, 'Custom data of your assignment.'),
    joinTokenKey: required(
      string,
      'base64url of 32 bytes: the key with which the server verifies join tokens (HS256).',
    ),
  },
  'AssignedServer',
  'A server of your own that a match is assigned to.',
)
