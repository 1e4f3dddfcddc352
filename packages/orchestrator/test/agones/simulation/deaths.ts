import type { FakeClock } from '@matchyard/testkit'
import type { Command } from './commands'
import type { Life } from './life'
import type { Service } from './service'

/** Called at every point at which a node may die; `die` ends the node there. */
export type OnPoint = (where: string, die: () => void) => void

const BACK_AFTER_MS = 2_000

/** Ends nodes of the service and starts them again. */
export class Deaths {
  /** By node: number of points that the node passes before it dies. */
  private readonly doomed = new Map<string, { points: number; readonly backAfterMs: number }>()
  private returning: Service[] = []

  constructor(
    private readonly services: () => readonly Service[],
    private readonly clock: FakeClock,
    private readonly count: (outcome: string) => void,
    private readonly onPoint: OnPoint | undefined,
  ) {}

  /** Plans the death of a node at a later point. Returns whether the command is a death. */
  begin({ kind, a, b }: Command): boolean {
    if (kind !== 'kill') return false
    const services = this.services()
    const service = services[a % services.length]
    if (service !== undefined) this.doomed.set(service.name, { points: b % 60, backAfterMs: 500 + (b % 9_000) })
    return true
  }

  point(life: Life, where: string): void {
    const service = this.services().find((one) => one.life === life)
    if (service === undefined || !life.alive) return
    this.onPoint?.(where, () => this.dies(service, BACK_AFTER_MS))
    const doom = this.doomed.get(service.name)
    if (doom === undefined || doom.points-- > 0) return
    this.doomed.delete(service.name)
    this.dies(service, doom.backAfterMs)
    this.count('trouble: kill')
  }

  /** Cancels planned deaths, and brings all dead nodes back. */
  end(): void {
    this.doomed.clear()
    for (const service of this.services()) if (!service.life.alive) this.comesBack(service)
  }

  /** Returns the nodes that are to start now, and empties their list. */
  takeReturning(): readonly Service[] {
    const now = this.returning
    this.returning = []
    return now
  }

  private dies(service: Service, backAfterMs: number): void {
    service.die()
    this.count('a node died')
    this.clock.after(backAfterMs, () => this.comesBack(service))
  }

  private comesBack(service: Service): void {
    if (!this.returning.includes(service)) this.returning.push(service)
  }
}
