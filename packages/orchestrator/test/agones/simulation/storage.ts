import type { Commit, Storage } from '@matchyard/core/ports'
import { type Life, never } from './life'

type Call = (...args: never[]) => Promise<unknown>

export interface StorageSurroundings {
  /** Called where the life may end. */
  readonly point: (life: Life, where: string) => void
  /** Called for each applied commit, before its caller gets the answer. */
  readonly committed: (commit: Commit) => void
}

/** Returns a storage that never fails, for a service that may die before and after each commit. */
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

/** Returns a copy of a group in which each function is wrapped, also in nested groups. */
const wrap = (group: object, around: (run: Call) => Call): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(group).map(([name, member]) => {
      if (typeof member === 'function') return [name, around(member.bind(group))]
      return [name, typeof member === 'object' && member !== null ? wrap(member, around) : member]
    }),
  )
