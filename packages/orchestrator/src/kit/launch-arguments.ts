import type { PortMapping } from '@matchyard/core'
import { fillArguments, type LaunchSpec, portVariable } from '@matchyard/core/ports'

export interface ServerPlace {
  /** Where the server finds its configuration. */
  readonly configFile: string
  /** The port that it is to listen on. */
  listensOn(port: PortMapping): number
}

/** What a server must know of the place where it runs (docs/http-api.md §8): for its environment, and for its arguments. */
export const placeVariables = (
  spec: Pick<LaunchSpec, 'networkPorts' | 'trace'>,
  { configFile, listensOn }: ServerPlace,
): ReadonlyMap<string, string> =>
  new Map([
    ['SVC_CONFIG_FILE', configFile],
    ...spec.networkPorts.map((port) => [portVariable(port.name), String(listensOn(port))] as const),
    ...traceVariable(spec),
  ])

/** By what is usual where no headers are (OpenTelemetry, environment variables as context carriers): the server's own spans go on from there. */
export const traceVariable = ({ trace }: Pick<LaunchSpec, 'trace'>): (readonly [name: string, value: string])[] =>
  trace === undefined ? [] : [['TRACEPARENT', trace]]

/** The arguments of a launch: split, and `${NAME}` replaced. */
export const launchArguments = (
  spec: Pick<LaunchSpec, 'startupArgs' | 'instanceId' | 'matchId' | 'region'>,
  place: ReadonlyMap<string, string>,
): string[] =>
  fillArguments(
    spec.startupArgs,
    new Map([...place, ['INSTANCE_ID', spec.instanceId], ['MATCH_ID', spec.matchId ?? ''], ['REGION', spec.region]]),
  )
