import type { Signal, SignalTopic } from '@matchyard/core/ports'

/**
 * Maximum size of a message in bytes; PostgreSQL refuses a payload of 8,000 bytes or more. A message has room for at
 * least a hundred signals, because each signal is only a topic and an id.
 */
export const MAX_MESSAGE_BYTES = 7_900

const RESYNC: Signal = { topic: 'resync', id: '' }

/**
 * Packs signals into as few messages as possible. Each message names the sending node, which has called its own
 * listeners already and ignores the message.
 */
export function encodeSignals(sender: string, signals: Iterable<Signal>): string[] {
  const head = `[${JSON.stringify(sender)}`
  const messages: string[] = []
  let message = head
  let bytes = message.length + 1
  for (const { topic, id } of signals) {
    let part = `,${JSON.stringify(topic)},${JSON.stringify(id)}`
    // A signal whose id is too long for any message is sent as `resync`: the receivers then read everything again.
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

/**
 * Returns the sender and the signals of a message. A message of another version, or one that cannot be parsed, is
 * returned as the signal `resync`.
 */
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
