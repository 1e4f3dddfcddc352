import { machineOf } from '../node/place'
import type { Ports } from '../ports/ports'
import type { ProjectProblem } from '../project/problem'
import { nodeSighting } from '../reads/node-presence'
import { counted } from '../shared/counted'
import { sentenceOf } from './sentence'

/** Maximum nodes that are examined. */
const LOOKED_AT = 100
/** Share of the time until the matches of a node without a heartbeat are ended, after which the node is reported. */
const TOLD_AFTER = 0.5

/** Returns a problem for each node without a heartbeat on which servers of the project run. */
export async function silentNodes(ctx: Ports, projectId: string): Promise<ProjectProblem[]> {
  const { storage, clock, settings } = ctx
  const nodes = (await storage.servers.nodes()).filter((nodeId) => nodeId !== machineOf(ctx)).slice(0, LOOKED_AT)
  const found: ProjectProblem[] = []
  for (const nodeId of nodes) {
    const { at, saidGoodbye } = (await nodeSighting(ctx, nodeId)) ?? {}
    const endsAfterMs = saidGoodbye ? settings.machineAwayMs : settings.nodeLostAfterMs
    if (at === undefined || clock.now() - at < TOLD_AFTER * endsAfterMs) continue
    const mine = (await storage.servers.listLive(nodeId)).filter((server) => server.projectId === projectId)
    if (mine.length === 0) continue
    const seconds = Math.round((clock.now() - at) / 1_000)
    found.push({
      code: 'node_silent',
      severity: 'warning',
      sentence: sentenceOf(
        nodeId,
        `no heartbeat from the node for ${seconds} s; ${counted(mine.length, 'server')} of this project ran on it`,
        'Check that the machine is up; without a heartbeat its matches are ended.',
      ),
      subject: { kind: 'node', id: nodeId },
      since: at,
      count: mine.length,
      details: { instanceIds: mine.slice(0, 5).map(({ id }) => id) },
    })
  }
  return found
}
