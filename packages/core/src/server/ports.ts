import { MAX_PORTS, PORT_NAME_LENGTH, PORT_NUMBER } from '../catalog/limits'
import { nameFault } from '../catalog/names'
import type { ValidationIssue } from '../errors/service-error'
import { unknownFields } from '../shared/known-names'
import type { PortRequest } from './game-server'

/** Fields of a port request. The external port is not among them, because the service assigns it. */
const FIELDS = ['name', 'protocol', 'internalPort', 'tlsEnabled'] satisfies (keyof PortRequest)[]

/**
 * Returns the environment variable `PORT_<NAME>` in which a game server finds its port. Characters other than letters and digits become `_`
 * (docs/http-api.md §8).
 */
export const portVariable = (name: string): string => `PORT_${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}`

/**
 * Returns the faults of a list of ports: too many ports, names that give the same environment variable, TLS without TCP, numbers out of
 * range.
 */
export function portFaults(ports: readonly PortRequest[], path: string): ValidationIssue[] {
  const issues: ValidationIssue[] = []
  if (ports.length > MAX_PORTS)
    issues.push({ path, message: `has ${ports.length} ports; at most ${MAX_PORTS} ports are allowed` })
  const seen = new Map<string, string>()
  ports.forEach((port, index) => {
    issues.push(...unknownFields(port, FIELDS, `${path}.${index}.`))
    const variable = portVariable(port.name)
    const other = seen.get(variable)
    if (other !== undefined) {
      const message = `collides with the port ${JSON.stringify(other)}: both would have the environment variable ${variable}`
      issues.push({ path: `${path}.${index}.name`, message })
    }
    seen.set(variable, port.name)
    const fault = nameFault(port.name, PORT_NAME_LENGTH)
    if (fault !== undefined) issues.push({ path: `${path}.${index}.name`, message: fault })
    if (port.tlsEnabled && port.protocol !== 'tcp') {
      issues.push({ path: `${path}.${index}.tlsEnabled`, message: 'is possible only with the protocol tcp' })
    }
    if (
      !Number.isInteger(port.internalPort) ||
      port.internalPort < PORT_NUMBER.min ||
      port.internalPort > PORT_NUMBER.max
    ) {
      issues.push({
        path: `${path}.${index}.internalPort`,
        message: `must be from ${PORT_NUMBER.min} to ${PORT_NUMBER.max}`,
      })
    }
  })
  return issues
}
