import { type Entities, type EntityKind, frozen } from '@matchyard/core/ports'
import type { Statements } from '../statements/index'

/** Characters of JSON that are kept, at most; the oldest go first. */
export const KNOWN_TEXT = 16 * 1024 * 1024

/** Read by nearly every call and written by few: one value that cannot be changed is given to all. Of others that is so from the second reading on. */
const SHARED: ReadonlySet<EntityKind> = new Set<EntityKind>(['account', 'project', 'api-key', 'session', 'queue'])

/** What calls read again and again, and nothing but commits writes. */
const KNOWN: ReadonlySet<EntityKind> = new Set<EntityKind>([...SHARED, 'lobby', 'match', 'server', 'webhook'])

/** What a group puts in a row's place. */
interface Pending {
  readonly text: string
  readonly version: number
}

interface KnownRow {
  readonly text: string
  /** What all readers are given, once there is one. */
  value: unknown
  isRead: boolean
  /** Unique keys by which it was found. */
  readonly keys: string[]
}

const rowId = (kind: EntityKind, id: string) => `${kind} ${id}`

/**
 * Rows as they are on the disk, so that most reads ask no database. One connection writes, so its commits say all that changes: a group
 * is published here with its durability, in the step in which readers come to see it. `lookAtOthers` calls
 * `clear` where another program has written since it was last called. A group looks once it holds the file for itself: from then on what
 * is known here is what its database holds, and the checks of its commits may be judged by it.
 */
export class KnownRows {
  readonly #rows = new Map<string, KnownRow>()
  /** Unique key to the row that was found by it. */
  readonly #holders = new Map<string, string>()
  /** What the group on its way has put or removed. */
  readonly #pending = new Map<string, Pending | undefined>()
  #characters = 0
  /** A group is on its way: readers see what was before it. */
  #isHeld = false
  /** Another program wrote while a group is on its way: what readers see until it is durable is older than that. */
  #isStale = false
  #isLooked = false

  constructor(private readonly lookAtOthers: () => void) {}

  /** As the statements tell it, which are those of the view that readers have at this moment. */
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

  /** A group begins, and nobody else can write: until it is published or discarded, readers see what was before it. */
  hold(): void {
    this.lookAtOthers()
    this.#isHeld = true
  }

  /** Of the group that is being written: undefined where the row is removed. */
  pend(kind: EntityKind, id: string, put: Pending | undefined): void {
    if (KNOWN.has(kind)) this.#pending.set(rowId(kind, id), put)
  }

  /** The version of a row for the group that is being written; undefined where the database must be asked. */
  versionInGroup(kind: EntityKind, id: string): number | 'absent' | undefined {
    if (!SHARED.has(kind)) return undefined
    const row = rowId(kind, id)
    if (this.#pending.has(row)) return this.#pending.get(row)?.version ?? 'absent'
    return (this.#valueOf(kind, this.#rows.get(row)) as { readonly version: number } | undefined)?.version
  }

  /** What the group wrote is durable, and readers see it from now on. */
  publish(): void {
    for (const [row, put] of this.#pending) {
      this.#drop(row)
      // Another program may have written over it.
      if (put !== undefined && !this.#isStale) this.#keep(row, put.text)
    }
    this.#release()
  }

  /** The group was undone. */
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
   * Once for all that the loop runs through before it comes to its next event: what is asked for later, by somebody who may know of
   * another program's write, comes with an event of its own.
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
    // What is written about as often as it is read is not worth the freezing.
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
