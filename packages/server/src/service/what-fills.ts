import { opendir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { JsonObject } from '@matchyard/core'
import type { Logger } from '@matchyard/core/ports'
import { sqlitePathOf } from '../config/database-url'

/** Maximum number of files in the data folder that are examined; further files are not counted. */
const MAX_FILES = 20_000
const MIB = 1024 * 1024

interface Place {
  readonly dataDirectory: string
  readonly databaseUrl: string
}

/** Free megabytes on a disk, and the megabytes that each part of the installation uses. */
export interface WhatFills {
  readonly free: number
  readonly database: number
  /** Write-ahead log of the database. */
  readonly wal: number
  readonly builds: number
  /** Logs and unpacked builds of game servers. */
  readonly gameServers: number
  /** Size of the whole data folder, including the database file if it is in this folder. */
  readonly dataFolder: number
}

/**
 * Returns the sizes of an installation's parts on the disk of its data folder. Files that cannot be read count as zero.
 */
export async function whatFills({ dataDirectory, databaseUrl }: Place, maxFiles = MAX_FILES): Promise<WhatFills> {
  const budget = { files: maxFiles }
  const of = (...names: string[]) => sumOf(names.map((name) => sizeOf(join(dataDirectory, name), budget)))
  const file = sqlitePathOf(databaseUrl)
  const isFile = file !== undefined && file !== ':memory:'
  const [database, wal] = isFile ? [await sizeOf(file, budget), await sizeOf(`${file}-wal`, budget)] : [0, 0]
  const builds = await of('builds', 'build-cache')
  const gameServers = await of('servers', 'containers')
  const { bavail, bsize } = await statfs(isFile ? dirname(file) : dataDirectory).catch(() => ({ bavail: 0, bsize: 0 }))
  const all = { free: bavail * bsize, database, wal, builds, gameServers, dataFolder: await of('.') }
  return Object.fromEntries(
    Object.entries(all).map(([name, bytes]) => [name, inMegabytes(bytes)]),
  ) as unknown as WhatFills
}

/** Returns a sentence with the sizes of the installation's parts. */
export const fillsInWords = ({ free, database, wal, builds, gameServers, dataFolder }: WhatFills): string =>
  `${free} MB free; database ${database} MB, its -wal ${wal} MB, builds ${builds} MB, game servers and their logs ${gameServers} MB, all of the data folder ${dataFolder} MB`

const inMegabytes = (bytes: number) => Math.round((10 * bytes) / MIB) / 10

async function sumOf(sizes: Promise<number>[]): Promise<number> {
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

async function sizeOf(path: string, budget: { files: number }): Promise<number> {
  if (budget.files-- <= 0) return 0
  try {
    const seen = await stat(path)
    if (!seen.isDirectory()) return seen.blocks * 512
    let sum = 0
    for await (const entry of await opendir(path)) {
      if (!entry.isSymbolicLink()) sum += await sizeOf(join(path, entry.name), budget)
    }
    return sum
  } catch {
    return 0
  }
}

/** Minimum milliseconds between two reports of a full disk. */
const EVERY_MS = 60_000

/**
 * Returns a log for the storage that reports a full disk at most once a minute, with the sizes of the installation's
 * parts. Otherwise the log would have a line for every write that the full disk refused.
 */
export function tellingWhatFills(logger: Logger, place: Place, now: () => number = () => performance.now()): Logger {
  let toldAt = Number.NEGATIVE_INFINITY
  return {
    debug: (message, fields) => logger.debug(message, fields),
    info: (message, fields) => logger.info(message, fields),
    warn: (message, fields) => logger.warn(message, fields),
    error(message: string, fields?: JsonObject) {
      if (!message.includes('the disk is full')) return logger.error(message, fields)
      if (now() - toldAt < EVERY_MS) return
      toldAt = now()
      void whatFills(place).then((fills) => logger.error(message, { ...fields, megabytes: { ...fills } }))
    },
  }
}
