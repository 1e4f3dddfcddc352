import { dirname } from 'node:path'
import type { LaunchSpec } from '@matchyard/core/ports'
import { placeVariables } from '../kit/index'

const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin'

export interface GameEnvironmentOptions {
  readonly installationId: string
  readonly configFile: string
  readonly home: string
}

/** Returns the folder of the service's Node, on which scripts of game servers run. */
export const nodeFolder = (): string => dirname(process.execPath)

/**
 * Returns the whole environment of a game server (docs/http-api.md §8), without any variable or secret of the service.
 */
export function gameEnvironment(spec: LaunchSpec, options: GameEnvironmentOptions): Record<string, string> {
  return {
    PATH: `${nodeFolder()}:${SYSTEM_PATH}`,
    HOME: options.home,
    LANG: 'C.UTF-8',
    ...Object.fromEntries(placeOf(spec, options.configFile)),
    ...launchMarks(options.installationId, spec),
  }
}

/**
 * Returns the ports and the configuration path of a server on the machine's own network: it listens on the ports that
 * players connect to.
 */
export const placeOf = (spec: LaunchSpec, configFile: string) =>
  placeVariables(spec, { configFile, listensOn: ({ externalPort }) => externalPort })

/** Returns the variables by which a process is found again, also when the service has lost its records. */
export const launchMarks = (installationId: string, launch: { instanceId: string; attempt: number }) => ({
  MATCHYARD_INSTALLATION: installationId,
  MATCHYARD_INSTANCE_ID: launch.instanceId,
  MATCHYARD_ATTEMPT: String(launch.attempt),
})
