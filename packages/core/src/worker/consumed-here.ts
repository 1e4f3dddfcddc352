import { consumeKindOf } from '../consumer/job-kind'
import type { Service } from '../node/service'

/** Returns the kinds of the jobs of the consumers whose handlers run on this node. */
export const consumedHere = ({ node }: Service): readonly string[] => node.consumers.keys.map(consumeKindOf)
