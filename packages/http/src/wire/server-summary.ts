import { type PortMapping, SERVER_STATUSES, type ServerSummary } from '@matchyard/core'
import { answerOf, listOf, required } from './codec/index'
import { protocol } from './server-settings'
import { flag, oneOf, region, string, whole } from './shared'

export const portMapping = answerOf<PortMapping>()(
  {
    name: required(string, 'Name of the port in the queue.'),
    protocol: required(protocol, 'Protocol of the port.'),
    internalPort: required(whole, 'Port on which the server listens.'),
    externalPort: required(whole, 'Port that players connect to.'),
    host: required(string, 'Host name or address that players connect to.'),
    tlsEnabled: required(flag, 'Whether the port uses TLS.'),
  },
  'PortMapping',
  'A port of a game server.',
)

/** Codec of a server in the form in which a lobby or a match shows it, with the fields for the connection. */
export const serverSummary = answerOf<ServerSummary>()(
  {
    instanceId: required(string, "The server's id."),
    region: required(region, 'Region of the server.'),
    status: required(oneOf(SERVER_STATUSES), 'Status; a `running` server takes players.'),
    matchId: required(string, 'Match that runs on the server.'),
    networkPorts: required(listOf(portMapping), 'Ports of the server.'),
  },
  'ServerSummary',
  'A game server, with the fields that players need.',
)
