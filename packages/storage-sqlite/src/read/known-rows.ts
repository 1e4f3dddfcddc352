import { type Entities, type EntityKind, frozen } from '@matchyard/core/ports'
import type { Statements } from '../statements/index'

/** Maximum characters of JSON in the cache. When more is added, the oldest rows are removed. */
export const KNOWN_TEXT = 16 * 1024 * 1024

/**
 * Kinds that nearly every call reads and that few calls write. All readers share one frozen value from the first read
 * on. Values of other kinds are shared from the second read on.
 */
const SHARED: ReadonlySet<EntityKind> = new Set<EntityKind>(['account', 'project', 'api-key', 'session', 'queue'])

/** Kinds that are cached: calls read them repeatedly, and only commits write them. */
const KNOWN: ReadonlySet<EntityKind> = new Set<EntityKind>([...SHARED, 'lobby', 'match', 'server', 'webhook'])

/** New content of a row in the group that is being written. */
interface Pending {
  readonly text: string
  readonly version: number
}

interface KnownRow {
  readonly text: string
  /** Value that all readers share; undefined until it is made, at the first or the second read (see `SHARED`). */
  value: unknown
  isRead: boolean
  /** Unique keys by which readers found the row. */
  readonly keys: string[]
}

const rowId = (kind: EntityKind, id: string) => `${kind} ${id}`

/**
 * Cache of durable rows, so that most reads need no database. Only one connection writes, so the cache learns of every
 * change from the commits. A group is a set of commits in one durable transaction. When a group becomes durable,
 * readers begin to see it, and its rows are put into the cache in the same step.
 *
 * `lookAtOthers` calls `clear` if another program has written since the last call. A group calls `lookAtOthers` after
 * it has locked the file. From then on the cache has the same rows as the database, and the checks of the group's
 * commits may use the cache.
 */
export class KnownRows {
  readonly #rows = new Map<string, KnownRow>()
  /** Row that holds each unique key, for the keys by which rows were found. */
  readonly #holders = new Map<string, string>()
  /** Rows that the current group has written or removed. */
  readonly #pending = new Map<string, Pending | undefined>()
  #characters = 0
  /** Whether a group is being written; until it is durable, readers see the state before the group. */
  #isHeld = false
  /**
   * Whether another program wrote while a group was being written. Until the group is durable, readers then see a state
   * before that write.
   */
  #isStale = false
  #isLooked = false

  constructor(private readonly lookAtOthers: () => void) {}

  /**
   * Returns a row from the cache, or otherwise from `statements`, which see the same state as the readers at this
   * moment.
   */
  get<K extends EntityKind>(statements: Statements, kind: K, id: string): Entities[K] | undefined {
    if (!KNOWN.has(kind)) return parsed(statements.entities[kind].body.get(id))
    this.#look()
    const row = rowId(kind, id)
    return this.#valueOf(kind, this.#rows.get(row) ?? this.#read(statements, kind, id, row))
  }

  find<K extends EntityKind>(statements: Statements, kind: K, key: string): Entities[K] | undefined {
    if (KNOWN.has(kind)) {
      this.#look()
      const row = this.#holders.get(key)
      if (row !== undefined)
        return row.startsWith(rowId(kind, '')) ? this.#valueOf(kind, this.#rows.get(row)) : undefined
    }
    const holder = statements.commits.holderOfKey.get(key)
    if (holder?.kind !== kind) return undefined
    const found = this.get(statements, kind, holder.id)
    const row = rowId(kind, holder.id)
    const known = this.#rows.get(row)
    if (known !== undefined && !this.#isStale) {
      known.keys.push(key)
      this.#holders.set(key, row)
    }
    return found
  }

  /**
   * Begins a group; no other program can write meanwhile. Until `publish` or `discard`, readers see the state before
   * the group.
   */
  hold(): void {
    this.lookAtOthers()
    this.#isHeld = true
  }

  /** Records a row that the current group writes; `put` is undefined for a row that the group removes. */
  pend(kind: EntityKind, id: string, put: Pending | undefined): void {
    if (KNOWN.has(kind)) this.#pending.set(rowId(kind, id), put)
  }

  /** Returns the version of a row within the current group; undefined when only the database knows it. */
  versionInGroup(kind: EntityKind, id: string): number | 'absent' | undefined {
    if (!SHARED.has(kind)) return undefined
    const row = rowId(kind, id)
    if (this.#pending.has(row)) return this.#pending.get(row)?.version ?? 'absent'
    return (this.#valueOf(kind, this.#rows.get(row)) as { readonly version: number } | undefined)?.version
  }

  /** Publishes the rows of the durable group to readers. */
  publish(): void {
    for (const [row, put] of this.#pending) {
      this.#drop(row)
      // If another program wrote meanwhile, it may have overwritten the row.
      if (put !== undefined && !this.#isStale) this.#keep(row, put.text)
    }
    this.#release()
  }

  /** Discards the rows of a group that was rolled back. */
  discard(): void {
    this.#release()
  }

  clear(): void {
    this.#rows.clear()
    this.#holders.clear()
    this.#characters = 0
    if (this.#isHeld) this.#isStale = true
  }

  /**
   * Checks for other programs' writes once per turn of the event loop. A caller that learns of such a write calls in a
   * later turn of the event loop.
   */
  #look(): void {
    if (this.#isLooked) return
    this.#isLooked = true
    process.nextTick(this.#forgetLook)
    this.lookAtOthers()
  }

  readonly #forgetLook = () => {
    this.#isLooked = false
  }

  #release(): void {
    this.#pending.clear()
    this.#isHeld = false
    this.#isStale = false
  }

  #read(statements: Statements, kind: EntityKind, id: string, row: string): KnownRow | undefined {
    const text = statements.entities[kind].body.get(id)
    if (text === undefined) return undefined
    return this.#isStale ? known(text) : this.#keep(row, text)
  }

  #valueOf<K extends EntityKind>(kind: K, row: KnownRow | undefined): Entities[K] | undefined {
    if (row === undefined) return undefined
    if (row.value !== undefined) return row.value as Entities[K]
    const value = parsed(row.text)
    // Values of kinds outside `SHARED` are frozen from the second read on, because freezing costs too much for rows
    // that are written about as often as they are read.
    if (!SHARED.has(kind) && !row.isRead) row.isRead = true
    else row.value = frozen(value)
    return value
  }

  #keep(row: string, text: string): KnownRow {
    const kept = known(text)
    this.#rows.set(row, kept)
    this.#characters += text.length
    for (const oldest of this.#rows.keys()) {
      if (this.#characters <= KNOWN_TEXT) break
      this.#drop(oldest)
    }
    return kept
  }

  #drop(row: string): void {
    const known = this.#rows.get(row)
    if (known === undefined) return
    this.#rows.delete(row)
    this.#characters -= known.text.length
    for (const key of known.keys) this.#holders.delete(key)
  }
}

const known = (text: string): KnownRow => ({ text, value: undefined, isRead: false, keys: [] })
const parsed = (text: string | undefined) => (text === undefined ? undefined : JSON.parse(text))
