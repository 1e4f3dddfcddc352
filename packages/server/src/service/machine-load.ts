import { availableParallelism, freemem, loadavg, totalmem } from 'node:os'
import type { MachineLoad } from '@matchyard/core'

const BYTES_PER_MB = 1_024 ** 2

/** Returns the load of this machine, in whole numbers, so that small changes cause no new report. */
export function machineLoad(): MachineLoad {
  const [lastMinute = 0] = loadavg()
  return {
    cpuPercent: Math.round((100 * lastMinute) / availableParallelism()),
    memoryMb: Math.round((totalmem() - freemem()) / BYTES_PER_MB),
  }
}
