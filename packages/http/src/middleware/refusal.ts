import { SILENT_LOGGER } from '@matchyard/core/ports'
import type { Answer } from '../exchange/answer'
import { problemAnswer } from '../problem'
import { tooMuchToDo } from './admission'

const REQUEST = 'req_of_whoever_asks'

/** By the seconds after which to come again: what of an answer is the same for all. */
const prepared = new Map<number, Answer & { readonly around: readonly string[] }>()

/** The answer to a call that was not begun, as `problemAnswer` makes it: made once, for whoever is refused is one of very many. */
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
