/** One operation as its caller saw it. */
export interface Operation<Call, Answer> {
  readonly call: Call
  readonly calledAt: number
  /** Undefined where no answer came: it may take effect at any time after the call, or never. */
  readonly answered?: { readonly at: number; readonly answer: Answer } | undefined
}

/** What a single copy of the thing does, one operation at a time. */
export interface SequentialModel<State, Call, Answer> {
  readonly initial: State
  /** The state after the call; undefined where the single copy would not give this answer. Without an answer any will do. */
  step(state: State, call: Call, answer: Answer | undefined): State | undefined
  /** Equal for equal states. */
  keyOf(state: State): string
}

export interface Verdict {
  readonly linearizable: boolean
  /** The longest run of operations, by index, that could have happened in this order: what follows it is what cannot be explained. */
  readonly explained: readonly number[]
}

/** Configurations looked at before the search gives up: a history that needs more is cut too coarsely. */
const MAX_CONFIGURATIONS = 500_000

/**
 * Whether the operations could have happened one at a time, each at some instant between its call and its answer, with the answers
 * that were given (Herlihy and Wing 1990). The search is the one of Wing and Gong (1993), which never looks twice at the same
 * state after the same operations (Lowe 2017). Throws where it takes too long to tell.
 */
export function checkLinearizable<State, Call, Answer>(
  model: SequentialModel<State, Call, Answer>,
  history: readonly Operation<Call, Answer>[],
): Verdict {
  const order = history.map((_, index) => index).sort((a, b) => endOf(history[a]) - endOf(history[b]))
  const answeredCount = history.filter(({ answered }) => answered !== undefined).length
  const looked = new Set<string>()
  const done = new Set<number>()
  const path: number[] = []
  let explained: readonly number[] = []

  const search = (state: State, answeredDone: number): boolean => {
    if (path.length > explained.length) explained = [...path]
    if (answeredDone === answeredCount) return true
    const configuration = `${model.keyOf(state)}|${[...done].sort((a, b) => a - b).join()}`
    if (looked.has(configuration)) return false
    if (looked.size >= MAX_CONFIGURATIONS) throw new Error('the history is too concurrent to be checked')
    looked.add(configuration)
    // Whatever is next was called before the first of the others was answered.
    const open = order.filter((index) => !done.has(index))
    const firstEnd = Math.min(...open.map((index) => endOf(history[index])))
    for (const index of open) {
      const operation = history[index]
      if (operation === undefined || operation.calledAt > firstEnd) continue
      const next = model.step(state, operation.call, operation.answered?.answer)
      if (next === undefined) continue
      // One that nobody heard of and that changes nothing explains nothing.
      if (operation.answered === undefined && model.keyOf(next) === model.keyOf(state)) continue
      done.add(index)
      path.push(index)
      if (search(next, answeredDone + (operation.answered === undefined ? 0 : 1))) return true
      path.pop()
      done.delete(index)
    }
    return false
  }
  return { linearizable: search(model.initial, 0), explained }
}

const endOf = (operation: Operation<unknown, unknown> | undefined): number =>
  operation?.answered?.at ?? Number.POSITIVE_INFINITY
