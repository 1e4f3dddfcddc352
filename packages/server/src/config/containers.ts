import { readFileSync } from 'node:fs'
import { parseImageReference } from '@matchyard/core/ports'
import type { DockerOrchestratorOptions, RegistryCredentials } from '@matchyard/orchestrator/docker'
import { Fault } from './setting'

/** Options of the container engine and of the images that it may run. */
export type ContainerOptions = Pick<
  DockerOrchestratorOptions,
  | 'engineHost'
  | 'baseImage'
  | 'registries'
  | 'trustedRegistries'
  | 'registryCredentials'
  | 'localImages'
  | 'network'
  | 'maxWarmServers'
>

/** Reads the address of the container engine, in the form that the engine's own command accepts in DOCKER_HOST. */
export function engineHost(text: string): string | Fault {
  if (/^unix:\/\/\/./.test(text) || /^(tcp|https?):\/\/[^/]+\/?$/.test(text)) return text
  return new Fault(`${JSON.stringify(text)} is no engine's address; give one like unix:///var/run/docker.sock`)
}

export function imageName(text: string): string | Fault {
  const parsed = parseImageReference(text)
  return parsed.ok ? text : new Fault(`${JSON.stringify(text)} is not an image: it ${parsed.fault}`)
}

/** Reads a list of registries, separated by commas: hosts, with a port when it is not the default one. */
export function registries(text: string): readonly string[] | Fault {
  const all = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const wrong = all.find((registry) => registry !== '*' && !/^[a-z0-9.[\]:-]+$/i.test(registry))
  return wrong === undefined
    ? all
    : new Fault(`${JSON.stringify(wrong)} is not a registry; give a list like ghcr.io,quay.io`)
}

/**
 * Reads the `auths` of the file that `docker login` writes. The text of a fault never contains any part of the file.
 */
export function credentialsFile(path: string): Readonly<Record<string, RegistryCredentials>> | Fault {
  try {
    const { auths = {} } = JSON.parse(readFileSync(path, 'utf8')) as { auths?: Record<string, { auth?: string }> }
    return Object.fromEntries(Object.entries(auths).flatMap(([registry, { auth }]) => entryOf(registry, auth)))
  } catch {
    return new Fault(`${path} cannot be read as the config.json that docker login writes`)
  }
}

function entryOf(registry: string, auth: string | undefined): [string, RegistryCredentials][] {
  const [username, ...password] = Buffer.from(auth ?? '', 'base64')
    .toString('utf8')
    .split(':')
  if (username === undefined || username === '' || password.length === 0) return []
  const [host = ''] = registry.replace(/^https?:\/\//, '').split('/', 1)
  // The credentials file of Docker lists the default registry under an older name.
  return [[host === 'index.docker.io' ? 'docker.io' : host, { username, password: password.join(':') }]]
}

export const yesOrNo = (text: string): boolean | Fault =>
  ['true', 'false', '1', '0'].includes(text)
    ? text === 'true' || text === '1'
    : new Fault(`${JSON.stringify(text)} is neither true nor false`)
