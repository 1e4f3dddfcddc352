import { crashCases } from './crash-cases'
import { endCases } from './end-cases'
import type { OrchestratorCase } from './harness'
import { imageCases } from './image-cases'
import { launchCases } from './launch-cases'
import { logCases } from './log-cases'
import { portCases } from './port-cases'
import { readinessCases } from './readiness-cases'
import { roomCases } from './room-cases'
import { warmCases } from './warm-cases'

export { FIXTURE_EXECUTABLE, type FixtureFile, ORCHESTRATOR_FIXTURES } from './fixtures'
export type { FixtureName, OrchestratorCase, OrchestratorHarness, OrchestratorUnderTest } from './harness'
/** What the cases are made of, for an adapter's own tests: launching the probe, waiting, talking to it. */
export * as orchestratorProbe from './probe-toolbox'

/**
 * Every guarantee of the orchestrator port as a named case, for any runner; nothing in it is optional:
 * `for (const item of orchestratorConformance()) test(item.name, () => item.run(harness))`.
 * The cases run real servers on real ports and take seconds, not milliseconds; they wait on conditions, never on time.
 */
export const orchestratorConformance = (): readonly OrchestratorCase[] => [
  ...launchCases,
  ...readinessCases,
  ...portCases,
  ...endCases,
  ...logCases,
  ...crashCases,
  ...imageCases,
  ...roomCases,
  ...warmCases,
]
