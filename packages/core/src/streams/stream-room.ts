import { unavailableInsteadOf } from '../commit/transact'
import { type PlaceHolder, Places, type StreamPlace } from './places'
import type { StreamLimits } from './stream-limits'
import { WaitingBytes } from './waiting-bytes'

/** Places (the right to hold one stream or waiting call) and waiting bytes of all streams of a node. */
export class StreamRoom {
  readonly places: Places
  readonly waiting: WaitingBytes

  constructor(limits: StreamLimits) {
    this.places = new Places(limits)
    this.waiting = new WaitingBytes(limits)
  }

  /**
   * Opens a stream in a place of its holder. The place is taken, and `turn` is awaited, before anything is read. When opening fails, the
   * place is released. A stream that was already open then ends, because it has no reader. Throws UNAVAILABLE, and the errors of `open`.
   */
  open<Stream>(
    holder: PlaceHolder,
    turn: (() => Promise<void>) | undefined,
    open: (place: StreamPlace) => Promise<Stream>,
  ): Promise<Stream> {
    return unavailableInsteadOf(async () => {
      const place = this.places.take(holder)
      try {
        await turn?.()
        return await open(place)
      } catch (error) {
        place.end()
        place.release()
        throw error
      }
    })
  }
}
