import { describe, expect, it } from 'vitest'
import { beginning, type Follow, type Input, step } from '../src/follow/machine'

/** Returns the state after inputs, each after a number of milliseconds. */
function after(state: Follow, at: number, inputs: readonly (readonly [afterMs: number, is: Input['is']])[]) {
  let now = state
  let time = at
  for (const [afterMs, is] of inputs) {
    time += afterMs
    const { attempt } = now
    now = step(now, { is, attempt } as Input, time, 0).state
  }
  return { now, time }
}

describe('following a lobby', () => {
  const silentStream = [
    [0, 'timer'],
    [50, 'heard'],
    ...Array.from({ length: 8 }, () => [5_000, 'timer'] as const),
  ] as const

  it('polls where streams begin and fall silent, again and again: something keeps them for their end', () => {
    let { now, time } = after(beginning(0), 0, [[0, 'resume'], ...silentStream.slice(1)])
    expect(now).toMatchObject({ phase: 'waiting', transport: 'stream', cuts: 1 })
    ;({ now, time } = after(now, time, silentStream))
    expect(now).toMatchObject({ phase: 'waiting', transport: 'stream', cuts: 2 })
    ;({ now, time } = after(now, time, silentStream))
    expect(now).toMatchObject({ phase: 'connecting', transport: 'polling' })
  })

  it('does not blame the way for a stream that lived, and then fell silent', () => {
    const lived = [[0, 'resume'], ...Array.from({ length: 5 }, () => [5_000, 'heard'] as const)] as const
    const { now } = after(beginning(0), 0, [...lived, ...Array.from({ length: 8 }, () => [5_000, 'timer'] as const)])
    expect(now).toMatchObject({ phase: 'waiting', transport: 'stream', cuts: 0 })
  })

  it('is polled when the page wakes, too, where it was polled from the beginning: no network lets streams through there', () => {
    const { now } = after(beginning(0, 'polling'), 0, [
      [0, 'resume'],
      [50, 'answered'],
      [30_000, 'wake'],
    ])
    expect(now).toMatchObject({ phase: 'connecting', transport: 'polling', since: 30_050 })
  })
})
