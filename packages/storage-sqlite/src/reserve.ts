import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs'

/**
 * A file of nothing beside the database: where a start finds no room even for what SQLite's connections share (32 kB for each 4,096 pages of
 * the log), its room is given up for that.
 */
const reserveOf = (file: string): string => `${file}-reserve`

/** Room for the shared pages of a log of 128 MB. */
const RESERVE_BYTES = 256 * 1024
/** It is made where there is so much room beside it. */
const ROOM_BYTES = 64 * RESERVE_BYTES

/** Makes the reserve where it is missing and there is room enough; does nothing where it cannot be made. */
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

/** Gives the reserve up; whether there was one. */
export function giveUpReserve(file: string): boolean {
  const isThere = existsSync(reserveOf(file))
  if (isThere) rmSync(reserveOf(file), { force: true })
  return isThere
}
