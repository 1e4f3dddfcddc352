/** Meaning of an endpoint's answer. `gone`: the endpoint wants no more messages. */
export type EndpointAnswer = 'taken' | 'failed' | 'gone'

const GONE = 410

/** By the status of HTTP, as Standard Webhooks reads it: any success is one, a redirect is none. */
export function answerOf(statusCode: number | null): EndpointAnswer {
  if (statusCode === null) return 'failed'
  if (statusCode === GONE) return 'gone'
  return Math.floor(statusCode / 100) === 2 ? 'taken' : 'failed'
}
