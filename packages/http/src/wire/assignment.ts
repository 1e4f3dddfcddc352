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
    name: required(nameText(PORT_NAME_LENGTH), 'As players ask for it.'),
    protocol: defaulted(protocol, 'udp', 'What is spoken on it.'),
    port: required(wholeIn(PORT_NUMBER), 'The port that players connect to.'),
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
  ports: required(rowOf(port), 'Where it listens.'),
  region: optional(region, "Where it is; the match's own unless said."),
  customData: optional(freeForm, 'Kept for you and answered to you; players do not see it. `{}` unless said.'),
})

export const assignedServer = answerOf<AssignedServer>()(
  {
    instanceId: told(
      string,
      ({ server }: AssignedServer) => server.instanceId,
      'Its id: `ext_` and the ULID of the match.',
    ),
    matchId: told(string, ({ server }: AssignedServer) => server.matchId, 'The match that is played on it.'),
    region: told(region, ({ server }: AssignedServer) => server.region, 'Where it is played.'),
    status: told(oneOf(['running']), () => 'running' as const, 'It is `running` from the moment it is told.'),
    networkPorts: told(
      listOf(portMapping),
      ({ server }: AssignedServer) => server.networkPorts,
      'Where players connect.',
    ),
    customData: required(freeForm, 'What you sent.'),
    joinTokenKey: required(
      string,
      "base64url of 32 bytes: by these the server verifies its players' join tokens, HS256.",
    ),
  },
  'AssignedServer',
  'Where a match is played, on a server of your own.',
)
