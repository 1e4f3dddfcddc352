import { archiveCases } from './archive-cases'
import { directCases } from './direct-cases'
import type { BuildStoreCase } from './harness'

/** Helpers that make archives, for an adapter's own tests. */
export { archiveOf, EXECUTABLE, someArchive } from './archives'
export type { BuildStoreCase, BuildStoreHarness } from './harness'

/**
 * Returns one case per guarantee of the build store port, for any test runner; each begins with an empty store: `for (const item of
 * buildStoreConformance()) test(item.name, () => item.run(harness))`.
 */
export const buildStoreConformance = (): readonly BuildStoreCase[] => [...archiveCases, ...directCases]
