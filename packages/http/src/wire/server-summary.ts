import type { PortMapping, ServerSummary } from '@matchyard/core'

export const toPortWire = (port: PortMapping) => ({
  name: port.name,
  protocol: port.protocol,
  internal_port: port.internalPort,
  external_port: port.externalPort,
  host: port.host,
  tls_enabled: port.tlsEnabled,
})

/** What a lobby or a match shows of its server: the connection-relevant fields. */
export const toServerSummaryWire = (server: ServerSummary) => ({
  instance_id: server.instanceId,
  region: server.region,
  status: server.status,
  match_id: server.matchId,
  network_ports: server.networkPorts.map(toPortWire),
})
