/**
 * Meaning of an endpoint's answer. `taken`: the endpoint accepted the message. `failed`: the attempt failed. `gone`: the endpoint wants no
 * more messages.
 */
export type EndpointAnswer = 'taken' | 'failed' | 'gone'

const GONE = 410

/**
 * Returns the meaning of an HTTP status by the rules of Standard Webhooks: every 2xx status is a success, and a redirect is a failure.
 * null: no answer.
 */
export function answerOf(statusCode: number | null): EndpointAnswer {
  if (statusCode === null) return 'failed'
  if (statusCode === GONE) return 'gone'
  return Math.floor(statusCode / 100) === 2 ? 'taken' : 'failed'
}
