/** JSON names of a value's fields, by their names in the domain. For a list, the names of the fields of each item. */
export type PathNames =
  | { readonly fields: ReadonlyMap<string, { readonly wire: string; readonly inner: PathNames | undefined }> }
  | { readonly items: PathNames }

/**
 * Returns the JSON form of a path of the domain: `serverSettings.networkPorts.0.internalPort` becomes
 * `server_settings.network_ports.0.internal_port`. A name that has no codec was chosen by the caller, so it stays
 * unchanged.
 */
export function wirePath(path: string, names: PathNames | undefined): string {
  let at = names
  return path
    .split('.')
    .map((segment) => {
      if (at === undefined) return segment
      if ('items' in at) {
        at = at.items
        return segment
      }
      const field = at.fields.get(segment)
      at = field?.inner
      return field?.wire ?? segment
    })
    .join('.')
}

/** Returns the names of a path's parameters: `ratingId` is `rating_id` in `/v1/ratings/{rating_id}`. */
export const paramNames = (path: string): PathNames => ({
  fields: new Map(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, wire = '']) => [
      wire.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      { wire, inner: undefined },
    ]),
  ),
})

/** Returns the joined names of several forms of one value. */
export function eitherOf(shapes: readonly (PathNames | undefined)[]): PathNames {
  return { fields: new Map(shapes.flatMap((names) => (names && 'fields' in names ? [...names.fields] : []))) }
}
