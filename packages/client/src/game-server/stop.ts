/** Milliseconds between the signals SIGTERM and SIGKILL at a stop. */
const GRACE_MS = 10_000
/** Milliseconds before the deadline at which the process exits by itself. */
const SPARE_MS = 250

export const deadlineFromNow = (): Date => new Date(Date.now() + GRACE_MS)

/**
 * Calls `stop` when the process gets SIGTERM, and for a local game also on Ctrl-C. Returns a function that removes the
 * listener.
 */
export function onSignals(isLocal: boolean, stop: (deadline: Date) => void): () => void {
  const signals = isLocal ? (['SIGTERM', 'SIGINT'] as const) : (['SIGTERM'] as const)
  const asked = () => stop(deadlineFromNow())
  for (const signal of signals) process.on(signal, asked)
  return () => {
    for (const signal of signals) process.off(signal, asked)
  }
}

/**
 * Waits until the promises of the listeners are settled, or until the deadline. Returns whether all of the promises
 * resolved.
 */
export async function settled(work: readonly Promise<unknown>[], deadline: Date): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const outOfTime = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, deadline.getTime() - SPARE_MS - Date.now()), undefined)
  })
  const results = await Promise.race([Promise.allSettled(work), outOfTime])
  clearTimeout(timer)
  if (results === undefined) {
    console.error('matchyard: the game server was still at work at its deadline')
    return false
  }
  const failures = results.filter((result) => result.status === 'rejected')
  for (const { reason } of failures) console.error('matchyard: a listener of `stopping` failed:', reason)
  return failures.length === 0
}
