import type { BrokenStorage } from './broken'
import { brokenCoordination } from './coordination'
import { brokenFigures } from './figures'
import { brokenHistory } from './history'
import { brokenKeptRecords } from './kept-records'
import { brokenKeysAndCounters } from './keys-and-counters'
import { brokenProjectChanges } from './project-changes'
import { brokenReads } from './reads'
import { brokenStreams } from './streams'
import { brokenUsage } from './usage'
import { brokenVersions } from './versions'
import { brokenWholeness } from './wholeness'

export type { BrokenStorage } from './broken'

/** Storage adapters with deliberate faults. They show that the conformance suite detects each fault. */
export const BROKEN_STORAGES: readonly BrokenStorage[] = [
  ...brokenVersions,
  ...brokenWholeness,
  ...brokenKeysAndCounters,
  ...brokenReads,
  ...brokenStreams,
  ...brokenProjectChanges,
  ...brokenFigures,
  ...brokenUsage,
  ...brokenHistory,
  ...brokenKeptRecords,
  ...brokenCoordination,
]
