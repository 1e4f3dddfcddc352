import type { LaunchSpec } from '@matchyard/core/ports'
import { CONFIG_PATH, placeVariables } from '../kit/index'

export const HOME = '/home/game'

/**
 * Returns the environment variables of a game server (docs/http-api.md §8), which are added to the variables of its
 * image. The function passes on no variable of the service itself.
 */
export function gameEnvironment(
  spec: Pick<LaunchSpec, 'networkPorts' | 'trace' | 'environment'>,
  imageEnvironment: readonly string[],
): string[] {
  const ofImage = new Map(imageEnvironment.map((entry) => [entry.split('=', 1)[0] ?? '', entry]))
  const { environment = {} } = spec
  const place = [...Object.entries(environment), ...placeOf(spec)].map(([name, value]) => `${name}=${value}`)
  return [...(ofImage.has('LANG') ? [] : ['LANG=C.UTF-8']), `HOME=${HOME}`, ...place]
}

/**
 * Returns the variables for the server's ports and its configuration file. The server listens on its internal port;
 * players connect to the external port.
 */
export const placeOf = (spec: Pick<LaunchSpec, 'networkPorts' | 'trace'>) =>
  placeVariables(spec, { configFile: CONFIG_PATH, listensOn: ({ internalPort }) => internalPort })
