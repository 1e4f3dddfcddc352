import type { Metadata, Resource } from './objects'
import { ApiStatus } from './status'

const NAME = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/
/** Maximum length of a name, in characters. */
const NAME_LENGTH = 253

/** Returns the name of a new object. Throws when the name is missing or invalid. */
export function nameFor(resource: Resource, metadata: Partial<Metadata> | undefined, newId: () => string): string {
  const name = metadata?.name ?? (metadata?.generateName && `${metadata.generateName}${newId().slice(-5)}`)
  if (name === undefined || name === '') {
    throw invalid(resource, '', 'metadata.name: Required value: name or generateName is required')
  }
  if (!NAME.test(name) || name.length > NAME_LENGTH) {
    throw invalid(
      resource,
      name,
      `metadata.name: Invalid value: "${name}": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.'`,
    )
  }
  return name
}

/** Returns the name of a kind in the form that error messages contain: `gameservers.agones.dev`. */
export const qualified = ({ group, plural }: Resource): string => (group === '' ? plural : `${plural}.${group}`)

export const invalid = (resource: Resource, name: string, why: string): ApiStatus =>
  new ApiStatus(
    'Invalid',
    `${resource.kind}${resource.group === '' ? '' : `.${resource.group}`} "${name}" is invalid: ${why}`,
    {
      name,
      kind: resource.kind,
    },
  )
