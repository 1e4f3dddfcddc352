import type { LaunchSpec } from '@matchyard/core/ports'
import { CONFIG_PATH, placeVariables } from '../kit/index'

export const HOME = '/home/game'

/**
 * What a game server finds in its environment (docs/http-api.md §8), on top of what its image sets: nothing of the service's own.
 */
export function gameEnvironment(
  spec: Pick<LaunchSpec, 'networkPorts' | 'trace'>,
  imageEnvironment: readonly string[],
): string[] {
  const ofImage = new Map(imageEnvironment.map((entry) => [entry.split('=', 1)[0] ?? '', entry]))
  const place = [...placeOf(spec)].map(([name, value]) => `${name}=${value}`)
  return [...(ofImage.has('LANG') ? [] : ['LANG=C.UTF-8']), `HOME=${HOME}`, ...place]
}

/** In a network of its own it listens on the port it was built for; players come in by the external one. */
export const placeOf = (spec: Pick<LaunchSpec, 'networkPorts' | 'trace'>) =>
  placeVariables(spec, { configFile: CONFIG_PATH, listensOn: ({ internalPort }) => internalPort })
