import type { Lobby } from '@matchyard/core'
import type { History, Snapshot } from './snapshot'

/** What an invariant looks at: everything as it is now, as it was one step before, and what was told. */
export interface View {
  readonly now: Snapshot
  /** Undefined at the first look. */
  readonly before: Snapshot | undefined
  readonly history: History
  /** Lobbies as calls answered them, since the last look. */
  readonly answers: readonly Lobby[]
}

/** What is wrong, as sentences; nothing when it holds. */
export type Invariant = (view: View) => string[]

/** The items of which more than one has the same key, by that key. */
export function twice<T>(items: Iterable<T>, key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item])
  for (const [name, group] of groups) if (group.length < 2) groups.delete(name)
  return groups
}

const texts = new WeakMap<object, string>()

/** What a thing holds, as text, to compare it by. Nothing here is ever changed, so it is written once. */
export function textOf(thing: object): string {
  const text = texts.get(thing) ?? JSON.stringify(thing)
  texts.set(thing, text)
  return text
}
