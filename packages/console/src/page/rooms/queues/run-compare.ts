import type { Outcome, QueueJson } from '@matchyard/matchmaking/simulation'
import type { Order, Told } from './compare-worker'

export type { Outcome }

/** A simulation in a worker thread. `stop` ends it at once; `done` then rejects with `Stopped`. */
export interface Run {
  readonly done: Promise<Outcome>
  stop(): void
}

/** Thrown when the rules are not valid; has the faults in the service's words. */
export class WrongRules extends Error {
  constructor(readonly sentences: readonly string[]) {
    super(sentences.join('; '))
  }
}

export class Stopped extends Error {}

export function run(
  name: string,
  queue: QueueJson,
  { other, arrivals, made }: Pick<Order, 'other' | 'arrivals' | 'made'>,
  going: (share: number) => void,
): Run {
  const worker = new Worker(new URL('./compare-worker.ts', import.meta.url), { type: 'module' })
  let stop = () => {}
  const done = new Promise<Outcome>((resolve, reject) => {
    stop = () => reject(new Stopped('stopped'))
    worker.onmessage = ({ data }: MessageEvent<Told>) => {
      if (data.is === 'going') going(data.share)
      else if (data.is === 'done') resolve(data.outcome)
      else reject(new WrongRules(data.sentences))
    }
    worker.onerror = ({ message }) => reject(new Error(message || 'The comparison could not be started.'))
  }).finally(() => worker.terminate())
  done.catch(() => {})
  worker.postMessage({ name, queue, other, arrivals, made } satisfies Order)
  return { done, stop: () => stop() }
}
