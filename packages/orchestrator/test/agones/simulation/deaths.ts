import type { FakeClock } from '@matchyard/testkit'
import type { Command } from './commands'
import type { Life } from './life'
import type { Service } from './service'

/** Hears of every point at which a node may die; `die` ends it there. */
export type OnPoint = (where: string, die: () => void) => void

const BACK_AFTER_MS = 2_000

/** When nodes die, and come back. */
export class Deaths {
  /** By node: points that it passes before it dies. */
  private readonly doomed = new Map<string, { points: number; readonly backAfterMs: number }>()
  private returning: Service[] = []

  constructor(
    private readonly services: () => readonly Service[],
    private readonly clock: FakeClock,
    private readonly count: (outcome: string) => void,
    private readonly onPoint: OnPoint | undefined,
  ) {}

  /** Whether a command is one's death, at some point of what it does next. */
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

  /** Nobody dies any more, and everybody is back. */
  end(): void {
    this.doomed.clear()
    for (const service of this.services()) if (!service.life.alive) this.comesBack(service)
  }

  /** Who is to start now. */
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
