import { ServiceError } from '@matchyard/core'
import type { Orchestrator } from '@matchyard/core/ports'
import type { DescribedOrchestrator, OfGameServers } from './words'

/** Asks the worker that runs the game servers. */
export type AskFirst = <Name extends keyof OfGameServers & string>(
  name: Name,
  given: OfGameServers[Name]['given'],
) => Promise<OfGameServers[Name]['answer']>

const FULL = { reason: 'full', message: 'game servers run in another worker' } as const

/**
 * What runs game servers, as seen by a worker beside the one in which it runs: that is a node which is full, so launches are left to
 * the first worker, which is the node by itself, and wait for it while it is started again. What anybody may ask (logs, whether an image is good) is asked there.
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
    // Not shared: only the first worker launches and stops them.
    runsFor: sharedAs ?? node,
    capabilities: { buildTypes, limitations: [], keepsWarm },
    open: async () => {},
    close: async () => {},
    proposePorts: async () => [],
    // The first worker asks for all of them.
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
