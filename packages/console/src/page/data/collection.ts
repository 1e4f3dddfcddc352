import { batch, type ReadonlySignal, type Signal, signal } from '@preact/signals'

/** One thing that the service keeps, as it was told last. */
export type Row<T> = ReadonlySignal<T>

export interface CollectionOptions<T> {
  readonly idOf: (thing: T) => string
  /** Which of two comes first in lists. */
  readonly order: (a: T, b: T) => number
  /** The oldest go where there are more. */
  readonly atMost: number
  /** Versions that only grow, where things have them: an older one is passed over. */
  readonly versionOf?: (thing: T) => number
}

/**
 * Entities of one kind, each a signal of its own, so that a change redraws one row and not the table. Changes are collected until the next
 * frame and applied at once: two hundred changes a second are sixty updates of what is on the screen.
 */
export class Collection<T> {
  private readonly things = new Map<string, Signal<T>>()
  private readonly pending = new Map<string, T | undefined>()
  /** Entities from the feed since the lists began to be read. */
  private readonly told = new Set<string>()
  private readonly seen = new Set<string>()
  private frame = 0
  private readonly shown = signal<readonly Row<T>[]>([])
  private readonly revised = signal(0)

  constructor(private readonly options: CollectionOptions<T>) {}

  /** In order; another list only where something came or went. */
  get rows(): ReadonlySignal<readonly Row<T>[]> {
    return this.shown
  }

  /** Another number whenever anything changed: for what counts over all of them. */
  get revision(): ReadonlySignal<number> {
    return this.revised
  }

  get(id: string): T | undefined {
    return this.pending.get(id) ?? this.things.get(id)?.value
  }

  /** Returns all entities without subscribing to changes. */
  all(): T[] {
    return this.shown.value.map((row) => row.peek())
  }

  /** As the feed tells it. */
  put(thing: T): void {
    const id = this.options.idOf(thing)
    this.told.add(id)
    this.change(id, thing)
  }

  /** As the feed tells it. */
  remove(id: string): void {
    this.told.add(id)
    this.change(id, undefined)
  }

  /** Starts a read of the lists. Entities from the feed are newer than the lists. */
  startReading(): void {
    this.told.clear()
    this.seen.clear()
  }

  /** As a list says. */
  putRead(thing: T): void {
    const id = this.options.idOf(thing)
    this.seen.add(id)
    if (!this.told.has(id)) this.change(id, thing)
  }

  /** Ends a complete read: entities that were not in it are gone. */
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

  /** Lists are long and what came is short: sorted by itself and merged. */
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

/** A page that nobody looks at has no frames, but goes on knowing. */
const later = (run: () => void): number =>
  document.visibilityState === 'hidden' ? window.setTimeout(run, 250) : requestAnimationFrame(run)
