import { setTimeout as wait } from 'node:timers/promises'
import type { NodeProcess } from '../node-process'
import type { Balancer } from './balancer'

const LOOK_EVERY_MS = 100

/**
 * Checks the readiness of all nodes repeatedly and makes the balancer use only ready nodes. Endpoints of a Kubernetes
 * service work in the same way.
 */
export function followReadiness(nodes: readonly NodeProcess[], balancer: Balancer) {
  const ready = new Set(nodes)
  let over = false
  const look = async () => {
    const before = [...ready]
    await Promise.all(
      nodes.map(async (node) => {
        const isReady = await fetch(`${node.baseUrl}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        )
        if (isReady) ready.add(node)
        else ready.delete(node)
      }),
    )
    if (before.length === ready.size && before.every((node) => ready.has(node))) return
    await balancer.use([...ready].map(({ baseUrl }) => Number(new URL(baseUrl).port)))
  }
  const looking = (async () => {
    while (!over) {
      await look()
      await wait(LOOK_EVERY_MS)
    }
  })()
  return {
    isUsed: (node: NodeProcess) => ready.has(node),
    async stop() {
      over = true
      await looking
    },
  }
}
