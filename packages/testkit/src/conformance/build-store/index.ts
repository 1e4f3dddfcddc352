import { archiveCases } from './archive-cases'
import { directCases } from './direct-cases'
import type { BuildStoreCase } from './harness'

/** Archives for an adapter's own tests. */
export { archiveOf, EXECUTABLE, someArchive } from './archives'
export type { BuildStoreCase, BuildStoreHarness } from './harness'

/**
 * Every guarantee of the build store port as a named case, for any runner; each begins with an empty store:
 * `for (const item of buildStoreConformance()) test(item.name, () => item.run(harness))`.
 */
export const buildStoreConformance = (): readonly BuildStoreCase[] => [...archiveCases, ...directCases]
