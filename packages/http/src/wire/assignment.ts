import { z } from '@hono/zod-openapi'
import type { AssignedPort, AssignedServer } from '@matchyard/core'
import { PORT_NAME_LENGTH, PORT_NUMBER, SERVER_HOST_LENGTH } from '@matchyard/core/domain'
import { answerOf, bodyOf, defaulted, listOf, mirrorOf, optional, plain, required, rowOf, told } from './codec/index'
import { protocol } from './server-settings'
import { portMapping } from './server-summary'
import { freeForm, oneOf, region, string, text, wholeIn } from './shared'

const port = mirrorOf<AssignedPort>()(
  {
    name: required('name', text(PORT_NAME_LENGTH)),
    protocol: defaulted('protocol', protocol, 'udp'),
    port: required('port', wholeIn(PORT_NUMBER)),
  },
  'AssignedPort',
)

const host = plain(
  text(SERVER_HOST_LENGTH).body.openapi({ description: 'Address to connect to: a name or an IP address.' }),
  z.string(),
)

export const assignment = bodyOf({
  host: required('host', host),
  ports: required('ports', rowOf(port)),
  region: optional('region', region),
  custom_data: optional('customData', freeForm),
})

const joinTokenKey = z.string().openapi({
  description: "base64url of 32 bytes: by these the server verifies its players' join tokens, HS256.",
})

export const assignedServer = answerOf<AssignedServer>()(
  {
    instance_id: told(string, ({ server }: AssignedServer) => server.instanceId),
    match_id: told(string, ({ server }: AssignedServer) => server.matchId),
    region: told(region, ({ server }: AssignedServer) => server.region),
    status: told(oneOf(['running']), () => 'running' as const),
    network_ports: told(listOf(portMapping), ({ server }: AssignedServer) => server.networkPorts),
    custom_data: required('customData', freeForm),
    join_token_key: required('joinTokenKey', plain(joinTokenKey)),
  },
  'AssignedServer',
)
