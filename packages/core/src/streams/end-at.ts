import type { Context } from '../context/context'
import type { Instant } from '../shared/time'
import type { EventStream } from './event-stream'

/** Ends a stream at an instant, unless it has ended before. */
export function endAt(
  { timers, clock }: Pick<Context, 'timers' | 'clock'>,
  stream: Pick<EventStream<unknown>, 'onEnd' | 'close'>,
  until: Instant | undefined,
): void {
  if (until === undefined) return
  stream.onEnd(timers.after(Math.max(0, until - clock.now()), () => stream.close()))
}
