import type { Commit } from '@matchyard/core/ports'
import { emptyMemoryData, memoryStorage } from '@matchyard/storage-memory'
import type { SimulationOptions } from '../../src/simulation/index'

/** Returns whether a commit counts the first result of a match, or an amended one; undefined for a commit that changes no rating by a result. */
function kindOf({ writes }: Commit): 'first' | 'amended' | undefined {
  if (!writes.some(({ kind }) => kind === 'standing')) return undefined
  const [result] = writes.flatMap((write) => (write.kind === 'match' && 'put' in write ? [write.put.result] : []))
  return result && (result.amendedAt === null ? 'first' : 'amended')
}

/** Counts the commits of results that change a rating, over several runs with the same `options`. */
export class ResultTally {
  /** Numbers of runs, and of the commits that the store applied. */
  readonly applied = { runs: 0, first: 0, amended: 0 }
  /** Number of commits that were refused, because another commit had changed the same data. */
  raced = 0
  /** Number of applied commits whose answer reached the node. */
  private answered = 0

  /** Number of applied commits whose answer did not reach the node, because the node crashed or its connection broke. */
  get lost(): number {
    return this.applied.first + this.applied.amended - this.answered
  }

  get text(): string {
    const { applied, raced, lost } = this
    return `${applied.runs} runs: ${applied.first} results, ${applied.amended} amendments, ${raced} raced, ${lost} lost`
  }

  /** Options of the runs: a store in memory that counts, and nodes that count the answers of the store. */
  readonly options: Pick<SimulationOptions, 'store' | 'spoil'> = {
    store: () => {
      this.applied.runs++
      const data = emptyMemoryData()
      return () => {
        const storage = memoryStorage({ data })
        return { ...storage, commit: async (change) => this.noted(change, await storage.commit(change)) }
      }
    },
    spoil: ({ storage }) => ({
      storage: {
        ...storage,
        commit: async (change) => {
          const result = await storage.commit(change)
          if (result.ok && kindOf(change) !== undefined) this.answered++
          return result
        },
      },
    }),
  }

  private noted<R extends { readonly ok: boolean }>(change: Commit, result: R): R {
    const kind = kindOf(change)
    if (kind !== undefined && result.ok) this.applied[kind]++
    if (kind !== undefined && !result.ok) this.raced++
    return result
  }
}
