import { type PortMapping, SERVER_STATUSES, type ServerSummary } from '@matchyard/core'
import { answerOf, listOf, required } from './codec/index'
import { protocol } from './server-settings'
import { flag, oneOf, region, string, whole } from './shared'

export const portMapping = answerOf<PortMapping>()(
  {
    name: required('name', string, 'As the queue names it.'),
    protocol: required('protocol', protocol, 'What is spoken on it.'),
    internal_port: required('internalPort', whole, 'The port as the server sees it.'),
    external_port: required('externalPort', whole, 'The port that players connect to.'),
    host: required('host', string, 'The name or address that players connect to.'),
    tls_enabled: required('tlsEnabled', flag, 'Whether TLS is spoken on it.'),
  },
  'PortMapping',
  'A port of a game server.',
)

/** What a lobby or a match shows of its server: the connection-relevant fields. */
export const serverSummary = answerOf<ServerSummary>()(
  {
    instance_id: required('instanceId', string, "The server's id."),
    region: required('region', region, 'Where it runs.'),
    status: required('status', oneOf(SERVER_STATUSES), '`running` is the one that takes players.'),
    match_id: required('matchId', string, 'The match that is played on it.'),
    network_ports: required('networkPorts', listOf(portMapping), 'Where it listens.'),
  },
  'ServerSummary',
  'A game server, as far as players need to know it.',
)
