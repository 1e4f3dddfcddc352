import { expect, it } from 'vitest'
import { OneAtATime } from '../../src/streams/follower'

class Counted extends OneAtATime {
  times = 0

  protected async once(): Promise<boolean> {
    this.times++
    return false
  }
}

it('work that is asked for again is done again, in whatever turn of the one before', async () => {
  for (let turns = 0; turns < 8; turns++) {
    const work = new Counted()
    void work.run()
    for (let turn = 0; turn < turns; turn++) await undefined
    await work.run()
    expect([turns, work.times]).toEqual([turns, 2])
  }
})
