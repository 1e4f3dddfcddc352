import { setTimeout as pause } from 'node:timers/promises'
import { createMatchyard, type Matchyard } from '@matchyard/core'
import { emptyMemoryData, memoryStorage } from '@matchyard/storage-memory'
import { fakePlatform } from '@matchyard/testkit'
import { agonesOrchestrator } from '../../src/agones/agones-orchestrator'

/** Number of lives, or of calls, that run at once. */
export const AT_ONCE = 32
const IMAGE = `registry.test/arena@sha256:${'a'.repeat(64)}`

/** Nodes of one service, with callers that wait until game servers run or end. */
export class Game {
  private readonly waiting = new Map<string, () => void>()
  private projectId = ''
  private turn = 0

  private constructor(private readonly nodes: readonly Matchyard[]) {
    for (const { events } of nodes) {
      events.on('server_running', ({ instanceId }) => this.waiting.get(`${instanceId} runs`)?.())
      events.on('server_stopped', ({ instanceId }) => this.waiting.get(`${instanceId} has ended`)?.())
    }
  }

  static async start(count: number, kubeconfig: string): Promise<Game> {
    const data = emptyMemoryData()
    const clock = { now: () => Date.now() }
    const timers = {
      after(ms: number, work: () => void) {
        const timer = setTimeout(work, ms)
        return () => clearTimeout(timer)
      },
    }
    const nodes = Array.from({ length: count }, (_, index) => {
      const orchestrator = agonesOrchestrator({ installationId: 'bench', kubeconfig, clock, registries: ['*'] })
      const storage = memoryStorage({ data })
      const platform = { ...fakePlatform({ seed: index + 1 }), clock, timers }
      return createMatchyard({ ...platform, storage, orchestrator, nodeId: `node-${index}` })
    })
    for (const node of nodes) await node.start()
    const game = new Game(nodes)
    const { projects, builds } = game.next()
    game.projectId = (await projects.ensure({ name: 'bench' })).id
    const { projectId } = game
    const { id: buildId } = await builds.registerImage({ projectId, name: 'arena', imageUrl: IMAGE })
    while ((await builds.get({ projectId, buildId })).status !== 'ready') await pause(50)
    return game
  }

  async launch(): Promise<string> {
    const { projectId } = this
    const networkPorts = [{ name: 'game', protocol: 'udp', internalPort: 7_777, tlsEnabled: false }] as const
    const { id } = await this.next().servers.create({ projectId, versionTag: 'arena', networkPorts })
    await this.until(`${id} runs`)
    return id
  }

  async live(): Promise<void> {
    const { projectId } = this
    const instanceId = await this.launch()
    const ended = this.until(`${instanceId} has ended`)
    await this.next().servers.stop({ projectId, instanceId })
    await ended
  }

  async stop(): Promise<void> {
    for (const node of this.nodes) await node.stop()
  }

  private next(): Matchyard {
    return this.nodes[this.turn++ % this.nodes.length] as Matchyard
  }

  private until(what: string): Promise<void> {
    return new Promise((resolve) =>
      this.waiting.set(what, () => {
        this.waiting.delete(what)
        resolve()
      }),
    )
  }
}

export async function inParallel(count: number, work: () => Promise<unknown>): Promise<void> {
  let left = Math.round(count)
  const worker = async () => {
    while (left-- > 0) await work()
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
