import { ServiceError } from '@matchyard/core'
import type { Orchestrator } from '@matchyard/core/ports'
import type { DescribedOrchestrator, OfGameServers } from './words'

/** Sends a question to the first worker, which runs the game servers. */
export type AskFirst = <Name extends keyof OfGameServers & string>(
  name: Name,
  given: OfGameServers[Name]['given'],
) => Promise<OfGameServers[Name]['answer']>

const FULL = { reason: 'full', message: 'game servers run in another worker' } as const

/**
 * Returns the orchestrator for every worker except the first. It reports that its node is full, so only the first
 * worker launches game servers. While the first worker is being started again, launches wait. Calls that every worker
 * may need (logs, the check of an image) are passed to the first worker.
 */
export function orchestratorElsewhere(
  { name, sharedAs, buildTypes, keepsWarm, keepsSecretsCold, endsTls, ...machine }: DescribedOrchestrator,
  node: string,
  ask: AskFirst,
): Orchestrator {
  const first: AskFirst = (question, given) =>
    ask(question, given).catch(() => {
      throw new ServiceError('UNAVAILABLE', 'the process that runs game servers does not answer; try again shortly')
    })
  return {
    name,
    // If the orchestrator is not shared, this is the node's name, because the first worker alone launches and stops the
    // node's game servers.
    runsFor: sharedAs ?? node,
    ...machine,
    capabilities: {
      ...{ buildTypes, limitations: [], keepsWarm, keepsSecretsCold },
      ...(endsTls === undefined ? {} : { endsTls }),
    },
    open: async () => {},
    close: async () => {},
    proposePorts: async () => [],
    // Only the first worker keeps the warm servers of the node.
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

/** Returns the first worker's handlers for the questions of the other workers. */
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
