import { systemClock } from '@matchyard/node'
import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { clockMetrics } from '../src/metrics/clock-metrics'
import { tellClockSteps } from '../src/service/clock-steps'
import { startInProcess } from './harness/in-process'

test('steps of the machine’s clock are in the log, once in ten seconds, and counted each', async () => {
  const time = { wall: 5_000_000, elapsed: 0 }
  const clock = systemClock({ now: () => time.wall, elapsed: () => time.elapsed })
  const lines: string[] = []
  const say = (message: string) => void lines.push(message)
  tellClockSteps(clock, { debug: say, info: say, warn: say, error: say })
  const registry = new Registry()
  clockMetrics(registry)(clock)
  const read = (ms: number, onTheWall: number) => {
    time.elapsed += ms
    time.wall += onTheWall
    clock.now()
  }

  read(0, 60_000)
  for (let flap = 0; flap < 20; flap++) {
    read(1, -30_000)
    read(1, 30_000)
  }
  read(20_000, 15_000)

  expect(lines).toEqual([
    "the machine's clock went ahead by 60 s: it was set, or the machine was paused; it is followed",
    "the machine's clock was set back by 5 s: the service goes on from its own time until a restart",
  ])
  const page = await registry.metrics()
  expect(page).toMatch(/^matchyard_clock_steps_total 22$/m)
  expect(page).toMatch(/^matchyard_clock_offset_seconds -5\.04$/m)
})

test('/readyz?verbose tells how the clock does, and /readyz as much as ever', async () => {
  const { call } = await startInProcess()
  expect((await call('GET /readyz')).body).toEqual({ status: 'ok' })
  for (const path of ['GET /readyz?verbose', 'GET /readyz?verbose=1'])
    expect((await call(path)).body).toEqual({
      status: 'ok',
      builds: { unseen: 0 },
      clock: { offset_ms: expect.any(Number), steps: 0 },
    })
})
