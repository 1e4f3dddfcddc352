import { consumeKindOf } from '../consumer/job-kind'
import type { Service } from '../node/service'

/** Returns the kinds of the jobs of the consumers whose handlers run on this node. */
export const consumedHere = ({ node }: Service): readonly string[] => node.consumers.keys.map(consumeKindOf)

/**
 * Returns the running jobs of each consumer with its overdue calls. The jobs of these calls have ended, but their handlers still run, so they
 * count towards the share of the consumer.
 */
export function withOverdue(inHand: ReadonlyMap<string, number>, { node }: Service): Map<string, number> {
  const counts = new Map(inHand)
  for (const [consumer, count] of node.consumers.calls.overdue())
    counts.set(consumer, (counts.get(consumer) ?? 0) + count)
  return counts
}
