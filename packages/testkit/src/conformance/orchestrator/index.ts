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
/**
 * Helpers of the cases, for an adapter's own tests: they launch the probe (the game server of the suite), wait for it,
 * and send commands to it.
 */
export * as orchestratorProbe from './probe-toolbox'

/**
 * Returns the test cases of the orchestrator port, one case for each guarantee. No case is optional. The cases work
 * with any test runner: `for (const item of orchestratorConformance()) test(item.name, () => item.run(harness))`. The
 * cases run real servers on real ports, so each case takes seconds. They wait for conditions, never for a fixed time.
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
