/** One operation as its caller observed it: the call and its answer, with their times. */
export interface Operation<Call, Answer> {
  readonly call: Call
  readonly calledAt: number
  /**
   * The answer; undefined when no answer arrived. The operation may then take effect at any time after the call, or
   * never.
   */
  readonly answered?: { readonly at: number; readonly answer: Answer } | undefined
}

/** The behaviour of a system that keeps a single copy of the data and executes one operation at a time. */
export interface SequentialModel<State, Call, Answer> {
  readonly initial: State
  /**
   * Returns the state after the call; undefined when a system with a single copy would not give this answer. When the
   * answer is missing, the call could have had any answer.
   */
  step(state: State, call: Call, answer: Answer | undefined): State | undefined
  /** Returns a text for a state; equal states have equal texts. */
  keyOf(state: State): string
}

export interface Verdict {
  readonly linearizable: boolean
  /**
   * The longest sequence of operations, as indices, that could have happened in this order. No order explains the
   * operations that are left.
   */
  readonly explained: readonly number[]
}

/**
 * Most configurations (a state together with the finished operations) that the search examines. Then it throws; split
 * longer histories into smaller histories.
 */
const MAX_CONFIGURATIONS = 500_000

/**
 * Whether the operations could have happened one at a time, each at some time between its call and its answer, with the
 * given answers (Herlihy and Wing 1990). The function uses the search of Wing and Gong (1993), and examines the same
 * state after the same operations only once (Lowe 2017). Throws when the search exceeds its limit.
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
    // Only an operation that was called before the first answer among the remaining operations can be the next one.
    const open = order.filter((index) => !done.has(index))
    const firstEnd = Math.min(...open.map((index) => endOf(history[index])))
    for (const index of open) {
      const operation = history[index]
      if (operation === undefined || operation.calledAt > firstEnd) continue
      const next = model.step(state, operation.call, operation.answered?.answer)
      if (next === undefined) continue
      // The search tries an operation without an answer only when the operation changes the state. Otherwise the
      // operation explains no answer of another operation.
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
