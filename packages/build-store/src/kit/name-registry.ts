import { refuse } from './refusal'

type Kind = 'file' | 'folder'

/**
 * The paths of the entries in an archive, compared without letter case and Unicode composition. Refuses two names that
 * are different on some file systems and equal on others, and a path that is both a file and a folder.
 */
export class NameRegistry {
  private readonly places = new Map<string, { spelling: string; kind: Kind; listed: boolean }>()

  add(parts: readonly string[], kind: Kind): void {
    const name = parts.join('/')
    for (let depth = 1; depth < parts.length; depth++) {
      this.take(name, parts.slice(0, depth).join('/'), 'folder', false)
    }
    this.take(name, name, kind, true)
  }

  /** Whether the archive has a file with exactly this name. */
  hasFile(name: string): boolean {
    const place = this.places.get(fold(name))
    return place?.kind === 'file' && place.spelling === name
  }

  private take(entry: string, spelling: string, kind: Kind, listed: boolean): void {
    const key = fold(spelling)
    const place = this.places.get(key)
    if (place === undefined) {
      this.places.set(key, { spelling, kind, listed })
      return
    }
    if (place.kind !== kind) refuse(entry, `makes "${spelling}" both a file and a folder`)
    if (place.spelling !== spelling) {
      refuse(entry, `is a duplicate: "${place.spelling}" differs from "${spelling}" in case or composition only`)
    }
    if (listed && place.listed) refuse(entry, 'is a duplicate: the name occurs twice')
    place.listed ||= listed
  }
}

// The name is converted to upper case first, because this also unifies letters with two lower-case forms (ſ and s, ß
// and ss).
const fold = (name: string) => name.normalize('NFC').toUpperCase().toLowerCase()
