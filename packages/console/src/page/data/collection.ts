import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals'

/** Signal with one entity of the service, in the state that the page received last. */
export type Row<T> = ReadonlySignal<T>

export interface CollectionOptions<T> {
  readonly idOf: (thing: T) => string
  /** Compares two entities, for the order of the rows. */
  readonly order: (a: T, b: T) => number
  /** Maximum number of entities; above it, the last entities in `order` are dropped. */
  readonly atMost: number
  /**
   * Returns the version of an entity, if entities of this kind have one. An update with a lower version than the stored
   * entity is ignored.
   */
  readonly versionOf?: (thing: T) => number
}

/**
 * Collection of the entities of one kind. Each entity has its own signal, so that a change redraws one row and not the
 * table. Changes are collected until the next frame and applied together: 200 changes in one second cause at most 60
 * updates of the screen.
 */
export class Collection<T> {
  private readonly things = new Map<string, Signal<T>>()
  private readonly pending = new Map<string, T | undefined>()
  /** Ids of the entities that the feed has changed since the last read of the lists began. */
  private readonly told = new Set<string>()
  private readonly seen = new Set<string>()
  private frame = 0
  private readonly shown = signal<readonly Row<T>[]>([])
  private readonly revised = signal(0)

  constructor(private readonly options: CollectionOptions<T>) {}

  /** Rows in order. The array is replaced only when rows are added or removed. */
  get rows(): ReadonlySignal<readonly Row<T>[]> {
    return this.shown
  }

  /** Number that grows with each applied batch of changes. A view that counts all entities depends on this number. */
  get revision(): ReadonlySignal<number> {
    return this.revised
  }

  get(id: string): T | undefined {
    return this.pending.get(id) ?? this.things.get(id)?.value
  }

  /** Returns all entities in order. A signal that reads them depends on the list, not on changes of each entity. */
  all(): T[] {
    return this.shown.value.map((row) => row.peek())
  }

  /** Stores an entity that the feed reported. */
  put(thing: T): void {
    const id = this.options.idOf(thing)
    this.told.add(id)
    this.change(id, thing)
  }

  /** Removes an entity whose deletion the feed reported. */
  remove(id: string): void {
    this.told.add(id)
    this.change(id, undefined)
  }

  /** Starts a read of the lists. Entities that the feed reports from now on are newer than the lists. */
  startReading(): void {
    this.told.clear()
    this.seen.clear()
  }

  /** Stores an entity from a list, unless the feed has reported it since the read began. */
  putRead(thing: T): void {
    const id = this.options.idOf(thing)
    this.seen.add(id)
    if (!this.told.has(id)) this.change(id, thing)
  }

  /** Ends a complete read. Entities that neither the lists nor the feed reported since its start are removed. */
  endReading(): void {
    for (const id of this.things.keys()) if (!this.seen.has(id) && !this.told.has(id)) this.change(id, undefined)
    this.seen.clear()
  }

  private change(id: string, thing: T | undefined): void {
    const { versionOf } = this.options
    const known = this.pending.has(id) ? this.pending.get(id) : this.things.get(id)?.peek()
    if (thing !== undefined && known !== undefined && versionOf !== undefined && versionOf(thing) < versionOf(known))
      return
    this.pending.set(id, thing)
    if (this.frame === 0) this.frame = later(() => this.flush())
  }

  private flush(): void {
    this.frame = 0
    const { order, atMost } = this.options
    batch(() => {
      const came: Row<T>[] = []
      let went = false
      for (const [id, thing] of this.pending) {
        const known = this.things.get(id)
        if (thing === undefined) went = this.things.delete(id) || went
        else if (known !== undefined) known.value = thing
        else {
          const made = signal(thing)
          this.things.set(id, made)
          came.push(made)
        }
      }
      this.pending.clear()
      if (came.length > 0 || went) this.shown.value = this.ordered(came, order, atMost)
      this.revised.value++
    })
  }

  /**
   * Returns the rows in order. The list may be long, and few rows are added at a time. Therefore only the added rows
   * are sorted, and then merged into the list.
   */
  private ordered(came: Row<T>[], order: (a: T, b: T) => number, atMost: number): readonly Row<T>[] {
    const by = (a: Row<T>, b: Row<T>) => order(a.peek(), b.peek())
    const { idOf } = this.options
    const stay = this.shown.peek().filter((row) => this.things.get(idOf(row.peek())) === row)
    came.sort(by)
    const merged: Row<T>[] = []
    let next = 0
    for (const row of stay) {
      for (let fresh = came[next]; fresh !== undefined && by(fresh, row) < 0; fresh = came[++next]) merged.push(fresh)
      merged.push(row)
    }
    merged.push(...came.slice(next))
    for (const row of merged.splice(atMost)) this.things.delete(idOf(row.peek()))
    return merged
  }
}

/** Runs the flush at the next frame. A hidden page gets no frames and uses a timeout of 250 milliseconds. */
const later = (run: () => void): number =>
  document.visibilityState === 'hidden' ? window.setTimeout(run, 250) : requestAnimationFrame(run)
