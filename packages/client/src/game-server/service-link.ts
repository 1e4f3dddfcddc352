import type { Configuration } from './configuration'
import { isMatchyardError } from './error'
import { followEvents } from './follow-events'
import type { Link, WireBackfill, WireSeat } from './link'
import { ServiceApi } from './service-api'

const BEAT_EVERY_MS = 10_000
/**
 * Milliseconds within which the end of the match must be reported. The exit of the process with code 0 has the same
 * effect later.
 */
const SHUTDOWN_MS = 5_000

/** Returns the link to the service that launched this server. */
export function serviceLink(configuration: Configuration): Link {
  const api = new ServiceApi(configuration)
  const ended = new AbortController()
  const post = async (path: string, signal?: AbortSignal) => {
    await api.call<void>({ method: 'POST', path, signal })
  }
  return {
    open(hearing, version) {
      void followEvents(api, { ...hearing, version, signal: ended.signal })
      const beating = setInterval(() => void api.beat(), BEAT_EVERY_MS).unref()
      ended.signal.addEventListener('abort', () => clearInterval(beating), { once: true })
    },
    ready: (signal) => post('ready', signal),
    playerLeft: (playerId, { excused = false, signal }) =>
      api.call({
        method: 'DELETE',
        path: `players/${encodeURIComponent(playerId)}${excused ? '?excused=true' : ''}`,
        signal,
      }),
    backfill: (body, signal) => api.call<WireBackfill>({ method: 'POST', path: 'backfill', body, signal }),
    async cancelBackfill(signal) {
      try {
        await api.call<void>({ method: 'DELETE', path: 'backfill', signal })
      } catch (error) {
        // The error means that no request exists, and that is the state that the caller wants.
        if (!isMatchyardError(error, 'BACKFILL_NOT_FOUND')) throw error
      }
    },
    keepSeat: (body, signal) => api.call<WireSeat>({ method: 'POST', path: 'seats', body, signal }),
    async freeSeat(playerId, signal) {
      try {
        await api.call<void>({ method: 'DELETE', path: `seats/${encodeURIComponent(playerId)}`, signal })
      } catch (error) {
        if (!isMatchyardError(error, 'SEAT_NOT_FOUND')) throw error
      }
    },
    async result(body, signal) {
      await api.call<unknown>({ method: 'POST', path: 'result', body, signal })
    },
    close: (signal) => post('close', signal),
    async shutdown() {
      const patience = AbortSignal.timeout(SHUTDOWN_MS)
      await post('shutdown', patience).catch((error: unknown) => {
        // If the service does not answer, or has ended the server already, it notices the end of the match when the
        // process exits.
        if (!patience.aborted && !isMatchyardError(error, 'INVALID_SERVER_STATE')) throw error
      })
    },
    release: () => ended.abort(),
  }
}
