import type { AdminClient, ProjectProblem } from '@matchyard/client/admin'
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { isPassing, type Loadable, RETRY_MS, type Read, useProject } from './hooks'

const LOOK_MS = 10_000

type Problems = readonly ProjectProblem[]

/** Periodic read of one project's problems. All parts of the page that show problems share it. */
class Shared implements Read<Problems> {
  readonly now = signal<Loadable<Problems>>({ is: 'loading' })
  readonly heardAt = signal<number | undefined>(undefined)
  private users = 0
  private timer = 0

  constructor(private readonly admin: AdminClient) {}

  readonly again = async (): Promise<void> => {
    try {
      this.now.value = { is: 'ready', data: await this.admin.problems.list() }
      this.heardAt.value = Date.now()
    } catch (error) {
      if (this.now.value.is !== 'ready' || !isPassing(error)) this.now.value = { is: 'failed', error }
    }
  }

  /**
   * Starts the periodic read (every ten seconds while the page is visible) unless it runs already. Returns a function
   * that ends this use of the read. The read stops when its last use ends.
   */
  readonly use = (): (() => void) => {
    if (this.users++ === 0) void this.ask()
    return () => {
      if (--this.users === 0) clearTimeout(this.timer)
    }
  }

  private async ask(): Promise<void> {
    if (document.visibilityState === 'visible' || this.now.value.is === 'loading') await this.again()
    const isLost = this.now.value.is === 'failed' && isPassing(this.now.value.error)
    clearTimeout(this.timer)
    if (this.users > 0) this.timer = window.setTimeout(() => void this.ask(), isLost ? RETRY_MS : LOOK_MS)
  }
}

const readings = new WeakMap<AdminClient, Shared>()

/** Returns the problems of the project, the most severe first. One read every ten seconds serves all views. */
export function useProblems(): Read<Problems> {
  const { admin } = useProject()
  const known = readings.get(admin) ?? new Shared(admin)
  readings.set(admin, known)
  useEffect(known.use, [known])
  return known
}
