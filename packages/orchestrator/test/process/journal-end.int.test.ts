import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AttemptFiles } from '../../src/process/attempt-files'
import { PIECE_BYTES } from '../../src/process/journal-end'
import { readLogs } from '../../src/process/logs'

let folder: string
let files: AttemptFiles
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'journal-'))
  files = new AttemptFiles(folder, 'srv_1', 1)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true, force: true })
})

const HALF_BYTES = 4 * 1024 ** 2

/** Returns the sizes of all reads of the disk. */
async function readsOf(work: () => Promise<unknown>): Promise<number[]> {
  const handle = await open(join(folder, 'any'), 'w')
  const spy = vi.spyOn(Object.getPrototypeOf(handle) as typeof handle, 'read')
  await handle.close()
  await work()
  return (spy.mock.calls as unknown[][]).map(([buffer]) => (buffer as Buffer).byteLength)
}

describe('what reading a journal costs', () => {
  beforeEach(async () => {
    const row = (t: number) => `${JSON.stringify({ t, s: 'o', m: 'x', p: t })}\n`
    const half = (from: number) => Array.from({ length: 20_000 }, (_, n) => row(from + n)).join('')
    await writeFile(files.path('journal.1.log'), half(100_000))
    await writeFile(files.path('journal.log'), half(200_000))
  })
  const read = (query: { limit: number; since?: number }, followed = false) =>
    readLogs([files], async () => followed, { ...query, journalBytes: HALF_BYTES })

  it.each([
    ['one line', { limit: 1 }],
    ['the lines since an instant', { limit: 1_000, since: 219_990 }],
  ])('is one piece of 64 KiB for %s, however long it is', async (_, query) => {
    expect(await readsOf(() => read(query))).toEqual([PIECE_BYTES])
  })

  it('is a piece at a time, so that others have their turn between', async () => {
    const reads = await readsOf(() => read({ limit: 30_000 }))
    expect(reads.length).toBeGreaterThan(15)
    expect(Math.max(...reads)).toBe(PIECE_BYTES)
  })

  it('goes as far back as is known how far a stream was read, where nobody follows it any more', async () => {
    await writeFile(files.path('stdout'), 'x'.repeat(219_999))
    await writeFile(files.path('stderr'), 'late\n')
    expect(await read({ limit: 1 })).toMatchObject([{ stream: 'stderr', message: 'late' }])
  })
})

type Row = { readonly gap: number; readonly s: 'o' | 'e'; readonly m: string | undefined } | { readonly damage: Buffer }

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('é', '🔑', '日本').chain((sign) => fc.nat(60_000).map((length) => sign.repeat(length))),
)
const damage = fc.oneof(
  fc
    .constantFrom('', 'null', '[]', '{"t":', '{"t":1,"s":"q","m":"x","p":0}', '{"t":1.5,"s":"o","p":0}')
    .map(Buffer.from),
  fc.uint8Array({ maxLength: 60 }).map(Buffer.from),
)
const row: fc.Arbitrary<Row> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ gap: fc.nat(3), s: fc.constantFrom('o', 'e'), m: fc.option(text, { nil: undefined }) }),
  },
  { weight: 1, arbitrary: damage.map((bytes) => ({ damage: bytes })) },
)
const half = fc.record({ rows: fc.array(row, { maxLength: 12 }), cut: fc.nat(20) })

it('tells the same lines as one who reads all of it at once', async () => {
  const query = fc.record({ limit: fc.nat(15), since: fc.option(fc.nat(30), { nil: undefined }) })
  const property = fc.asyncProperty(
    half,
    half,
    query,
    fc.constantFrom(700, 70_000, HALF_BYTES),
    async (a, b, wanted, journalBytes) => {
      let t = 0
      const bytesOf = ({ rows, cut }: typeof a) => {
        const lines = rows.map((one) => {
          if ('damage' in one) return one.damage
          t += one.gap
          return Buffer.from(JSON.stringify({ t, s: one.s, m: one.m, p: t }))
        })
        const bytes = Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]))
        return bytes.subarray(0, Math.max(0, bytes.length - cut))
      }
      const halves = [bytesOf(a), bytesOf(b)]
      await mkdir(folder, { recursive: true })
      await writeFile(files.path('journal.1.log'), halves[0] as Buffer)
      await writeFile(files.path('journal.log'), halves[1] as Buffer)
      const { limit, since } = wanted
      const told = await readLogs([files], async () => true, {
        limit,
        journalBytes,
        ...(since === undefined ? {} : { since }),
      })
      expect(told).toEqual(wholeOf(halves, journalBytes, limit, since))
    },
  )
  await fc.assert(property, { numRuns: 150 })
})

/** Reference implementation: reads both halves whole and drops the lines that were not requested. */
function wholeOf(halves: readonly Buffer[], journalBytes: number, limit: number, since = 0) {
  const rows = halves.flatMap((bytes) => bytes.subarray(-journalBytes).toString('utf8').split('\n'))
  const lines = rows.flatMap((one) => {
    try {
      const { t, s, m, p } = JSON.parse(one)
      const isLine = Number.isSafeInteger(t) && Number.isSafeInteger(p) && typeof m === 'string' && 'oe'.includes(s)
      return isLine && t >= since ? [{ at: t, stream: s === 'o' ? 'stdout' : 'stderr', message: m }] : []
    } catch {
      return []
    }
  })
  return limit === 0 ? [] : lines.slice(-limit)
}
