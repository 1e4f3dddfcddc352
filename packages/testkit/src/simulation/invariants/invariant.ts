import type { Lobby } from '@matchyard/core'
import type { History, Snapshot } from './snapshot'

/** Data that an invariant checks: the snapshot of this step, the snapshot of the step before, and the stream events. */
export interface View {
  readonly now: Snapshot
  /** Snapshot of the step before; undefined at the first check. */
  readonly before: Snapshot | undefined
  readonly history: History
  /** Lobbies that calls have returned since the last check. */
  readonly answers: readonly Lobby[]
}

/** Returns the violations as sentences; empty when the invariant holds. */
export type Invariant = (view: View) => string[]

/** Returns the groups of items with the same key, by key. Groups of a single item are left out. */
export function twice<T>(items: Iterable<T>, key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item])
  for (const [name, group] of groups) if (group.length < 2) groups.delete(name)
  return groups
}

const texts = new WeakMap<object, string>()

/** Returns the content of an object as text, for comparison. The objects are never changed, so the text is cached. */
export function textOf(thing: object): string {
  const text = texts.get(thing) ?? JSON.stringify(thing)
  texts.set(thing, text)
  return text
}
