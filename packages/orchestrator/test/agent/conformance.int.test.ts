import type { Orchestrator } from '@matchyard/core/ports'
import { type OrchestratorHarness, orchestratorConformance } from '@matchyard/testkit/orchestrator'
import { afterAll, describe, expect, test } from 'vitest'
import { processHarness } from '../../src/process/testing/harness'
import { BadLink } from './bad-link'

const seed = Number(process.env.MATCHYARD_SEED ?? 1)
const links: BadLink[] = []

/** Returns the orchestrator as an agent on a bad link carries out its calls. */
function behindLink(local: Orchestrator): BadLink {
  const link = new BadLink(local, seed + links.length)
  links.push(link)
  return link
}

const inner = processHarness()
const harness: OrchestratorHarness = {
  async open(limits) {
    const subject = await inner.open(limits)
    const opened: BadLink[] = []
    const linked = (local: Orchestrator) => {
      const link = behindLink(local)
      opened.push(link)
      return link
    }
    let link = linked(subject.orchestrator)
    // An agent that crashed starts again, with a new link. The service starts again too.
    const again = async (open: () => Promise<Orchestrator>) => {
      link.stop()
      link = linked(await open())
      return link.orchestrator
    }
    return {
      get orchestrator() {
        return link.orchestrator
      },
      build: (name) => subject.build(name),
      reopen: () => again(() => subject.reopen()),
      reopenWithoutData: () => again(() => subject.reopenWithoutData()),
      damage: (instanceId) => subject.damage(instanceId),
      neighbour: async () => linked(await subject.neighbour()).orchestrator,
      async dispose() {
        for (const one of opened) one.stop()
        await subject.dispose()
      },
    }
  },
}

describe(`an agent on a bad link (MATCHYARD_SEED=${seed})`, () => {
  for (const item of orchestratorConformance()) test(item.name, () => item.run(harness))

  afterAll(() => {
    const sum = (name: keyof BadLink['faults']) => links.reduce((all, { faults }) => all + faults[name], 0)
    for (const name of ['cuts', 'halfOpen', 'repeatedCalls', 'repeatedBatches', 'lostAnswers'] as const)
      expect(sum(name), name).toBeGreaterThan(0)
  })
})
