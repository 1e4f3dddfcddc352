import { type LaunchSpec, portVariable } from '@matchyard/core/ports'
import { CONFIG_PATH } from '@matchyard/orchestrator-kit'

export const HOME = '/home/game'

/**
 * What a game server finds in its environment (docs/http-api.md §8), on top of what its image sets: nothing of the service's own.
 * In a network of its own it listens on the port it was built for; players come in by the external one.
 */
export function gameEnvironment(spec: LaunchSpec, imageEnvironment: readonly string[]): string[] {
  const ofImage = new Map(imageEnvironment.map((entry) => [entry.split('=', 1)[0] ?? '', entry]))
  const ports = spec.networkPorts.map((port) => `${portVariable(port.name)}=${port.internalPort}`)
  return [...(ofImage.has('LANG') ? [] : ['LANG=C.UTF-8']), `HOME=${HOME}`, `SVC_CONFIG_FILE=${CONFIG_PATH}`, ...ports]
}
