import { SECOND_MS } from '@matchyard/core/domain'
import type { PortSurroundings } from './port-surroundings'
import { type Life, whenItGoes } from './scheduler'

/**
 * Milliseconds for which a node is paused. This is longer than any claim or lease, as when a machine is moved or has no
 * free memory.
 */
const STILL_MS = 7 * SECOND_MS

/**
 * Pauses a whole node, as SIGSTOP does: the node gets no turns, timers or signals. Afterwards the node continues and
 * does not notice the pause.
 */
export async function standStill(life: Life, { clock, scheduler }: PortSurroundings, before: string): Promise<void> {
  const cancel = clock.after(STILL_MS, () => awaken(life))
  life.missed = [cancel]
  await new Promise<void>((resolve) => whenItGoes(life, resolve))
  await scheduler.turn(life, `goes on with ${before}`)
}

/** Lets a paused node continue. */
export function awaken(life: Life): void {
  const { missed } = life
  life.missed = undefined
  for (const happen of missed ?? []) whenItGoes(life, happen)
}
