import type { EntityKind } from '@matchyard/core/ports'
import type { ColumnValue } from '../tables'
import type { PreparedCommit, PreparedForm } from './prepared'

/** One entity as it was when the batch locked it, and as the commits of the batch have left it so far. */
export interface RowState {
  readonly kind: EntityKind
  readonly id: string
  /** Absent where there was no row. */
  readonly before: { readonly version: number; readonly counted: readonly ColumnValue[] } | undefined
  readonly now: PreparedForm | undefined
  /** The instant of the last commit that wrote it. */
  readonly at: number
}

/**
 * What a batch of commits is judged by: the rows, keys and counters that the transaction has locked and read, and on top of
 * them what those commits of the batch that were accepted have changed. Commits of one batch are judged in their order, each
 * seeing the ones before it; what is written in the end is the difference between before and after.
 */
export class BatchState {
  readonly #found = new Map<string, NonNullable<RowState['before']>>()
  readonly rows = new Map<string, RowState>()
  readonly keysBefore = new Map<string, string>()
  /** Key → name of its holder. */
  readonly keys = new Map<string, string>()
  /** Name of a holder → its keys. */
  readonly #keysOf = new Map<string, Set<string>>()
  readonly #counters = new Map<string, number>()
  /** What the accepted commits add. */
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

  /** Known for the counters of a batch in which any has a limit. */
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
