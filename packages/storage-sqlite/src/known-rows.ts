import type { Entities, EntityKind } from '@matchyard/core/ports'
import type { Statements } from './statements/index'

/** Characters of JSON that are kept, at most; the oldest go first. */
export const KNOWN_TEXT = 16 * 1024 * 1024

/** Read by nearly every call and written by few: one value that cannot be changed is given to all, where others get a copy each. */
const SHARED: ReadonlySet<EntityKind> = new Set<EntityKind>(['account', 'project', 'api-key', 'session', 'queue'])

/** What calls read again and again, and nothing but commits writes. */
const KNOWN: ReadonlySet<EntityKind> = new Set<EntityKind>([...SHARED, 'lobby', 'match', 'server', 'webhook'])

interface KnownRow {
  readonly text: string
  /** Of the shared kinds, once it was read. */
  value: unknown
  /** Unique keys by which it was found. */
  readonly keys: string[]
}

const rowId = (kind: EntityKind, id: string) => `${kind} ${id}`

/**
 * Rows as they are on the disk, so that most reads ask no database. One connection writes, so its commits say all that changes: a group
 * is published here with its durability, in the step in which readers come to see it. `lookAtOthers` calls
 * `clear` where another program has written since it was last called. No commit is judged by what is known here.
 */
export class KnownRows {
  readonly #rows = new Map<string, KnownRow>()
  /** Unique key to the row that was found by it. */
  readonly #holders = new Map<string, string>()
  /** What the group on its way has put (its text) or removed. */
  readonly #pending = new Map<string, string | undefined>()
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

  /** Of the group that is being written: `text` is the row's, undefined where it is removed. */
  pend(kind: EntityKind, id: string, text: string | undefined): void {
    if (KNOWN.has(kind)) this.#pending.set(rowId(kind, id), text)
  }

  /** A group begins: until it is published or discarded, readers see what was before it. */
  hold(): void {
    this.#isHeld = true
  }

  /** What the group wrote is durable, and readers see it from now on. */
  publish(): void {
    for (const [row, text] of this.#pending) {
      this.#drop(row)
      // Another program may have written over it.
      if (text !== undefined && !this.#isStale) this.#keep(row, text)
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
    return this.#isStale ? { text, value: undefined, keys: [] } : this.#keep(row, text)
  }

  #valueOf<K extends EntityKind>(kind: K, row: KnownRow | undefined): Entities[K] | undefined {
    if (row === undefined) return undefined
    if (!SHARED.has(kind)) return parsed(row.text)
    row.value ??= frozen(parsed(row.text))
    return row.value as Entities[K]
  }

  #keep(row: string, text: string): KnownRow {
    const known: KnownRow = { text, value: undefined, keys: [] }
    this.#rows.set(row, known)
    this.#characters += text.length
    for (const oldest of this.#rows.keys()) {
      if (this.#characters <= KNOWN_TEXT) break
      this.#drop(oldest)
    }
    return known
  }

  #drop(row: string): void {
    const known = this.#rows.get(row)
    if (known === undefined) return
    this.#rows.delete(row)
    this.#characters -= known.text.length
    for (const key of known.keys) this.#holders.delete(key)
  }
}

const parsed = (text: string | undefined) => (text === undefined ? undefined : JSON.parse(text))

function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const inner of Object.values(value)) frozen(inner)
  return Object.freeze(value)
}
