import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs'

/**
 * Returns the path of the reserve: a file of zeros beside the database. On a full disk, a service may find no room to
 * start, not even for the `-shm` file that SQLite's connections share (32 kB for each 4,096 pages of the log). The
 * reserve is then removed to make room.
 */
const reserveOf = (file: string): string => `${file}-reserve`

/** Bytes of the reserve. They suffice for the `-shm` file of a log of 128 MB. */
const RESERVE_BYTES = 256 * 1024
/** Minimum number of free bytes on the disk for which the reserve is made. */
const ROOM_BYTES = 64 * RESERVE_BYTES

/** Makes the reserve if it is missing and the disk has at least `ROOM_BYTES` free. Ignores all errors. */
export function keepReserve(file: string): void {
  const reserve = reserveOf(file)
  try {
    if (existsSync(reserve)) return
    const { bavail, bsize } = statfsSync(file)
    if (bavail * bsize < ROOM_BYTES) return
    writeFileSync(reserve, Buffer.alloc(RESERVE_BYTES), { mode: 0o600 })
  } catch {
    rmSync(reserve, { force: true })
  }
}

/** Removes the reserve. Returns whether it existed. */
export function giveUpReserve(file: string): boolean {
  const isThere = existsSync(reserveOf(file))
  if (isThere) rmSync(reserveOf(file), { force: true })
  return isThere
}
