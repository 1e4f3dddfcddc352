import { SECOND_MS } from '@matchyard/core/domain'
import type { PortSurroundings } from './port-surroundings'
import { type Life, whenItGoes } from './scheduler'

/** How long a connection may be silent. */
const SILENT_MS = 5 * SECOND_MS
/** When an adapter gives a call up; one that is merely slow is answered by then. */
const DEADLINE_MS = 3 * SECOND_MS

/** The way to a database as it is on a bad day: slow, or silent without a word of refusal. */
export function silentLine(life: Life, { clock, faults, scheduler }: PortSurroundings) {
  const chance = () => scheduler.random.int(2) === 0

  /** Nothing happens for so long; a life that ends meanwhile hears nothing any more. */
  const pass = async (ms: number, what: string): Promise<void> => {
    await new Promise<void>((resolve) => void clock.after(ms, () => whenItGoes(life, resolve)))
    await scheduler.turn(life, what)
  }

  return {
    /** Whether nobody answers now. */
    isSilent(): boolean {
      if (faults.strikes('storage-silent', life.nodeId)) faults.silence(life.nodeId, clock.now() + SILENT_MS)
      return faults.isSilent(life.nodeId, clock.now())
    },
    /** A call into the silence: it arrives or it does not, and its deadline passes. */
    async giveUp(what: string, run: () => Promise<unknown>): Promise<void> {
      if (chance()) await run().catch(() => undefined)
      await pass(DEADLINE_MS, `gives up on ${what}`)
    },
    /** A call that may be slow: on its way, or on the way back. */
    async slowly<T>(what: string, run: () => Promise<T>): Promise<T> {
      if (!faults.strikes('storage-slow', life.nodeId)) return run()
      const late = chance()
      const ms = 1 + scheduler.random.int(DEADLINE_MS)
      if (!late) await pass(ms, `${what} is slow`)
      const result = await run()
      if (late) await pass(ms, `hears late of ${what}`)
      return result
    },
  }
}
