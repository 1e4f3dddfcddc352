/** Names of a value's fields in JSON, by their names in the domain; or the names within each item of a list. */
export type PathNames =
  | { readonly fields: ReadonlyMap<string, { readonly wire: string; readonly inner: PathNames | undefined }> }
  | { readonly items: PathNames }

/**
 * Returns the JSON form of a path of the domain: `serverSettings.networkPorts.0.internalPort` becomes
 * `server_settings.network_ports.0.internal_port`. A name without a codec was chosen by the caller and stays unchanged.
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

/** Returns the names of several forms of one value, joined. */
export function eitherOf(shapes: readonly (PathNames | undefined)[]): PathNames {
  return { fields: new Map(shapes.flatMap((names) => (names && 'fields' in names ? [...names.fields] : []))) }
}
