import type { CallOptions } from '../../commit/call-options'
import type { HashTurn } from '../../ports/passwords'

/**
 * Returns the waiting line of a password hash for a call that needs no credentials. A call without an origin comes from the embedding
 * application.
 */
export function turnOf(line: 'sign-in' | 'registration', call: CallOptions | undefined): HashTurn {
  const { from } = call ?? {}
  if (from === undefined) return { line }
  return { line: line === 'sign-in' && from.isReturning === true ? 'returning' : line, from: from.address }
}
