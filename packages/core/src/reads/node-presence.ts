import type { Ports } from '../ports/ports'
import type { Instant } from '../shared/time'

/** Presence of nodes. A node records its heartbeat in a scope of its own; other entries count while they have the time of the heartbeat. */

const HEARTBEAT = 'node'
/** Prefix of the name of the presence entry that has the URL at which other nodes reach a node. */
const PEER = 'peer '
/** Entry of a node that stops on purpose and will be back. */
const GOODBYE = 'goodbye'

/** Returns the presence scope of a node. */
export const nodeScope = (nodeId: string): string => `node:${nodeId}`

/** Returns the node of a presence scope of `nodeScope`. */
export const nodeOfScope = (scope: string): string => scope.slice('node:'.length)

interface Beating {
  readonly nodeId: string
  readonly peerUrl: string | undefined
  /** Whether the node stops on purpose. */
  readonly goodbye: boolean
}

/** Records the heartbeat of a node. */
export function noteHeartbeat(ctx: Ports, { nodeId, peerUrl, goodbye }: Beating, at: Instant): Promise<void> {
  const members = [HEARTBEAT, ...(peerUrl === undefined ? [] : [`${PEER}${peerUrl}`]), ...(goodbye ? [GOODBYE] : [])]
  return ctx.storage.presence.touch(members.map((member) => ({ scope: nodeScope(nodeId), member, at })))
}

export interface NodeSighting {
  /** Time of the node's last heartbeat, by that node's clock. */
  readonly at: Instant
  /** Whether the node said with its last heartbeat that it stops. */
  readonly saidGoodbye: boolean
  /** URL at which other nodes reach the node; undefined when its last heartbeat contained none. */
  readonly peerUrl: string | undefined
}

/** Returns the last heartbeat of a node. Returns undefined when the node has sent no heartbeat, or when it was given up as lost. */
export async function nodeSighting(ctx: Ports, nodeId: string): Promise<NodeSighting | undefined> {
  const seen = await ctx.storage.presence.read(nodeScope(nodeId))
  const at = seen.find(({ member }) => member === HEARTBEAT)?.at
  if (at === undefined) return undefined
  const said = seen.filter((one) => one.at === at).map(({ member }) => member)
  const peerUrl = said.find((member) => member.startsWith(PEER))?.slice(PEER.length)
  return { at, saidGoodbye: said.includes(GOODBYE), peerUrl }
}

/** Returns the time of the last heartbeat of each of these nodes; nodes without a heartbeat are left out. */
export async function heartbeatsOf(ctx: Ports, nodeIds: readonly string[]): Promise<ReadonlyMap<string, Instant>> {
  const seen = await ctx.storage.presence.readMany(nodeIds.map(nodeScope))
  const beats = seen.filter(({ member }) => member === HEARTBEAT)
  return new Map(beats.map(({ scope, at }) => [nodeOfScope(scope), at]))
}
