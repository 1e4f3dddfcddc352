import { get } from 'node:http'
import type { Figures, HarmWorld } from './world'

export interface ReadingFigures extends Figures {
  /** Size of the largest answer, in KiB. */
  readonly kilobytes: number
  /** Median time of an answer, in milliseconds. */
  readonly p50: number
}

/**
 * Reads each list `rounds` times, `atOnce` requests at a time, and watches the service. Bodies are counted and
 * discarded.
 */
export async function readingsOf(
  world: HarmWorld,
  paths: readonly string[],
  player: string,
  { rounds, atOnce }: { readonly rounds: number; readonly atOnce: number },
  key: string = world.credentials.client_key,
): Promise<ReadingFigures> {
  const took: number[] = []
  let largest = 0
  const read = async (path: string) => {
    const startedAt = performance.now()
    largest = Math.max(largest, await bytesOf(`${world.baseUrl}${path}`, { 'api-key': key, 'x-player-id': player }))
    took.push(performance.now() - startedAt)
  }
  const figures = await world.watch(async () => {
    for (let round = 0; round < rounds; round++) {
      for (const path of paths) await Promise.all(Array.from({ length: atOnce }, () => read(path)))
    }
  })
  took.sort((a, b) => a - b)
  return { ...figures, kilobytes: Math.round(largest / 1_024), p50: took[Math.floor(took.length / 2)] ?? 0 }
}

function bytesOf(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers }, (answer) => {
      let bytes = 0
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      answer.on('error', reject)
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(bytes)
        else reject(new Error(`${url} answered ${answer.statusCode}`))
      })
    }).on('error', reject)
  })
}
