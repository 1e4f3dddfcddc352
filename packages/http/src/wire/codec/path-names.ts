/** How the fields of a value are spelled on the wire, by their names in the domain; or those of each item of a list. */
export type PathNames =
  | { readonly fields: ReadonlyMap<string, { readonly wire: string; readonly inner: PathNames | undefined }> }
  | { readonly items: PathNames }

/**
 * A path of the domain as it is spelled on the wire: `serverSettings.networkPorts.0.internalPort` becomes
 * `server_settings.network_ports.0.internal_port`. A name without a codec belongs to the caller and keeps its spelling.
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

/** The names of several shapes that one value may have, as one. */
export function eitherOf(shapes: readonly (PathNames | undefined)[]): PathNames {
  return { fields: new Map(shapes.flatMap((names) => (names && 'fields' in names ? [...names.fields] : []))) }
}
