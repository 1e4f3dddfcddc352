import type { Signal, SignalTopic } from '@matchyard/core/ports'

/** PostgreSQL refuses a payload of 8,000 bytes; ids only go in, so a message holds a hundred signals or more. */
export const MAX_MESSAGE_BYTES = 7_900

const RESYNC: Signal = { topic: 'resync', id: '' }

/** Packs signals into as few messages as hold them; each names its sender, who has told its own listeners already. */
export function encodeSignals(sender: string, signals: Iterable<Signal>): string[] {
  const head = `[${JSON.stringify(sender)}`
  const messages: string[] = []
  let message = head
  let bytes = message.length + 1
  for (const { topic, id } of signals) {
    let part = `,${JSON.stringify(topic)},${JSON.stringify(id)}`
    // An id that no message holds: readers look at everything instead.
    if (head.length + Buffer.byteLength(part) >= MAX_MESSAGE_BYTES) part = `,"${RESYNC.topic}",""`
    const size = Buffer.byteLength(part)
    if (bytes + size > MAX_MESSAGE_BYTES) {
      messages.push(`${message}]`)
      message = head
      bytes = message.length + 1
    }
    message += part
    bytes += size
  }
  if (message !== head) messages.push(`${message}]`)
  return messages
}

/** What a message says; one that cannot be read (another version's) means that something changed. */
export function decodeSignals(message: string): { sender: string; signals: Signal[] } {
  try {
    const [sender, ...parts] = JSON.parse(message) as string[]
    const signals: Signal[] = []
    for (let index = 0; index + 1 < parts.length; index += 2) {
      signals.push({ topic: parts[index] as SignalTopic, id: String(parts[index + 1]) })
    }
    return { sender: String(sender), signals }
  } catch {
    return { sender: '', signals: [RESYNC] }
  }
}
