import { MAX_LIST_BYTES } from '../catalog/limits'
import { ServiceError } from '../errors/service-error'
import { runningPlaceOf } from '../node/place'
import type { Service } from '../node/service'
import type { ServerLogLine } from '../ports/orchestrator'
import { type PeerLogQuery, PeerSilent } from '../ports/peers'
import type { Ports } from '../ports/ports'
import { nodeSighting } from '../reads/node-presence'
import { withinBytes } from '../shared/page'

/**
 * Returns the log of a server from the node that runs it or was the last to run it. Throws UNAVAILABLE, with the node's name in the
 * message, when that node cannot be reached.
 */
export async function askPeer(ctx: Ports, query: PeerLogQuery): Promise<ServerLogLine[]> {
  const away = (reason: string) =>
    new ServiceError('UNAVAILABLE', `the log of ${query.instanceId} is on the node ${query.nodeId}, ${reason}`)
  const url = (await nodeSighting(ctx, query.nodeId))?.peerUrl
  if (url === undefined) {
    throw away('which has stopped or has no address for other nodes (PEER_URL)')
  }
  try {
    return await ctx.peers.logs(url, query)
  } catch (error) {
    if (!(error instanceof PeerSilent)) throw error
    ctx.logger.warn('another node was asked for a log and gave none', { node: query.nodeId, url, reason: error.reason })
    throw away(`which did not answer (${error.reason}); try again shortly`)
  }
}

/**
 * Returns a server's log to another node, which has checked that its caller may read the log. Only the logs on this node are searched. The
 * answer may have one line more than fits into `MAX_LIST_BYTES`, by which the other node sees that the list was cut. Throws UNAVAILABLE
 * when the log is on another node, or when too many logs are being read.
 */
export async function answerPeer(ctx: Service, query: PeerLogQuery): Promise<ServerLogLine[]> {
  const { nodeId, projectId, instanceId, limit, since } = query
  const place = runningPlaceOf(ctx, nodeId)
  if (place === undefined) throw new ServiceError('UNAVAILABLE', `this node is not ${nodeId}`)
  const read = () => place.orchestrator.logs(instanceId, { limit, ...(since === undefined ? {} : { since }) })
  const lines = await ctx.node.logReads.run(projectId, read)
  return lines.slice(-withinBytes(lines.toReversed(), MAX_LIST_BYTES).length - 1)
}
