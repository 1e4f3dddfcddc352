import { MAX_LIST_BYTES } from '../catalog/limits'
import { ServiceError } from '../errors/service-error'
import type { Service } from '../node/service'
import type { ServerLogLine } from '../ports/orchestrator'
import { type PeerLogQuery, PeerSilent } from '../ports/peers'
import type { Ports } from '../ports/ports'
import { withinBytes } from '../shared/page'
import { peerUrlOf } from './node-watch'
import { isOfThisNode } from './place'

/** Asks the node that runs a server, or ran it last, for its log. Throws UNAVAILABLE, naming the node, where it cannot be asked. */
export async function askPeer(ctx: Ports, query: PeerLogQuery): Promise<ServerLogLine[]> {
  const away = (reason: string) =>
    new ServiceError('UNAVAILABLE', `the log of ${query.instanceId} is on the node ${query.nodeId}, ${reason}`)
  const url = await peerUrlOf(ctx, query.nodeId)
  if (url === undefined) {
    throw away('which is gone or tells no address for questions of other nodes (PEER_URL)')
  }
  try {
    return await ctx.peers.logs(url, query)
  } catch (error) {
    if (!(error instanceof PeerSilent)) throw error
    ctx.logger.warn('another node was asked for a log and gave none', { node: query.nodeId, url, reason: error.reason })
    throw away(`which gave no answer (${error.reason}); try again shortly`)
  }
}

/**
 * Reads a log for another node, which has made sure that its caller may read it. This node alone is looked at. Of long lines there are only so
 * many as show that an answer had no room for the next one. Throws UNAVAILABLE where the log is another node's, or too many are read.
 */
export async function answerPeer(ctx: Service, query: PeerLogQuery): Promise<ServerLogLine[]> {
  const { nodeId, projectId, instanceId, limit, since } = query
  if (!isOfThisNode(ctx, nodeId)) throw new ServiceError('UNAVAILABLE', `this node is not ${nodeId}`)
  const read = () => ctx.orchestrator.logs(instanceId, { limit, ...(since === undefined ? {} : { since }) })
  const lines = await ctx.node.logReads.run(projectId, read)
  return lines.slice(-withinBytes(lines.toReversed(), MAX_LIST_BYTES).length - 1)
}
