import type { JsonObject } from '@matchyard/core'
import type { Logger } from '@matchyard/core/ports'
import type { FakeLogger } from '../fakes/logger'
import type { Faults } from './faults'
import type { Life } from './scheduler'

/** What an embedder's own code throws; no call may end with it. */
export class EmbedderFailure extends Error {
  override readonly name = 'EmbedderFailure'
}

/** A logger and a listener that an embedder brought without care: they throw. What was refused is kept none the less. */
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
