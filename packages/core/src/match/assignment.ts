import { MAX_PORTS, PORT_NUMBER, SERVER_HOST_LENGTH } from '../catalog/limits'
import type { Region } from '../catalog/regions'
import type { ValidationIssue } from '../errors/service-error'
import type { Protocol } from '../server/game-server'
import { portVariable } from '../server/ports'
import type { JsonObject } from '../shared/json'

/** A port of a server of the studio's own, as players reach it. */
export interface AssignedPort {
  readonly name: string
  readonly protocol: Protocol
  readonly port: number
}

/** Where a match is played, as the studio's backend told. */
export interface Assignment {
  /** Address to connect to. */
  readonly host: string
  readonly ports: readonly AssignedPort[]
  readonly region: Region
  /** For the backend alone: players do not see it. */
  readonly customData: JsonObject
}

/** What is wrong with an assignment that a caller sent. */
export function assignmentFaults({ host, ports }: Pick<Assignment, 'host' | 'ports'>): ValidationIssue[] {
  const issues: ValidationIssue[] = []
  const { min, max } = SERVER_HOST_LENGTH
  if (host.length < min || host.length > max || /[\s\p{Cc}]/u.test(host)) {
    issues.push({
      path: 'host',
      message: `must be a name or an address of ${min} to ${max} characters, without spaces`,
    })
  }
  if (ports.length > MAX_PORTS) {
    issues.push({ path: 'ports', message: `holds ${ports.length} ports; at most ${MAX_PORTS} are allowed` })
  }
  const seen = new Map<string, string>()
  ports.forEach(({ name, port }, index) => {
    const other = seen.get(portVariable(name))
    if (other !== undefined) {
      issues.push({ path: `ports.${index}.name`, message: `collides with ${JSON.stringify(other)}` })
    }
    seen.set(portVariable(name), name)
    if (!Number.isInteger(port) || port < PORT_NUMBER.min || port > PORT_NUMBER.max) {
      issues.push({ path: `ports.${index}.port`, message: `must be from ${PORT_NUMBER.min} to ${PORT_NUMBER.max}` })
    }
  })
  return issues
}
