import { formatImageReference, parseImageReference } from '@matchyard/core/ports'

export const DEFAULT_REGISTRIES: readonly string[] = ['docker.io', 'ghcr.io', 'quay.io']

export type PreparedImage =
  | { readonly ok: true; readonly image: string; readonly sizeBytes: number }
  | { readonly ok: false; readonly message: string }

/**
 * Returns the image reference with its registry. Refuses a registry that is not allowed, and a reference without a
 * digest. The function fetches nothing: the cluster's nodes fetch images with their own credentials, so the
 * registration of an image opens no connection from this service.
 */
export function prepareImage(text: string, registries: readonly string[]): PreparedImage {
  const parsed = parseImageReference(text)
  if (!parsed.ok) return { ok: false, message: `the image reference ${parsed.fault}` }
  const { reference } = parsed
  const registry = (reference.domain ?? 'docker.io').toLowerCase()
  if (!registries.includes('*') && !registries.some((one) => one.toLowerCase() === registry)) {
    return {
      ok: false,
      message: `this installation does not use the registry ${registry}; it uses ${registries.join(', ')}`,
    }
  }
  if (reference.digest === null) {
    const words = 'name the image by its digest, so that every node runs the same content'
    return {
      ok: false,
      message: `${words}: ${formatImageReference({ ...reference, tag: null })}@sha256:… (docker push prints it)`,
    }
  }
  return { ok: true, image: formatImageReference({ ...reference, domain: registry }), sizeBytes: 0 }
}
