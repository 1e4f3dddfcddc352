import { ServiceError } from '@matchyard/core'
import type { Orchestrator } from '@matchyard/core/ports'
import type { DescribedOrchestrator, OfGameServers } from './words'

/** Asks the first worker, which runs the game servers. */
export type AskFirst = <Name extends keyof OfGameServers & string>(
  name: Name,
  given: OfGameServers[Name]['given'],
) => Promise<OfGameServers[Name]['answer']>

const FULL = { reason: 'full', message: 'game servers run in another worker' } as const

/**
 * Returns the orchestrator for a worker other than the first. It acts as a full node, so launches are left to the first
 * worker. They wait while that worker is started again. Questions that any worker may have (logs, the check of an
 * image) go to the first worker.
 */
export function orchestratorElsewhere(
  { name, sharedAs, buildTypes, keepsWarm }: DescribedOrchestrator,
  node: string,
  ask: AskFirst,
): Orchestrator {
  const first: AskFirst = (question, given) =>
    ask(question, given).catch(() => {
      throw new ServiceError('UNAVAILABLE', 'the process that runs game servers does not answer; try again shortly')
    })
  return {
    name,
    // For an orchestrator that is not shared, the node's name: only the first worker launches and stops its game
    // servers.
    runsFor: sharedAs ?? node,
    capabilities: { buildTypes, limitations: [], keepsWarm },
    open: async () => {},
    close: async () => {},
    proposePorts: async () => [],
    // The first worker keeps all warm servers of the node.
    keepWarm: async () => [],
    admit: async () => ({ ok: false, ...FULL }),
    launch: async () => ({ ok: false, reason: 'no_room', message: FULL.message }),
    stop: async () => {},
    observe: async () => [],
    forget: async () => {},
    prune: () => first('prune', undefined),
    logs: (instanceId, options) => first('logs', { instanceId, ...options }),
    async prepareImage(image, log) {
      const { log: lines, result } = await first('prepareImage', image)
      for (const [level, message] of lines) log(level, message)
      return result
    },
    subscribe: () => () => {},
  }
}

/** Returns the first worker's handlers for the others. */
export const answersOf = (orchestrator: Orchestrator) => ({
  logs: ({ instanceId, ...options }: OfGameServers['logs']['given']) => orchestrator.logs(instanceId, options),
  prune: async () => {
    await orchestrator.prune()
    return undefined
  },
  async prepareImage(image: string): Promise<OfGameServers['prepareImage']['answer']> {
    const log: OfGameServers['prepareImage']['answer']['log'][number][] = []
    const result = await orchestrator.prepareImage(image, (level, message) => log.push([level, message]))
    return { log, result }
  },
})
