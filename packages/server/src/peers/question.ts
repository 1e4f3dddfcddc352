import type { ServerLogLine } from '@matchyard/core/ports'

/** Path below a node's PEER_URL at which the node answers other nodes. The question itself is in the token. */
export const PEER_PATH = '/peer/server-logs'

/** Path below a node's PEER_URL at which the node takes batches of agents from other nodes. */
export const PEER_BATCH_PATH = '/peer/agent-batch'

/** Answer to a question of another node. */
export interface PeerAnswer {
  readonly lines: readonly ServerLogLine[]
}

/** Returns the log lines in an answer; undefined when the answer has another form. */
export function linesOf(answer: unknown, limit: number): ServerLogLine[] | undefined {
  if (typeof answer !== 'object' || answer === null || !('lines' in answer)) return undefined
  const { lines } = answer
  return Array.isArray(lines) && lines.length <= limit && lines.every(isLine) ? lines : undefined
}

function isLine(line: unknown): line is ServerLogLine {
  if (typeof line !== 'object' || line === null) return false
  const { at, stream, message } = line as Record<string, unknown>
  // The number must be a valid time that an ISO 8601 string can represent.
  if (typeof at !== 'number' || Number.isNaN(new Date(at).getTime())) return false
  return (stream === 'stdout' || stream === 'stderr') && typeof message === 'string'
}
