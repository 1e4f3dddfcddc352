import { PLAYING, type TicketColumns } from './ticket-columns'

/** Number of slots (indices of tickets in the columns) that one step handles between two yields of the generator. */
const BLOCK = 1 << 14
/** Value in the column `alive` for a ticket that `removeAll` is about to remove. */
const LEAVING = 2

/** Removes many tickets from the columns at once. Each ticket must be able to match: its `alive` is 1. */
export function* removeAll(columns: TicketColumns, gone: Int32Array): Generator<undefined, void, undefined> {
  if (gone.length > columns.size / 2) {
    yield* removeMost(columns, gone)
    return
  }
  for (let index = 0; index < gone.length; index++) {
    columns.remove(gone[index] as number)
    if (index % BLOCK === BLOCK - 1) yield
  }
}

/**
 * Marks the tickets to remove with `LEAVING`, then reads every column once in memory order. For many tickets this is
 * far cheaper than random access to all columns.
 */
function* removeMost(columns: TicketColumns, gone: Int32Array): Generator<undefined, void, undefined> {
  for (let from = 0; from < gone.length; from += BLOCK) {
    markLeaving(columns.alive, gone.subarray(from, from + BLOCK))
    yield
  }
  columns.slots.clear()
  for (let from = 0; from < columns.high; from += BLOCK) {
    clearLeaving(columns, from, Math.min(columns.high, from + BLOCK))
    yield
  }
  columns.size -= gone.length
}

const markLeaving = (alive: Uint8Array, gone: Int32Array): void => {
  for (let index = 0; index < gone.length; index++) alive[gone[index] as number] = LEAVING
}

const clearLeaving = (columns: TicketColumns, from: number, to: number): void => {
  const { alive, tickets, ids, slots } = columns
  for (let slot = from; slot < to; slot++) {
    if (alive[slot] === LEAVING) {
      alive[slot] = 0
      columns.count(slot, -1)
      tickets[slot] = undefined
    } else if (tickets[slot] !== undefined && alive[slot] !== PLAYING) {
      slots.set(ids[slot] as string, slot)
    }
  }
}

/**
 * Releases each slot that holds no waiting ticket, so that new tickets can use the slot. No index may refer to such a
 * slot any more.
 */
export function* releaseAll(columns: TicketColumns): Generator<undefined, void, undefined> {
  columns.free.clear()
  for (let to = columns.high; to > 0; to -= BLOCK) {
    releaseBetween(columns, Math.max(0, to - BLOCK), to)
    yield
  }
}

const releaseBetween = (columns: TicketColumns, from: number, to: number): void => {
  for (let slot = to - 1; slot >= from; slot--) if (columns.tickets[slot] === undefined) columns.release(slot)
}
