import type { LaunchResult, SentBatch, WantedCall } from '@matchyard/core/ports'
import { describe, expect, it } from 'vitest'
import { hands, specOf, still } from './linked'

const stop = (number: number, instanceId: string): WantedCall => ({ number, call: 'stop', instanceId, graceMs: 1 })
const launch = (number: number, instanceId: string): WantedCall => ({
  number,
  call: 'launch',
  spec: specOf(instanceId),
})
const observe = (number: number, of?: string): WantedCall => ({ number, call: 'observe', ...(of && { of }) })

/** Returns calls of an orchestrator that wait, with the names of the begun calls and a function that ends the first one. */
function slow() {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const wait = (name: string) => {
    begun.push(name)
    return new Promise<void>((resolve) => void ends.push(resolve))
  }
  const parts = {
    launch: async ({ instanceId }: { instanceId: string }): Promise<LaunchResult> => {
      await wait(`launch ${instanceId}`)
      return { ok: true }
    },
    stop: (instanceId: string) => wait(`stop ${instanceId}`),
    observe: async (of?: string) => {
      await wait(`observe ${of ?? 'all'}`)
      return []
    },
  }
  const endFirst = async () => {
    ends.shift()?.()
    await still()
  }
  return { begun, parts, endFirst }
}

describe('the hands of an agent', () => {
  it('carry out calls and report their answers', async () => {
    const { agent, batches, answers } = hands()
    agent.begin('one')
    await still()
    agent.hear(launch(1, 'srv_1'))
    agent.hear(observe(2))
    agent.hear({ number: 3, call: 'logs', instanceId: 'srv_1', limit: 5 })
    await still()
    expect(batches.map(({ session, number }) => [session, number])).toEqual(batches.map((_, at) => ['one', at + 1]))
    const [launched, seen, lines] = answers().sort((a, b) => a.number - b.number)
    expect(launched).toEqual({ number: 1, value: { ok: true } })
    expect(seen).toMatchObject({ value: [{ instanceId: 'srv_1', attempt: 1 }] })
    expect(lines).toEqual({ number: 3, value: [] })
  })

  it('report the error of a call, cut to 1,000 characters', async () => {
    const { agent, answers } = hands({ prune: () => Promise.reject(new Error('x'.repeat(5_000))) })
    agent.begin('one')
    agent.hear({ number: 1, call: 'prune' })
    agent.hear({ number: 2, call: 'dance' } as never)
    await still()
    expect(answers()).toEqual([
      { number: 2, error: 'this release of the agent does not know the call' },
      { number: 1, error: 'x'.repeat(1_000) },
    ])
  })

  it('run calls of one instance in order, and others at the same time', async () => {
    const { begun, parts, endFirst } = slow()
    const { agent } = hands(parts)
    agent.begin('one')
    for (const call of [launch(1, 'a'), stop(2, 'a'), observe(3, 'a'), launch(4, 'b'), observe(5)]) agent.hear(call)
    expect(begun).toEqual(['launch a', 'launch b', 'observe all'])
    await endFirst()
    expect(begun.slice(3)).toEqual(['stop a'])
    await endFirst()
    await endFirst()
    expect(begun).toHaveLength(4)
    await endFirst()
    expect(begun.slice(4)).toEqual(['observe a'])
  })

  it('run at most 64 calls at once, and at most 48 that may take long', async () => {
    const { begun, parts, endFirst } = slow()
    const { agent } = hands(parts)
    agent.begin('one')
    for (let i = 1; i <= 60; i++) agent.hear(launch(i, `srv_${i}`))
    expect(begun).toHaveLength(48)
    for (let i = 61; i <= 90; i++) agent.hear(observe(i))
    expect(begun).toHaveLength(64)
    await endFirst()
    expect(begun).toHaveLength(65)
  })

  it('carry out a repeated call once', async () => {
    const { fake, agent, answers } = hands()
    agent.begin('one')
    for (const call of [stop(1, 'a'), stop(2, 'a'), stop(1, 'a'), stop(2, 'a')]) agent.hear(call)
    await still()
    expect(fake.stops).toHaveLength(2)
    expect(answers().map(({ number }) => number)).toEqual([1, 2])
  })

  it('drop calls of an older session that have not begun, and wait for those that have', async () => {
    const { begun, parts, endFirst } = slow()
    const { agent, answers } = hands(parts)
    agent.begin('one')
    agent.hear(launch(1, 'a'))
    agent.hear(stop(2, 'a'))
    agent.end()
    agent.hear(stop(3, 'b'))
    agent.begin('two')
    agent.hear(observe(1, 'a'))
    expect(begun).toEqual(['launch a'])
    await endFirst()
    expect(begun).toEqual(['launch a', 'observe a'])
    await endFirst()
    expect(answers()).toEqual([{ number: 1, value: [] }])
  })

  it('refuse calls past 2,048 without an answer', async () => {
    const { begun, parts } = slow()
    const { logger, agent, answers } = hands(parts)
    agent.begin('one')
    for (let i = 1; i <= 2_060; i++) agent.hear(observe(i))
    await still()
    expect(begun).toHaveLength(64)
    expect(answers()).toHaveLength(12)
    expect(answers()[0]).toMatchObject({ number: 2_049, error: expect.stringMatching(/too many calls/) })
    expect(logger.lines).toHaveLength(1)
  })

  it('keep at most 1,024 refusals that the service has not taken', async () => {
    const { parts } = slow()
    const { batches, state, agent } = hands(parts)
    state.reply = async ({ number }) => (number === 1 ? never() : 'taken')
    agent.begin('one')
    for (let i = 1; i <= 6_000; i++) agent.hear(observe(i))
    await still()
    expect(batches).toHaveLength(1)
    agent.end()
    expect(batches).toHaveLength(1)
  })

  it('refuse calls past 4 MiB of answers that the service has not taken', async () => {
    const big = 'x'.repeat(900 * 1_024)
    const { state, agent, batches } = hands({ prepareImage: async () => ({ ok: false, message: big }) })
    let reply: ((result: SentBatch) => void) | undefined
    state.reply = () =>
      new Promise((resolve) => {
        reply = resolve
      })
    agent.begin('one')
    for (let i = 1; i <= 8; i++) {
      agent.hear({ number: i, call: 'prepareImage', image: 'a' })
      await still()
    }
    for (let i = 0; i < 10; i++) {
      reply?.('taken')
      await still()
    }
    const all = batches.flatMap(({ answers }) => answers)
    expect(all.filter((answer) => 'value' in answer)).toHaveLength(5)
    expect(all.filter((answer) => 'error' in answer)).toHaveLength(3)
    // One batch has at most 1 MiB of answers.
    expect(Math.max(...batches.map((batch) => JSON.stringify(batch).length))).toBeLessThan(1_024 * 1_024 + 1_000)
  })

  it('report an answer of more than 1 MiB as an error, and log lines without the oldest', async () => {
    const lines = Array.from({ length: 40 }, (_, at) => ({
      at,
      stream: 'stdout' as const,
      message: 'x'.repeat(50_000),
    }))
    const big = Array.from({ length: 30_000 }, (_, i) => ({ instanceId: `srv_${i}`, attempt: 1 }))
    const { agent, answers } = hands({ observe: async () => big as never, logs: async () => lines })
    agent.begin('one')
    agent.hear(observe(1))
    agent.hear({ number: 2, call: 'logs', instanceId: 'a', limit: 40 })
    await still()
    const [first, second] = answers()
    expect(first).toMatchObject({ number: 1, error: expect.stringMatching(/at most 1048576 bytes/) })
    const kept = (second as unknown as { value: typeof lines }).value
    expect(kept.length).toBe(20)
    expect(kept.at(-1)?.at).toBe(39)
  })

  it('send a failed batch again, unchanged, with growing pauses', async () => {
    const { clock, batches, state, agent } = hands()
    state.reply = () => Promise.reject(new Error('no network'))
    agent.begin('one')
    await still()
    const at: number[] = []
    const start = clock.now()
    for (let i = 0; i < 8; i++) {
      clock.advanceTo(clock.nextTimerAt() ?? 0)
      await still()
      at.push(clock.now() - start)
    }
    expect(at).toEqual([100, 300, 700, 1_500, 3_100, 6_300, 10_000, 11_300])
    agent.hear(stop(1, 'a'))
    await still()
    expect(new Set(batches.map((batch) => JSON.stringify(batch))).size).toBe(1)
    state.reply = async () => 'repeated'
    clock.advance(5_000)
    await still()
    expect(batches.at(-1)).toMatchObject({ number: 2, answers: [{ number: 1 }] })
  })

  it('send a batch without a result again after 15 seconds', async () => {
    const { clock, batches, state, agent } = hands()
    state.reply = never
    agent.begin('one')
    await still()
    clock.advance(14_999)
    await still()
    expect(batches).toHaveLength(1)
    clock.advance(101)
    await still()
    expect(batches).toMatchObject([{ number: 1 }, { number: 1 }])
  })

  it('send nothing more of a foreign session', async () => {
    const { clock, batches, state, agent } = hands()
    state.reply = async () => 'foreign'
    agent.begin('one')
    await still()
    agent.hear(stop(1, 'a'))
    clock.advance(60_000)
    await still()
    expect(batches).toHaveLength(1)
    state.reply = async () => 'taken'
    agent.begin('two')
    await still()
    expect(batches.at(-1)).toMatchObject({ session: 'two', number: 1 })
  })

  it('send each hint once, at most 1,000 in a batch, and one without an instance past 4,096', async () => {
    let hint: (instanceId: string) => void = () => {}
    const subscribe = (listener: typeof hint) => {
      hint = listener
      return () => {}
    }
    const { batches, agent } = hands({ subscribe })
    agent.begin('one')
    for (let i = 0; i < 1_500; i++) for (let j = 0; j < 2; j++) hint(`srv_${i}`)
    await still()
    expect(batches.map(({ hints }) => hints.length)).toEqual([1_000, 500])
    for (let i = 0; i <= 4_096; i++) hint(`srv_${i}`)
    await still()
    expect(batches.slice(2).map(({ hints }) => hints)).toEqual([['', 'srv_4096']])
  })

  it('report the load every 10 seconds, and an empty batch where it cannot be measured', async () => {
    const { clock, logger, batches, agent } = hands({}, { load: () => Promise.reject(new Error('no /proc')) })
    agent.begin('one')
    await still()
    clock.advance(10_000)
    await still()
    expect(batches).toEqual([1, 2].map((number) => ({ session: 'one', number, answers: [], hints: [] })))
    expect(logger.lines).toHaveLength(1)
    agent.end()
    expect(clock.waiting).toBe(0)
  })
})

const never = <T>() => new Promise<T>(() => {})
