import type { Commit } from '@matchyard/core/ports'
import { postgresStorage } from '../src/index'
import { empty, median, ticket } from './samples'

/**
 * Number of waiting tickets. The benchmark measures how long a director's first reading of such a queue takes on a new
 * handle, in pages of 500 and of 5,000.
 */
const TICKETS = 100_000
const RUNS = 3

export async function benchColdStart(url: string): Promise<{ page: number; seconds: number }[]> {
  const options = { url, schema: 'bench_cold_start' }
  const writer = postgresStorage(options)
  await writer.migrate()
  for (let from = 0; from < TICKETS; from += 1_000) {
    const tickets = Array.from({ length: 1_000 }, (_, n) => ticket(from + n))
    const commit: Commit = {
      ...empty(`tickets ${from}`, from),
      writes: tickets.map((put) => ({ kind: 'ticket', id: put.id, expected: 'absent', put })),
    }
    if (!(await writer.commit(commit)).ok) throw new Error('a benchmark commit was refused')
  }
  await writer.close()
  const figures: { page: number; seconds: number }[] = []
  for (const page of [500, 5_000]) {
    const runs: number[] = []
    for (let run = 0; run < RUNS; run++) runs.push(await readAll(options, page))
    figures.push({ page, seconds: median(runs) })
  }
  return figures
}

async function readAll(options: { url: string; schema: string }, page: number): Promise<number> {
  const reader = postgresStorage(options)
  const start = performance.now()
  let cursor: string | undefined
  let told = 0
  for (let more = true; more; ) {
    const read = await reader.tickets.changedSince('prj_a/ranked', cursor, page)
    told += read.changes.length
    ;({ cursor, more } = read)
  }
  const seconds = (performance.now() - start) / 1_000
  await reader.close()
  if (told !== TICKETS) throw new Error(`${told} tickets were read`)
  return seconds
}
