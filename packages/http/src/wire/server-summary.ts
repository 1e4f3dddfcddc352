import { type PortMapping, SERVER_STATUSES, type ServerSummary } from '@matchyard/core'
import { answerOf, listOf, required } from './codec/index'
import { protocol } from './server-settings'
import { flag, oneOf, region, string, whole } from './shared'

export const portMapping = answerOf<PortMapping>()(
  {
    name: required('name', string),
    protocol: required('protocol', protocol),
    internal_port: required('internalPort', whole),
    external_port: required('externalPort', whole),
    host: required('host', string),
    tls_enabled: required('tlsEnabled', flag),
  },
  'PortMapping',
)

/** What a lobby or a match shows of its server: the connection-relevant fields. */
export const serverSummary = answerOf<ServerSummary>()(
  {
    instance_id: required('instanceId', string),
    region: required('region', region),
    status: required('status', oneOf(SERVER_STATUSES)),
    match_id: required('matchId', string),
    network_ports: required('networkPorts', listOf(portMapping)),
  },
  'ServerSummary',
)
