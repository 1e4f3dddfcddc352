import { z } from 'zod'
import type { MachineLoad } from '../machine/machine'

/** Highest number of a load that counts as measured. */
const MOST = 1_000_000_000

const amount = z.number().min(0).max(MOST)
const load = z.object({ cpuPercent: amount, memoryMb: amount })

/** Returns the load that an agent reports; undefined for another value. */
export const readLoad = (value: unknown): MachineLoad | undefined => load.safeParse(value).data
