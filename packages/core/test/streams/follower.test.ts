import { expect, it } from 'vitest'
import { Followed, Follower } from '../../src/streams/follower'

class Log extends Followed<never> {
  override readonly waiting = undefined as never
  readings = 0
  private finish: (() => void)[] = []
  private hasBegun: (() => void) | undefined

  protected override async once(): Promise<boolean> {
    this.readings++
    this.hasBegun?.()
    await new Promise<void>((resolve) => this.finish.push(resolve))
    return false
  }

  /** Resolves when `count` readings have begun. */
  async begun(count: number): Promise<void> {
    while (this.readings < count)
      await new Promise<void>((resolve) => {
        this.hasBegun = resolve
      })
  }

  endReading(): void {
    this.finish.shift()?.()
  }
}

class Logs extends Follower<never, Log> {
  protected override readonly failure = { text: 'a log could not be read', id: 'id' }

  follow(log: Log): void {
    this.add({ onEnd() {} } as never, log, { fill() {} } as never)
  }
}

it('a signal during a reading has it done once more, and waits for nothing', async () => {
  const logs = new Logs(undefined as never, undefined as never)
  const log = new Log('one')
  logs.follow(log)
  let isRead = false
  const first = logs.read('one').then(() => {
    isRead = true
  })
  // A thousand signals arrive while the storage answers; each call but the first returns at once.
  await Promise.all(Array.from({ length: 1_000 }, () => logs.read('one')))
  expect([log.readings, isRead]).toEqual([1, false])
  log.endReading()
  await log.begun(2)
  log.endReading()
  await first
  expect([log.readings, isRead]).toEqual([2, true])
})
