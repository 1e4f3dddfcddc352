import { readFileSync } from 'node:fs'
import { DEFAULT_STREAM_LIMITS, type StreamLimits } from '@matchyard/core'
import type { Logger } from '@matchyard/core/ports'
import { MAX_CONNECTIONS } from './connections'

/** Files of the process itself: its modules, its log, its threads, the database's files, archives that are unpacked, calls that it makes. */
const OWN_FILES = 64
/** Share of all files that is left for game servers' logs and for outgoing connections, up to `MOST_LEFT`. */
const LEFT_SHARE = 1 / 4
const MOST_LEFT = 1_024
/** Share of the connections for streams: a call finds a connection beside any number of streams. */
const STREAM_SHARE = 5 / 6
const FEWEST_CONNECTIONS = 16
/** Fewer connections are a warning: the limit of open files was probably forgotten. */
export const FEW_CONNECTIONS = 3_000

/** Limits of a process's connections to its callers. */
export interface SocketRoom {
  readonly connections: number
  readonly streams: number
}

/**
 * How many files this process may open; undefined where the system does not tell. Node has raised it to the most that it may be by itself
 * (`ulimit -Hn`).
 */
export function openFileLimit(): number | undefined {
  try {
    const text = /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return text === undefined ? undefined : text === 'unlimited' ? Number.POSITIVE_INFINITY : Number(text)
  } catch {
    return undefined
  }
}

/** The connections and streams that so many files have room for, beside the database's pool and the process's own files. */
export function socketRoom(files: number | undefined, poolSize = 0): SocketRoom {
  const room =
    files === undefined ? MAX_CONNECTIONS : files - OWN_FILES - poolSize - Math.min(files * LEFT_SHARE, MOST_LEFT)
  const connections = Math.max(FEWEST_CONNECTIONS, Math.min(MAX_CONNECTIONS, Math.floor(room)))
  return { connections, streams: Math.floor(connections * STREAM_SHARE) }
}

/** Warns where the limit of files leaves room for no crowd. */
export function tellRoom({ connections, streams }: SocketRoom, files: number | undefined, logger: Logger): void {
  if (files === undefined || connections >= FEW_CONNECTIONS) return
  logger.warn(
    `this process may open ${files} files: it takes ${connections} connections at once, ${streams} event streams among them; with ulimit -n 65536 (systemd: LimitNOFILE=65536) it takes ${MAX_CONNECTIONS}`,
  )
}

/** The bounds of streams, no higher than there is room for; one key takes half of it at the most, where the room is what bounds. */
export function streamsWithin({ streams }: SocketRoom): Pick<StreamLimits, 'open' | 'openPerKey'> {
  const { open, openPerKey } = DEFAULT_STREAM_LIMITS
  return { open: Math.min(open, streams), openPerKey: Math.min(openPerKey, Math.ceil(streams / 2)) }
}
