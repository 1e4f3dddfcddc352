import type { EndCause } from './end-causes'
import type { ServerEvent } from './events'
import type { GameServer } from './game-server'

/** Returns the cause of a server's end in these events. `before` is the server before the events. */
export function endCauseOf(before: Pick<GameServer, 'status'>, events: readonly ServerEvent[]): EndCause {
  for (const event of events) {
    if (event.type === 'server_stopping') return event.cause
    // The process of the server ended normally, so the match is over.
    if (event.type === 'server_stopped') return 'match_ended'
    if (event.type === 'server_failed')
      return event.cause ?? (before.status === 'launching' ? 'launch_failed' : 'server_failed')
  }
  return 'server_failed'
}

/** Returns the text by which a storage finds the servers of a build that ended for one cause. */
export const endPlace = (buildId: string, cause: EndCause): string => `${buildId}/${cause}`

/** Returns the `endPlace` of a server; null for a server without a build or without a cause of its end. */
export const endPlaceOf = ({ buildId, endReason }: Pick<GameServer, 'buildId' | 'endReason'>): string | null =>
  buildId === null || endReason === undefined ? null : endPlace(buildId, endReason)
