import { formatImageReference, type ImageReference } from '@matchyard/core/ports'
import type { AuthConfig } from 'dockerode'
import { DEFAULT_REGISTRY, type RegistryPolicy } from './registry-guard'

/** The user name and password for one registry. */
export interface RegistryCredentials {
  /** Name of the user. */
  readonly username: string
  /** Password or access token of the user. */
  readonly password: string
}

export interface ImagePolicy {
  readonly registries: RegistryPolicy
  /** Credentials by registry. They come only from the configuration of the service, never from a build. */
  readonly credentials: Readonly<Record<string, RegistryCredentials>>
  /** Whether builds may use `local/…` names for images that the operator added to the engine. */
  readonly localImages: boolean
  readonly maxBytes: number
  readonly pullTimeoutMs: number
}

/** Whether the reference has the form `local/…`. The service never pulls such images from a registry. */
export const isLocal = ({ domain, path }: ImageReference): boolean => domain === null && path.startsWith('local/')

/**
 * Returns the reference with `latest` for a missing tag: without a tag the engine would pull all tags. A digest needs
 * no tag.
 */
export const fullName = (reference: ImageReference): string =>
  formatImageReference({ ...reference, tag: reference.digest === null ? (reference.tag ?? 'latest') : null })

export function credentialsFor({ credentials }: ImagePolicy, registry: string): AuthConfig | undefined {
  const login = Object.hasOwn(credentials, registry) ? credentials[registry] : undefined
  const serveraddress = registry === DEFAULT_REGISTRY ? 'https://index.docker.io/v1/' : registry
  return login === undefined ? undefined : { ...login, serveraddress }
}
