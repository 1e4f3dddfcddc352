import { createHash } from 'node:crypto'

/**
 * Columns by which a leaderboard is read. They are short, because the search for a rank reads thousands of entries of an index, and its
 * cost grows with their size.
 */

/** Returns the column of a range of leaderboards: a hash of its name, 22 characters for 128 bits. */
export const rangeColumn = (name: string): string => createHash('sha256').update(name).digest('base64').slice(0, 22)

/** Returns the column of a place, hexadecimal digits, as bytes. */
export const placeColumn = (place: string): string => `\\x${place}`
