import { archiveCases } from './archive-cases'
import { directCases } from './direct-cases'
import type { BuildStoreCase } from './harness'
import { logCases } from './log-cases'

/** Helpers that make archives, for an adapter's own tests. */
export { archiveOf, EXECUTABLE, someArchive } from './archives'
export type { BuildStoreCase, BuildStoreHarness } from './harness'

/**
 * Returns the test cases of the build store port, one case for each guarantee. Each case begins with an empty store.
 * The cases work with any test runner: `for (const item of buildStoreConformance()) test(item.name, () =>
 * item.run(harness))`.
 */
export const buildStoreConformance = (): readonly BuildStoreCase[] => [...archiveCases, ...directCases, ...logCases]
