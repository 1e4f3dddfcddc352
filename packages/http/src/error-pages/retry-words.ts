import type { ErrorRetry } from '@matchyard/core'

/** Advice about sending a refused request again: a short form for tables, and a long form. */
export const RETRY_WORDS: Readonly<Record<ErrorRetry, { readonly short: string; readonly long: string }>> = {
  'in-vain': {
    short: 'no',
    long: 'No. The same request is refused again, however often it is sent: change it, or what it stands on, first.',
  },
  'when-changed': {
    short: 'once something has changed',
    long: 'Not in a loop. Read the thing again, or wait for its next event, and call once its state allows it.',
  },
  'after-a-pause': {
    short: 'yes, after `retry-after`',
    long: 'Yes. Wait as many seconds as `retry-after` says and a random part more, so that clients do not come back all together. Send a change with the same `idempotency-key`: a completed change then returns its answer again and is not repeated. The clients of Matchyard do this by themselves.',
  },
  'at-once': {
    short: 'yes, shortly',
    long: 'Yes, after a few tens of milliseconds, longer each time, with the same `idempotency-key`. The clients of Matchyard do this by themselves.',
  },
  'in-time': {
    short: 'not before `retry-after`',
    long: 'Once the seconds of `retry-after` are over, and not before: until then the answer stays the same.',
  },
  'in-doubt': {
    short: 'once, with the same `idempotency-key`',
    long: 'Once, and a change only with the same `idempotency-key`: whether it was made is not known, and with the key it is not made twice. If the answer stays the same, sending it again does not help.',
  },
  'never-answered': {
    short: 'it is no answer',
    long: 'No call is answered with it, so there is nothing to send again.',
  },
}
