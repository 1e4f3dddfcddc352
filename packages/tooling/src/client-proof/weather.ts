import type { FastPlatform } from './fast-platform'
import type { Fault, FaultProxy } from './fault-proxy'

const FAULTS: readonly ((next: () => number) => Fault)[] = [
  () => ({}),
  () => ({ refuse: true }),
  () => ({ blackHole: true }),
  (next) => ({ delayMs: Math.floor(next() * 60) }),
  (next) => ({ cutAfterBytes: Math.floor(next() * 3_000) }),
  (next) => ({ cutAfterBytes: Math.floor(next() * 3_000), halfClose: true }),
  (next) => ({ cutAfterMs: Math.floor(next() * 200) }),
  (next) => ({ cutAfterMs: Math.floor(next() * 200), halfClose: true }),
  () => ({ loseAnswers: true }),
]

/** Causes random network faults one after another, until `end` is called. `told` lists the faults as text. */
export class Weather {
  readonly told: string[] = []
  private ended = false
  private wake: () => void = () => {}
  private readonly going: Promise<void>

  constructor(
    private readonly proxy: FaultProxy,
    private readonly platform: FastPlatform,
    private readonly next: () => number,
  ) {
    this.going = this.go()
  }

  /** Stops all faults. */
  async end(): Promise<void> {
    this.ended = true
    this.wake()
    await this.going
    this.proxy.fault = {}
  }

  private async go(): Promise<void> {
    const { proxy, platform, next, told } = this
    while (!this.ended) {
      const fault = next() < 0.3 ? {} : (FAULTS[Math.floor(next() * FAULTS.length)]?.(next) ?? {})
      proxy.fault = fault
      told.push(JSON.stringify(fault))
      if (next() < 0.3) {
        proxy.cut()
        told.push('cut')
      }
      if (next() < 0.1) {
        platform.sleep(3_600_000)
        told.push('slept an hour')
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 20 + next() * 200)
        this.wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
  }
}
