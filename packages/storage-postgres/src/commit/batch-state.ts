import type { EntityKind } from '@matchyard/core/ports'
import type { ColumnValue } from '../tables'
import type { PreparedCommit, PreparedForm } from './prepared'

/** One entity of a batch: its row when the batch locked it, and its value after the commits of the batch so far. */
export interface RowState {
  readonly kind: EntityKind
  readonly id: string
  /** The stored row; absent when the row did not exist. */
  readonly before: { readonly version: number; readonly counted: readonly ColumnValue[] } | undefined
  readonly now: PreparedForm | undefined
  /** Instant of the last commit of the batch that wrote the entity. */
  readonly at: number
}

/**
 * State against which the commits of a batch are checked: the rows, keys and counters that the transaction locked and
 * read, with the changes of the commits accepted so far. The commits are checked in their order, and each commit sees
 * the changes of the commits before it. At the end, the batch writes only the difference between the first and the last
 * state.
 */
export class BatchState {
  readonly #found = new Map<string, NonNullable<RowState['before']>>()
  readonly rows = new Map<string, RowState>()
  readonly keysBefore = new Map<string, string>()
  /** Name of the entity that holds each unique key, by key. */
  readonly keys = new Map<string, string>()
  /** Unique keys that each entity holds, by the entity's name. */
  readonly #keysOf = new Map<string, Set<string>>()
  readonly #counters = new Map<string, number>()
  /** Sum that the accepted commits add to each counter. */
  readonly added = new Map<string, number>()
  readonly #applied = new Set<string>()
  readonly accepted: PreparedCommit[] = []

  found(name: string, version: number, counted: readonly ColumnValue[]): void {
    this.#found.set(name, { version, counted })
  }

  foundKey(key: string, holder: string): void {
    this.keysBefore.set(key, holder)
    this.hold(key, holder)
  }

  foundCounter(id: string, value: number): void {
    this.#counters.set(id, value)
  }

  foundCommit(id: string): void {
    this.#applied.add(id)
  }

  isApplied(id: string): boolean {
    return this.#applied.has(id)
  }

  version(name: string): number | 'absent' {
    const row = this.rows.get(name)
    if (row !== undefined) return row.now?.version ?? 'absent'
    return this.#found.get(name)?.version ?? 'absent'
  }

  keysHeldBy(name: string): ReadonlySet<string> {
    return this.#keysOf.get(name) ?? new Set()
  }

  /**
   * Returns the current value of a counter. The value is known only if at least one commit of the batch has a limit for
   * a counter.
   */
  counter(id: string): number {
    return (this.#counters.get(id) ?? 0) + (this.added.get(id) ?? 0)
  }

  write(name: string, kind: EntityKind, id: string, now: PreparedForm | undefined, at: number): void {
    this.rows.set(name, { kind, id, before: this.#found.get(name), now, at })
  }

  free(key: string): void {
    const holder = this.keys.get(key)
    if (holder !== undefined) this.#keysOf.get(holder)?.delete(key)
    this.keys.delete(key)
  }

  hold(key: string, holder: string): void {
    this.keys.set(key, holder)
    const held = this.#keysOf.get(holder) ?? new Set()
    this.#keysOf.set(holder, held.add(key))
  }

  add(id: string, amount: number): void {
    this.added.set(id, (this.added.get(id) ?? 0) + amount)
  }

  accept(commit: PreparedCommit): void {
    this.#applied.add(commit.id)
    this.accepted.push(commit)
  }
}
