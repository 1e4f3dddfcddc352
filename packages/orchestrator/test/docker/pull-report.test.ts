import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { Engine } from '../../src/docker/engine'
import { pullImage } from '../../src/docker/images/pull'

test('words of a registry stay whole when a chunk ends within a character', async () => {
  const report = Buffer.from(`${JSON.stringify({ error: 'manifest unknown: größer' })}\n`)
  const cut = report.indexOf('ö') + 1
  const rows = Readable.from([report.subarray(0, cut), report.subarray(cut)], { objectMode: false })
  const engine = { patient: { pull: async () => rows } } as unknown as Engine
  const limits = { maxBytes: 1, timeoutMs: 60_000 }
  const result = await pullImage(engine, 'a/image', undefined, limits, () => {})
  expect(result).toEqual({ ok: false, why: 'not_found', words: 'manifest unknown: größer' })
})
