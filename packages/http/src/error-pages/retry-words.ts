import type { ErrorRetry } from '@matchyard/core'

/** Advice about repeating a refused request: a short form for tables, and a long form. */
export const RETRY_WORDS: Readonly<Record<ErrorRetry, { readonly short: string; readonly long: string }>> = {
  'in-vain': {
    short: 'no',
    long: 'No. The same request is refused again. Change the request, or the objects that it names, first.',
  },
  'when-changed': {
    short: 'once something has changed',
    long: 'Not in a loop. Read the object again, or wait for its next event, and repeat the request when the state of the object allows it.',
  },
  'after-a-pause': {
    short: 'yes, after `retry-after`',
    long: 'Yes. Wait the seconds in `retry-after` and a random time more, so that clients do not repeat their requests at the same moment. Send a change with the same `idempotency-key`: a completed change then returns its answer again and is not repeated. The clients of Matchyard do this.',
  },
  'at-once': {
    short: 'yes, shortly',
    long: 'Yes, after some tens of milliseconds, after a longer pause each time, and with the same `idempotency-key`. The clients of Matchyard do this.',
  },
  'in-time': {
    short: 'not before `retry-after`',
    long: 'After the seconds in `retry-after`. Until then the answer stays the same.',
  },
  'in-doubt': {
    short: 'once, with the same `idempotency-key`',
    long: 'Once, and a change only with the same `idempotency-key`: it is not known whether the change was made, and with the key it is not made twice. If the answer stays the same, another repetition does not help.',
  },
  'never-answered': {
    short: 'no call has this error',
    long: 'No call is answered with this error, so there is no request to repeat.',
  },
}
