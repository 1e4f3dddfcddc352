import { type JsonValue, jsonEqual, sameText } from '../shared/json'
import { addsRights, fieldRightsOf } from './field-rights'
import type { Queue } from './queue'
import { heartbeatTimeoutMs, idleTimeoutMs } from './timeouts'

/** A queue before and after a change of its settings. */
export interface QueueChange {
  readonly before: Queue
  readonly after: Queue
}

const same = (a: unknown, b: unknown) => jsonEqual(plain(a), plain(b))
const plain = (value: unknown) => JSON.parse(JSON.stringify(value)) as JsonValue

/** Whether the settings are unchanged. `customData` whose keys have another order is a change. */
export const isUnchanged = ({ before, after }: QueueChange): boolean =>
  same(before, after) && sameText(before.serverSettings?.customData, after.serverSettings?.customData)

/** Whether the matchmaking settings changed, so that waiting parties may match differently. */
export const changesMatchmaking = ({ before, after }: QueueChange): boolean =>
  !same(before.matchmaking, after.matchmaking)

/** Whether the timeouts of silent members or of idle lobbies changed. */
export const changesWatching = ({ before, after }: QueueChange): boolean => watchedOf(before) !== watchedOf(after)

const watchedOf = (queue: Queue) => [queue.heartbeat, queue.heartbeatTimeoutSeconds, queue.lobbyTtlSeconds].join()

/** Whether a field became trusted, so that clients may no longer write it, or private. */
export const addsFieldRights = ({ before, after }: QueueChange): boolean =>
  addsRights(fieldRightsOf(before), fieldRightsOf(after))

/** Whether a timeout became shorter. Members who were silent for an allowed time may then have been silent for too long. */
export const isStricter = ({ before, after }: QueueChange): boolean =>
  [true, false].some(
    (isInMatch) => heartbeatTimeoutMs(after, { isInMatch }) < heartbeatTimeoutMs(before, { isInMatch }),
  ) || idleTimeoutMs(after) < idleTimeoutMs(before)
