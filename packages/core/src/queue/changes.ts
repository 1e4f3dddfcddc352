import { type JsonValue, jsonEqual, sameText } from '../shared/json'
import { type Queue, trustedFieldsOf } from './queue'
import { heartbeatTimeoutMs, idleTimeoutMs } from './timeouts'

/** A queue before and after a change of its settings. */
export interface QueueChange {
  readonly before: Queue
  readonly after: Queue
}

const same = (a: unknown, b: unknown) => jsonEqual(plain(a), plain(b))
const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as JsonValue

/** Whether nothing was changed after all; another order of free-form keys is a change. */
export const isUnchanged = ({ before, after }: QueueChange): boolean =>
  same(before, after) && sameText(before.serverSettings?.customData, after.serverSettings?.customData)

/** Whether those who wait may no longer match as they could. */
export const changesMatchmaking = ({ before, after }: QueueChange): boolean =>
  !same(before.matchmaking, after.matchmaking)

/** Whether its lobbies are watched by other timeouts. */
export const changesWatching = ({ before, after }: QueueChange): boolean => watchedOf(before) !== watchedOf(after)

const watchedOf = (queue: Queue) => [queue.heartbeat, queue.heartbeatTimeoutSeconds, queue.lobbyTtlSeconds].join()

/** Whether clients may no longer write what they could. */
export const trustsLess = ({ before, after }: QueueChange): boolean =>
  trustedFieldsOf(after).some((field) => !trustedFieldsOf(before).includes(field))

/** Whether silence that was borne before may be too long now. */
export const isStricter = ({ before, after }: QueueChange): boolean =>
  heartbeatTimeoutMs(after) < heartbeatTimeoutMs(before) || idleTimeoutMs(after) < idleTimeoutMs(before)
