import type { Store } from './store'

/** Slots handled between two yields. */
const BLOCK = 1 << 14
/** In `alive` while many are removed at once. */
const LEAVING = 2

/** Removes many tickets that can match at once. */
export function* removeAll(store: Store, gone: Int32Array): Generator<undefined, void, undefined> {
  if (gone.length > store.size / 2) {
    yield* removeMost(store, gone)
    return
  }
  for (let index = 0; index < gone.length; index++) {
    store.remove(gone[index] as number)
    if (index % BLOCK === BLOCK - 1) yield
  }
}

/** Marks those who go, then reads every column once from end to end: far cheaper than jumping about in all of them. */
function* removeMost(store: Store, gone: Int32Array): Generator<undefined, void, undefined> {
  for (let from = 0; from < gone.length; from += BLOCK) {
    markLeaving(store.alive, gone.subarray(from, from + BLOCK))
    yield
  }
  store.slots.clear()
  for (let from = 0; from < store.high; from += BLOCK) {
    clearLeaving(store, from, Math.min(store.high, from + BLOCK))
    yield
  }
  store.size -= gone.length
}

const markLeaving = (alive: Uint8Array, gone: Int32Array): void => {
  for (let index = 0; index < gone.length; index++) alive[gone[index] as number] = LEAVING
}

const clearLeaving = (store: Store, from: number, to: number): void => {
  const { alive, tickets, ids, slots } = store
  for (let slot = from; slot < to; slot++) {
    if (alive[slot] === LEAVING) {
      alive[slot] = 0
      store.count(slot, -1)
      tickets[slot] = undefined
    } else if (tickets[slot] !== undefined) {
      slots.set(ids[slot] as string, slot)
    }
  }
}

/** Gives back every slot in which no ticket waits, once no index refers to any of them. */
export function* releaseAll(store: Store): Generator<undefined, void, undefined> {
  store.free.clear()
  for (let to = store.high; to > 0; to -= BLOCK) {
    releaseBetween(store, Math.max(0, to - BLOCK), to)
    yield
  }
}

const releaseBetween = (store: Store, from: number, to: number): void => {
  for (let slot = to - 1; slot >= from; slot--) if (store.tickets[slot] === undefined) store.release(slot)
}
