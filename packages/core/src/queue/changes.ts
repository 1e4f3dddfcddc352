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

/** Whether the settings are unchanged. Another order of the keys of `customData` is a change. */
export const isUnchanged = ({ before, after }: QueueChange): boolean =>
  same(before, after) && sameText(before.serverSettings?.customData, after.serverSettings?.customData)

/** Whether the matchmaking settings changed, so that waiting parties may match differently. */
export const changesMatchmaking = ({ before, after }: QueueChange): boolean =>
  !same(before.matchmaking, after.matchmaking)

/** Whether the timeouts for silent members and idle lobbies changed. */
export const changesWatching = ({ before, after }: QueueChange): boolean => watchedOf(before) !== watchedOf(after)

const watchedOf = (queue: Queue) => [queue.heartbeat, queue.heartbeatTimeoutSeconds, queue.lobbyTtlSeconds].join()

/** Whether clients lost the right to write a field. */
export const trustsLess = ({ before, after }: QueueChange): boolean =>
  trustedFieldsOf(after).some((field) => !trustedFieldsOf(before).includes(field))

/** Whether a timeout became shorter, so that silence that was allowed before may be too long now. */
export const isStricter = ({ before, after }: QueueChange): boolean =>
  heartbeatTimeoutMs(after) < heartbeatTimeoutMs(before) || idleTimeoutMs(after) < idleTimeoutMs(before)
