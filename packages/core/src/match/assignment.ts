import { MAX_PORTS, PORT_NAME_LENGTH, PORT_NUMBER } from '../catalog/limits'
import { nameFault } from '../catalog/names'
import type { Region } from '../catalog/regions'
import { isServerHost, SERVER_HOST_RULE } from '../catalog/server-host'
import type { ValidationIssue } from '../errors/service-error'
import type { Protocol } from '../server/game-server'
import { portVariable } from '../server/ports'
import type { JsonObject } from '../shared/json'

/** Port of a server that the studio runs; players connect to it. */
export interface AssignedPort {
  /** Name by which players find the port, 1 to 64 characters. */
  readonly name: string
  /** Protocol of the port. */
  readonly protocol: Protocol
  /** Port that players connect to, 1 to 65,535. */
  readonly port: number
}

/** Server that the studio's backend assigned to a match. */
export interface Assignment {
  /** Address to connect to. */
  readonly host: string
  /** Ports of the server, at most 16. */
  readonly ports: readonly AssignedPort[]
  /** Region of the server. */
  readonly region: Region
  /** Data for the backend; the API does not show them to players. */
  readonly customData: JsonObject
}

/** Returns the faults of an assignment that a caller sent. */
export function assignmentFaults({ host, ports }: Pick<Assignment, 'host' | 'ports'>): ValidationIssue[] {
  const issues: ValidationIssue[] = []
  if (!isServerHost(host)) issues.push({ path: 'host', message: SERVER_HOST_RULE })
  if (ports.length > MAX_PORTS) {
    issues.push({ path: 'ports', message: `has ${ports.length} ports; at most ${MAX_PORTS} ports are allowed` })
  }
  const seen = new Map<string, string>()
  ports.forEach(({ name, port }, index) => {
    const other = seen.get(portVariable(name))
    if (other !== undefined) {
      issues.push({ path: `ports.${index}.name`, message: `collides with ${JSON.stringify(other)}` })
    }
    seen.set(portVariable(name), name)
    const fault = nameFault(name, PORT_NAME_LENGTH)
    if (fault !== undefined) issues.push({ path: `ports.${index}.name`, message: fault })
    if (!Number.isInteger(port) || port < PORT_NUMBER.min || port > PORT_NUMBER.max) {
      issues.push({ path: `ports.${index}.port`, message: `must be from ${PORT_NUMBER.min} to ${PORT_NUMBER.max}` })
    }
  })
  return issues
}
