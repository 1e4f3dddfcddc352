import { describe, expect, it } from 'vitest'
import { WatchedTime } from '../../src/node/watched-time'

/** Records checks at these times, in seconds; null stands for a failed check. */
function looks(watched: WatchedTime, ...seconds: (number | null)[]) {
  for (const at of seconds) at === null ? watched.missed() : watched.looked(at * 1_000)
}

describe('the time that a node has watched', () => {
  it('runs from look to look, from the first question on', () => {
    const watched = new WatchedTime()
    looks(watched, 1, 2, 3)
    expect(watched.of('srv', '1')).toBe(0)
    looks(watched, 4, 6)
    expect(watched.of('srv', '1')).toBe(3_000)
    expect(watched.of('other', '1')).toBe(0)
  })

  it('stands still while nothing can be seen', () => {
    const watched = new WatchedTime()
    looks(watched, 0)
    watched.of('srv', '1')
    looks(watched, 1, null, 2, null, 600, 601)
    expect(watched.of('srv', '1')).toBe(2_000)
  })

  it('counts little of a pause of the node itself', () => {
    const watched = new WatchedTime()
    looks(watched, 0)
    watched.of('srv', '1')
    looks(watched, 3_600)
    expect(watched.of('srv', '1')).toBe(5_000)
    // Two checks that end in another order than they began do not reduce the time.
    looks(watched, 3_500)
    expect(watched.of('srv', '1')).toBe(5_000)
  })

  it('begins anew with another stage, and once it was not to be seen', () => {
    const watched = new WatchedTime()
    looks(watched, 0)
    watched.of('srv', '1')
    looks(watched, 4)
    expect(watched.of('srv', '2')).toBe(0)
    looks(watched, 6)
    watched.forget('srv')
    expect(watched.of('srv', '2')).toBe(0)
  })

  it('remembers those alone who are still to come up', () => {
    const watched = new WatchedTime()
    for (const id of ['a', 'b', 'c']) watched.of(id, '1')
    watched.keep((id) => id === 'b')
    expect(watched.size).toBe(1)
  })
})
