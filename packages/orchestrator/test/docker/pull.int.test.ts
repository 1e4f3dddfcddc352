import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import type { Engine } from '../../src/docker/engine'
import { pullImage } from '../../src/docker/images/pull'

/** Returns the result of a pull with these reports of the engine. */
const pulled = (report: Iterable<string>) => {
  const engine = { patient: { pull: async () => Readable.from(report) } } as unknown as Engine
  return pullImage(engine, 'games/arena:1', undefined, { maxBytes: 1_000_000, timeoutMs: 60_000 }, () => {})
}

const downloading = (id: string, total: number) =>
  `${JSON.stringify({ status: 'Downloading', id, progressDetail: { total } })}\n`

it('an image is given up once what is to be downloaded of its layers is too much, each counted once', async () => {
  const twice = ['a', 'a', 'b'].map((id) => downloading(id, 400_000))
  expect(await pulled(twice)).toEqual({ ok: true })
  expect(await pulled([...twice, downloading('c', 400_000)])).toMatchObject({ ok: false, why: 'too_large' })
})

it('an image of more than a thousand layers is given up', async () => {
  const layers = Array.from({ length: 1_001 }, (_, n) => downloading(`layer ${n}`, 1))
  expect(await pulled(layers.slice(1))).toEqual({ ok: true })
  expect(await pulled(layers)).toMatchObject({ ok: false, why: 'too_large' })
})

it('a report of a pull whose row never ends is not read on', async () => {
  let pieces = 0
  function* endless() {
    for (; ; pieces++) yield 'x'.repeat(100_000)
  }
  await expect(pulled(endless())).rejects.toThrow(/row of more than 1048576 characters/)
  expect(pieces).toBeLessThan(100)
})
