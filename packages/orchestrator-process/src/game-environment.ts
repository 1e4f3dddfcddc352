import { dirname } from 'node:path'
import { type LaunchSpec, portVariable } from '@matchyard/core/ports'

const SYSTEM_PATH = '/usr/local/bin:/usr/bin:/bin'

export interface GameEnvironmentOptions {
  readonly installationId: string
  readonly configFile: string
  readonly home: string
}

/** The folder of the service's own Node: scripts of game servers run on it. */
export const nodeFolder = (): string => dirname(process.execPath)

/** The whole environment of a game server (docs/http-api.md §8): nothing of the service's own, no secret of it. */
export function gameEnvironment(spec: LaunchSpec, options: GameEnvironmentOptions): Record<string, string> {
  return {
    PATH: `${nodeFolder()}:${SYSTEM_PATH}`,
    HOME: options.home,
    LANG: 'C.UTF-8',
    SVC_CONFIG_FILE: options.configFile,
    // The machine's own network, without a mapping: the server listens where players connect.
    ...Object.fromEntries(spec.networkPorts.map((port) => [portVariable(port.name), String(port.externalPort)])),
    ...launchMarks(options.installationId, spec),
  }
}

/** By these a process is found again whatever the service forgot. */
export const launchMarks = (installationId: string, launch: { instanceId: string; attempt: number }) => ({
  MATCHYARD_INSTALLATION: installationId,
  MATCHYARD_INSTANCE_ID: launch.instanceId,
  MATCHYARD_ATTEMPT: String(launch.attempt),
})
