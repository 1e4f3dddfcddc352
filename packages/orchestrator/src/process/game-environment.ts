import { dirname } from 'node:path'
import type { LaunchSpec } from '@matchyard/core/ports'
import { placeVariables } from '../kit/index'

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
    ...Object.fromEntries(placeOf(spec, options.configFile)),
    ...launchMarks(options.installationId, spec),
  }
}

/** The machine's own network, without a mapping: the server listens where players connect. */
export const placeOf = (spec: LaunchSpec, configFile: string) =>
  placeVariables(spec, { configFile, listensOn: ({ externalPort }) => externalPort })

/** By these a process is found again whatever the service forgot. */
export const launchMarks = (installationId: string, launch: { instanceId: string; attempt: number }) => ({
  MATCHYARD_INSTALLATION: installationId,
  MATCHYARD_INSTANCE_ID: launch.instanceId,
  MATCHYARD_ATTEMPT: String(launch.attempt),
})
