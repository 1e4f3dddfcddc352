import { formatImageReference, type ImageReference } from '@matchyard/core/ports'
import type { AuthConfig } from 'dockerode'
import { DEFAULT_REGISTRY, type RegistryPolicy } from './registry-guard'

/** Of one registry, as its login asks for them. */
export interface RegistryCredentials {
  readonly username: string
  readonly password: string
}

export interface ImagePolicy {
  readonly registries: RegistryPolicy
  /** By registry. From the configuration alone: no build carries any. */
  readonly credentials: Readonly<Record<string, RegistryCredentials>>
  /** Whether `local/…` names images that the operator put into the engine. */
  readonly localImages: boolean
  readonly maxBytes: number
  readonly pullTimeoutMs: number
}

/** Images of this machine: never fetched, whatever a registry may hold under that name. */
export const isLocal = ({ domain, path }: ImageReference): boolean => domain === null && path.startsWith('local/')

/** With the tag that is left out: without one the engine would fetch them all. A digest needs none. */
export const fullName = (reference: ImageReference): string =>
  formatImageReference({ ...reference, tag: reference.digest === null ? (reference.tag ?? 'latest') : null })

export function credentialsFor({ credentials }: ImagePolicy, registry: string): AuthConfig | undefined {
  const login = Object.hasOwn(credentials, registry) ? credentials[registry] : undefined
  const serveraddress = registry === DEFAULT_REGISTRY ? 'https://index.docker.io/v1/' : registry
  return login === undefined ? undefined : { ...login, serveraddress }
}
