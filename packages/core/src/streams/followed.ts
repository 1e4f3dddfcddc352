import { OneAtATime } from './one-at-a-time'
import type { PulledStream } from './pulled-stream'
import type { WaitingBytes } from './waiting-bytes'

/** One thing that streams of this node follow: read once for all of them, one reading at a time. */
export abstract class Followed<Stream extends PulledStream<unknown>> extends OneAtATime {
  /** What waits for the readers of this node. */
  abstract readonly waiting: WaitingBytes
  readonly streams = new Set<Stream>()

  constructor(readonly id: string) {
    super()
  }

  closeAll(): void {
    for (const stream of [...this.streams]) stream.close()
  }
}
