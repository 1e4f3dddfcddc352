import { readFileSync } from 'node:fs'
import { DEFAULT_STREAM_LIMITS, type StreamLimits } from '@matchyard/core'
import type { Logger } from '@matchyard/core/ports'
import { MAX_CONNECTIONS } from './connections'

/**
 * Number of files that the process itself has open: modules, log, threads, the database's files, archives that are
 * being unpacked, and outgoing calls.
 */
const OWN_FILES = 64
/**
 * Share of all open files that is left for game servers' logs and for outgoing connections, but at most `MOST_LEFT`
 * files.
 */
const LEFT_SHARE = 1 / 4
const MOST_LEFT = 1_024
/** Maximum share of the connections that event streams may use, so that other calls can always connect. */
const STREAM_SHARE = 5 / 6
const FEWEST_CONNECTIONS = 16
/** Number of connections below which a warning is logged: the limit of open files was probably not raised. */
export const FEW_CONNECTIONS = 3_000

/** Maximum number of connections, and maximum number of event streams among them. */
export interface SocketRoom {
  readonly connections: number
  readonly streams: number
}

/**
 * Returns the number of files that this process may open; undefined when the system does not show it. Node raises the
 * limit to its maximum (`ulimit -Hn`) at its start.
 */
export function openFileLimit(): number | undefined {
  try {
    const text = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return text === undefined ? undefined : text === 'unlimited' ? Number.POSITIVE_INFINITY : Number(text)
  } catch {
    return undefined
  }
}

/**
 * Returns the maximum numbers of connections and event streams for a limit of open files, after subtracting the files
 * of the database's pool and of the process itself.
 */
export function socketRoom(files: number | undefined, poolSize = 0): SocketRoom {
  const room =
    files === undefined ? MAX_CONNECTIONS : files - OWN_FILES - poolSize - Math.min(files * LEFT_SHARE, MOST_LEFT)
  const connections = Math.max(FEWEST_CONNECTIONS, Math.min(MAX_CONNECTIONS, Math.floor(room)))
  return { connections, streams: Math.floor(connections * STREAM_SHARE) }
}

/** Logs a warning when the limit of open files allows fewer than 3,000 connections. */
export function tellRoom({ connections, streams }: SocketRoom, files: number | undefined, logger: Logger): void {
  if (files === undefined || connections >= FEW_CONNECTIONS) return
  logger.warn(
    `this process may open ${files} files: it takes ${connections} connections at once, ${streams} event streams among them; with ulimit -n 65536 (systemd: LimitNOFILE=65536) it takes ${MAX_CONNECTIONS}`,
  )
}

/**
 * Returns the limits of event streams that the available connections allow. If the connections are the bound, one API
 * key has at most half of the streams.
 */
export function streamsWithin({ streams }: SocketRoom): Pick<StreamLimits, 'open' | 'openPerKey'> {
  const { open, openPerKey } = DEFAULT_STREAM_LIMITS
  return { open: Math.min(open, streams), openPerKey: Math.min(openPerKey, Math.ceil(streams / 2)) }
}
