import { unavailableInsteadOf } from '../commit/transact'
import { type PlaceHolder, Places, type StreamPlace } from './places'
import type { StreamLimits } from './stream-limits'
import { WaitingBytes } from './waiting-bytes'

/** Shared memory of all streams of a node. */
export class StreamRoom {
  readonly places: Places
  readonly waiting: WaitingBytes

  constructor(limits: StreamLimits) {
    this.places = new Places(limits)
    this.waiting = new WaitingBytes(limits)
  }

  /**
   * Opens a stream in a place of its holder. The place is taken, and its turn waited for, before anything is read; where the opening fails
   * it is given back, and what was opened by then ends, for nobody will read it. Throws UNAVAILABLE, and what `open` throws.
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
