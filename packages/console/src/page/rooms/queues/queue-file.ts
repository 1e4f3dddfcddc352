import type { Queue } from '@matchyard/client/admin'
import { EDITED, type QueueDraft } from './draft'

/** Settings of a queue in a file: the body of `POST /v1/queues`. */
export type QueueFile = Partial<QueueDraft> & { readonly queue_id?: string }

const isEmpty = (value: unknown): boolean =>
  value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)

/** Returns all settings of a queue, without empty objects, which have the same meaning as absent ones. */
export const settingsOf = (queue: Queue): Partial<QueueDraft> =>
  Object.fromEntries(EDITED.map((name) => [name, queue[name]] as const).filter(([, value]) => !isEmpty(value)))

/** Returns the file with all settings of a queue, which `matchyard queues put` and the console read. */
export const fileOf = (queue: Queue): string =>
  `${JSON.stringify({ queue_id: queue.queue_id, ...settingsOf(queue) }, null, 2)}\n`

/** Returns the settings in a file. Throws with a sentence for the user when the text has no settings of a queue. */
export function readFile(text: string): QueueFile {
  const parsed: unknown = JSON.parse(text)
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new Error('The file must have a JSON object.')
  const known: readonly string[] = ['queue_id', ...EDITED]
  const unknown = Object.keys(parsed).find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`${unknown} is no setting of a queue. The settings: ${known.join(', ')}.`)
  return parsed
}

/** Returns the settings in the file of a queue. Throws as `readFile`, and when the file is of another queue. */
export function settingsIn(text: string, queueId: string): Partial<QueueDraft> {
  const { queue_id = queueId, ...settings } = readFile(text)
  if (queue_id !== queueId) throw new Error(`The file is of the queue ${queue_id}, not of ${queueId}.`)
  return settings
}
