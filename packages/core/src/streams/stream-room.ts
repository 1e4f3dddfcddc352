import { unavailableInsteadOf } from '../commit/transact'
import { type PlaceHolder, Places, type StreamPlace } from './places'
import type { StreamLimits } from './stream-limits'
import { WaitingBytes } from './waiting-bytes'

/**
 * The places of a node (each place is the right to have one stream or waiting call), and the bytes that wait for the readers of all its
 * streams.
 */
export class StreamRoom {
  readonly places: Places
  readonly waiting: WaitingBytes

  constructor(limits: StreamLimits) {
    this.places = new Places(limits)
    this.waiting = new WaitingBytes(limits)
  }

  /**
   * Opens a stream in a place that its caller takes. The place is taken, and `turn` is awaited, before anything is read. When opening
   * fails, the place is released. A stream that was already open then ends, because it has no reader. Throws UNAVAILABLE, and the errors of
   * `open`.
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
