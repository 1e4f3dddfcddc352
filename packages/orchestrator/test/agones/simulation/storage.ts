import type { Commit, Storage } from '@matchyard/core/ports'
import { type Life, never } from './life'

type Call = (...args: never[]) => Promise<unknown>

export interface StorageSurroundings {
  /** Where the life may end. */
  readonly point: (life: Life, where: string) => void
  /** Hears of every commit that was applied, before whoever made it. */
  readonly committed: (commit: Commit) => void
}

/** A storage that never fails, for a service that may die before and after each of its commits. */
export function mortalStorage(raw: Storage, life: Life, { point, committed }: StorageSurroundings): Storage {
  const mortal =
    (run: Call): Call =>
    async (...args) => {
      if (!life.alive) return never()
      const result = await run(...args)
      return life.alive ? result : never()
    }
  const wrapped = wrap(raw, mortal) as unknown as Storage
  return {
    ...wrapped,
    async commit(change) {
      point(life, 'before a commit')
      if (!life.alive) return never()
      const result = await raw.commit(change)
      if (result.ok) committed(change)
      point(life, 'after a commit')
      return life.alive ? result : never()
    },
    subscribe: (listener) => raw.subscribe((signal) => life.alive && listener(signal)),
  }
}

/** Every function, and those of its groups. */
const wrap = (group: object, around: (run: Call) => Call): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(group).map(([name, member]) => {
      if (typeof member === 'function') return [name, around(member.bind(group))]
      return [name, typeof member === 'object' && member !== null ? wrap(member, around) : member]
    }),
  )
