import { dirname } from 'node:path'
import type { LaunchSpec } from '@matchyard/core/ports'
import { placeVariables } from '../kit/index'

const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin'

export interface GameEnvironmentOptions {
  readonly installationId: string
  readonly configFile: string
  readonly home: string
  readonly inner: InnerPorts
}

/** Ports on which the server listens behind a TLS front, by the names of its ports; empty without TLS. */
export type InnerPorts = ReadonlyMap<string, number>

/** Returns the folder that contains the service's Node executable. Scripts of game servers run on this Node. */
export const nodeFolder = (): string => dirname(process.execPath)

/**
 * Returns all environment variables of a game server (docs/http-api.md §8). They include no variable and no secret of
 * the service.
 */
export function gameEnvironment(spec: LaunchSpec, options: GameEnvironmentOptions): Record<string, string> {
  return {
    PATH: `${nodeFolder()}:${SYSTEM_PATH}`,
    HOME: options.home,
    LANG: 'C.UTF-8',
    ...Object.fromEntries(placeOf(spec, options)),
    ...launchMarks(options.installationId, spec),
  }
}

/**
 * Returns the variables for the server's ports and its configuration file. The server uses the machine's network, so it
 * listens on the ports to which players connect. Behind a TLS front, it listens on inner ports.
 */
export const placeOf = (
  spec: LaunchSpec,
  { configFile, inner }: Pick<GameEnvironmentOptions, 'configFile' | 'inner'>,
) => placeVariables(spec, { configFile, listensOn: ({ name, externalPort }) => inner.get(name) ?? externalPort })

/**
 * Returns the variables by which the service finds a process of a launch again, even when the service has lost its
 * records.
 */
export const launchMarks = (installationId: string, launch: { instanceId: string; attempt: number }) => ({
  MATCHYARD_INSTALLATION: installationId,
  MATCHYARD_INSTANCE_ID: launch.instanceId,
  MATCHYARD_ATTEMPT: String(launch.attempt),
})
