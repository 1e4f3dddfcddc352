import { arrivalCases } from './arrivals'
import { auditCases } from './audit'
import { browseCases } from './browse'
import { checkCases } from './checks'
import { commitCases } from './commit'
import { counterCases } from './counters'
import { deliveryCases } from './deliveries'
import { eventCases } from './events'
import { figureCases } from './figures'
import type { StorageCase } from './harness'
import { historyCases } from './history'
import { jobTurnCases } from './job-turns'
import { jobCases } from './jobs'
import { keptRecordCases } from './kept-records'
import { leaseCases } from './leases'
import { listByteCases } from './list-bytes'
import { listCases } from './lists'
import { logCases } from './logs'
import { metricsCases } from './metrics'
import { presenceCases } from './presence'
import { projectChangeCases, projectChangePruneCases } from './project-changes'
import { pruneCases } from './prune'
import { raceCases } from './races'
import { reopenCases } from './reopen'
import { serverCases } from './servers'
import { signalCases } from './signals'
import { standingCases } from './standings'
import { ticketCases } from './tickets'
import { uniqueKeyCases } from './unique-keys'
import { usageCases } from './usage'
import { valueCases } from './values'
import { visibilityCases } from './visibility'

export { aJob, claimJobs } from './claims'
export type { StorageBackDoor, StorageCase, StorageHarness, StorageUnderTest } from './harness'
export { leaderboardsFollowModel } from './leaderboards/index'
export { memoryHarness } from './memory-harness'
export { type PropertyOptions, storageFollowsModel, storagesAgree } from './properties/index'

/**
 * Returns the test cases of the storage port, one case for each guarantee. No case is optional. The cases work with any
 * test runner: `for (const item of storageConformance()) test(item.name, () => item.run(harness))`.
 */
export const storageConformance = (): readonly StorageCase[] => [
  ...commitCases,
  ...checkCases,
  ...uniqueKeyCases,
  ...counterCases,
  ...raceCases,
  ...visibilityCases,
  ...valueCases,
  ...browseCases,
  ...listCases,
  ...standingCases,
  ...listByteCases,
  ...serverCases,
  ...usageCases,
  ...historyCases,
  ...ticketCases,
  ...projectChangeCases,
  ...figureCases,
  ...deliveryCases,
  ...arrivalCases,
  ...auditCases,
  ...eventCases,
  ...logCases,
  ...jobCases,
  ...jobTurnCases,
  ...leaseCases,
  ...presenceCases,
  ...signalCases,
  ...keptRecordCases,
  ...pruneCases,
  ...projectChangePruneCases,
  ...metricsCases,
  ...reopenCases,
]
