import type { JsonObject } from '@matchyard/core'
import type { Logger } from '@matchyard/core/ports'
import type { FakeLogger } from '../fakes/logger'
import type { Faults } from './faults'
import type { Life } from './scheduler'

/** An error that the code of an embedding program throws. No call of the service may end with this error. */
export class EmbedderFailure extends Error {
  override readonly name = 'EmbedderFailure'
}

/**
 * Returns a logger and a listener that throw errors, as faulty code of an embedding program may do. `kept` contains all
 * log messages, also the messages for which the logger threw an error.
 */
export function careless(
  kept: FakeLogger,
  life: Life,
  faults: Faults,
): { readonly logger: Logger; readonly listener: () => void } {
  let full = false
  const log = (level: keyof Logger) => (message: string, fields?: JsonObject) => {
    kept[level](message, fields)
    full ||= faults.strikes('log-refuses', life.nodeId)
    if (full) throw new EmbedderFailure('simulated: the disk of the log is full')
  }
  return {
    logger: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
    listener: () => {
      if (faults.strikes('listener-throws', life.nodeId)) throw new EmbedderFailure('simulated: a listener threw')
    },
  }
}
