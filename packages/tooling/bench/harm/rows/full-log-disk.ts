import { closeSync, openSync } from 'node:fs'
import type { HarmFigure, HarmRow } from '../row'
import { figuresOf, measured } from './stalled-log'

/** The log's disk is full from the start: each write fails with ENOSPC. */
export const row: HarmRow = {
  name: 'full-log-disk',
  harm: 'standard error is on a disk that is full',
  async run(): Promise<readonly HarmFigure[]> {
    const quiet = await measured('ignore')
    const full = openSync('/dev/full', 'w')
    try {
      return figuresOf(quiet, await measured(full))
    } finally {
      closeSync(full)
    }
  },
}
