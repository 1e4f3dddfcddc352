import type { PortMapping } from '@matchyard/core'
import { fillArguments, type LaunchSpec, portVariable } from '@matchyard/core/ports'

export interface ServerPlace {
  /** The path of the server's configuration file. */
  readonly configFile: string
  /** Returns the port on which the server must listen for a requested port. */
  listensOn(port: PortMapping): number
}

/**
 * Returns the variables for the server's ports and its configuration file (docs/http-api.md §8), for its environment
 * and its arguments.
 */
export const placeVariables = (
  spec: Pick<LaunchSpec, 'networkPorts' | 'trace'>,
  { configFile, listensOn }: ServerPlace,
): ReadonlyMap<string, string> =>
  new Map([
    ['SVC_CONFIG_FILE', configFile],
    ...spec.networkPorts.map((port) => [portVariable(port.name), String(listensOn(port))] as const),
    ...traceVariable(spec),
  ])

/**
 * Returns the trace context as the variable TRACEPARENT (OpenTelemetry's convention), so that spans of the game server
 * belong to the same trace.
 */
export const traceVariable = ({ trace }: Pick<LaunchSpec, 'trace'>): (readonly [name: string, value: string])[] =>
  trace === undefined ? [] : [['TRACEPARENT', trace]]

/** Returns the arguments of a launch, split into words, with each `${NAME}` replaced by the variable's value. */
export const launchArguments = (
  spec: Pick<LaunchSpec, 'startupArgs' | 'instanceId' | 'matchId' | 'region'>,
  place: ReadonlyMap<string, string>,
): string[] =>
  fillArguments(
    spec.startupArgs,
    new Map([...place, ['INSTANCE_ID', spec.instanceId], ['MATCH_ID', spec.matchId ?? ''], ['REGION', spec.region]]),
  )
