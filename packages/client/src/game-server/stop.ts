/** Between SIGTERM and SIGKILL. */
const GRACE_MS = 10_000
/** Before the deadline, so that the exit is this process's own. */
const SPARE_MS = 250

export const deadlineFromNow = (): Date => new Date(Date.now() + GRACE_MS)

/** Calls back when the process is asked to end; answers how to stop listening. Ctrl-C counts where the game is run by hand. */
export function onSignals(isLocal: boolean, stop: (deadline: Date) => void): () => void {
  const signals = isLocal ? (['SIGTERM', 'SIGINT'] as const) : (['SIGTERM'] as const)
  const asked = () => stop(deadlineFromNow())
  for (const signal of signals) process.on(signal, asked)
  return () => {
    for (const signal of signals) process.off(signal, asked)
  }
}

/** Waits for the work of those who had something to do before the end; answers whether all of it went well. */
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
