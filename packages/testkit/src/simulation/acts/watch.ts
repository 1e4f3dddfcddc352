import type { SimulatedNode } from '../node'
import { take, type Watcher } from '../watcher'
import type { World } from '../world'

/** Opens the feed of the project's dashboard on a node, unless the dashboard already reads from a node. */
export function follow(world: World, node: SimulatedNode): void {
  const { follower } = world
  if (!node.serving || follower.nodeId !== undefined) return
  follower.nodeId = node.id
  world.call(node, 'follow', async (matchyard) => {
    try {
      await follower.read(matchyard)
    } finally {
      if (follower.nodeId === node.id) follower.nodeId = undefined
    }
  })
}

/** Opens or resumes an event stream on a node, and reads the stream until it breaks or ends. */
export function watch(world: World, node: SimulatedNode, watcher: Watcher): void {
  if (!node.serving || watcher.over) return
  watcher.nodeId = node.id
  const { lobbyId, playerId } = watcher
  const lastEventId = watcher.lastId === undefined ? undefined : String(watcher.lastId)
  world.call(node, 'watch', async (matchyard) => {
    try {
      const input = { projectId: world.place.projectId, lobbyId, playerId, lastEventId, backend: false }
      const stream = await matchyard.lobbies.watch(input)
      for (let message = await stream.next(); message !== undefined; message = await stream.next())
        take(watcher, message, world.clock.now())
    } finally {
      if (watcher.nodeId === node.id) watcher.nodeId = undefined
    }
  })
}
