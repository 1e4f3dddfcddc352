import type { CallOptions } from '../../commit/call-options'
import type { HashTurn } from '../../ports/passwords'

/** The turn of a call that anybody can make. One that says nothing of where it came from is a call of the embedder's own. */
export function turnOf(line: 'sign-in' | 'registration', call: CallOptions | undefined): HashTurn {
  const { from } = call ?? {}
  if (from === undefined) return { line }
  return { line: line === 'sign-in' && from.isReturning === true ? 'returning' : line, from: from.address }
}
