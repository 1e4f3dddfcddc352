import type { KubeItem } from './shapes'
import { isLater, isNewer, isUpTo } from './versions'

/** Number of deleted objects that are remembered, so that a late answer does not add such an object again. */
const REMEMBERED_GONE = 2_000

/**
 * Local copies of all objects of one kind, each in the newest version that a list, the watch or the answer to a call
 * contained.
 */
export class HeldObjects<T extends KubeItem> {
  private items = new Map<string, T>()
  private readonly gone = new Set<string>()

  constructor(private readonly changed: (item: T, isGone: boolean) => void) {}

  get all(): readonly T[] {
    return [...this.items.values()]
  }

  byName(name: string): T | undefined {
    return this.items.get(name)
  }

  /**
   * Stores the object that a call returned. `version` is the version up to which the watch has sent changes. Answers to
   * calls may arrive late and in any order, so the method ignores an object that is older than `version`.
   */
  put(item: T, version: string): void {
    const known = this.items.get(item.metadata.name)
    const isNews =
      known?.metadata.uid === item.metadata.uid
        ? isNewer(item, known)
        : // A missing object that is not newer than the watch was deleted.
          !isUpTo(item, version)
    if (isNews) this.take(item)
  }

  drop(item: KubeItem): void {
    const { name, uid } = item.metadata
    this.rememberGone(uid)
    const known = this.items.get(name)
    if (known?.metadata.uid !== uid) return
    this.items.delete(name)
    this.changed(known, true)
  }

  /**
   * Stores an object from the watch. When an answer to a call already contained a newer version of the object, that
   * version stays.
   */
  take(item: T): void {
    const { name, uid, resourceVersion } = item.metadata
    const known = this.items.get(name)
    if (this.gone.has(uid) || known?.metadata.resourceVersion === resourceVersion) return
    if (known !== undefined && isNewer(known, item)) return
    this.items.set(name, item)
    this.changed(item, false)
  }

  /** Replaces all objects by the objects of a list, which contains all objects that exist at a version. */
  replace(items: readonly T[], version: string): void {
    const before = this.items
    const now = new Map(
      items.filter(({ metadata }) => !this.gone.has(metadata.uid)).map((one) => [one.metadata.name, one]),
    )
    for (const [name, one] of before) {
      const found = now.get(name)
      const isSame = found?.metadata.uid === one.metadata.uid
      // An object that this service made or wrote while the list was read is newer than the list.
      if (isSame ? isNewer(one, found) : isLater(one.metadata.resourceVersion, version)) now.set(name, one)
      else if (!isSame && isUpTo(one, version)) this.rememberGone(one.metadata.uid)
    }
    this.items = now
    for (const [name, one] of before) if (now.get(name)?.metadata.uid !== one.metadata.uid) this.changed(one, true)
    for (const [name, one] of now) {
      if (before.get(name)?.metadata.resourceVersion !== one.metadata.resourceVersion) this.changed(one, false)
    }
  }

  private rememberGone(uid: string): void {
    this.gone.add(uid)
    const [oldest = ''] = this.gone
    if (this.gone.size > REMEMBERED_GONE) this.gone.delete(oldest)
  }
}
