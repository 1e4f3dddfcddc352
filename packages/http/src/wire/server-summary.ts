import { type PortMapping, SERVER_STATUSES, type ServerSummary } from '@matchyard/core'
import { answerOf, listOf, required } from './codec/index'
import { protocol } from './server-settings'
import { flag, oneOf, region, string, whole } from './shared'

export const portMapping = answerOf<PortMapping>()(
  {
    name: required(string, 'As the queue names it.'),
    protocol: required(protocol, 'What is spoken on it.'),
    internalPort: required(whole, 'The port as the server sees it.'),
    externalPort: required(whole, 'The port that players connect to.'),
    host: required(string, 'The name or address that players connect to.'),
    tlsEnabled: required(flag, 'Whether TLS is spoken on it.'),
  },
  'PortMapping',
  'A port of a game server.',
)

/** Server as a lobby or a match shows it: the fields for the connection. */
export const serverSummary = answerOf<ServerSummary>()(
  {
    instanceId: required(string, "The server's id."),
    region: required(region, 'Where it runs.'),
    status: required(oneOf(SERVER_STATUSES), '`running` is the one that takes players.'),
    matchId: required(string, 'The match that is played on it.'),
    networkPorts: required(listOf(portMapping), 'Where it listens.'),
  },
  'ServerSummary',
  'A game server, as far as players need to know it.',
)
