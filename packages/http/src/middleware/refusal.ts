import { SILENT_LOGGER } from '@matchyard/core/ports'
import type { Answer } from '../exchange/answer'
import { problemAnswer } from '../problem'
import { tooMuchToDo } from './admission'

const REQUEST = 'req_of_whoever_asks'

/**
 * Prepared answers, by the number of seconds in `retry-after`. `around` has the parts of the body before and after the
 * request id.
 */
const prepared = new Map<number, Answer & { readonly around: readonly string[] }>()

/**
 * Returns the answer to a refused call, with the same content as `problemAnswer`. Its text is prepared once, because
 * many calls are refused.
 */
export function refusalOf(retryAfterSeconds: number, requestId: string, headers: Record<string, string>): Answer {
  const { status, headers: own, around } = prepared.get(retryAfterSeconds) ?? prepare(retryAfterSeconds)
  return { status, headers: Object.assign(headers, own, { 'x-request-id': requestId }), body: around.join(requestId) }
}

function prepare(retryAfterSeconds: number): Answer & { readonly around: readonly string[] } {
  const answer = problemAnswer(tooMuchToDo(retryAfterSeconds), REQUEST, {}, SILENT_LOGGER)
  const made = { ...answer, around: (answer.body ?? '').split(REQUEST) }
  prepared.set(retryAfterSeconds, made)
  return made
}
