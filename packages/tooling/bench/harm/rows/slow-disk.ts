import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Client } from '../../../src/client'
import type { HarmFigure, HarmRow } from '../row'
import { type Figures, HarmWorld } from '../world'

const CONNECTIONS = 200
const CREATES_EACH = 5
const SHIM = fileURLToPath(new URL('../slow-sync.c', import.meta.url))

interface Side extends Figures {
  readonly tookMs: number
  readonly refused: number
  readonly slowestMs: number
}

/** Creates 1,000 lobbies over 200 new connections. */
async function side(env: Record<string, string>): Promise<Side> {
  const world = await HarmWorld.start({ env })
  const callers = Array.from({ length: CONNECTIONS }, () => world.client())
  let refused = 0
  let slowestMs = 0
  let tookMs = 0
  const create = async (client: Client, player: string) => {
    const startedAt = performance.now()
    const body = { queue_id: 'demo', state: { mmr: 1500 } }
    const { status } = await client.call({ method: 'POST', path: '/v1/lobbies', player, body })
    if (status !== 201) refused += 1
    slowestMs = Math.max(slowestMs, performance.now() - startedAt)
  }
  try {
    const figures = await world.watch(async () => {
      const startedAt = performance.now()
      await Promise.all(
        callers.map(async (client, caller) => {
          for (let n = 0; n < CREATES_EACH; n++) await create(client, `player-${caller}-${n}`)
        }),
      )
      tookMs = performance.now() - startedAt
    })
    return { ...figures, tookMs, refused, slowestMs }
  } finally {
    for (const client of callers) client.close()
    await world.stop()
  }
}

export const row: HarmRow = {
  name: 'slow-disk',
  harm: `every sync of the disk takes 20 ms, and ${CONNECTIONS} new connections make ${CREATES_EACH} lobbies each`,
  async run(): Promise<readonly HarmFigure[]> {
    const folder = mkdtempSync(join(tmpdir(), 'matchyard-slow-'))
    try {
      const shim = join(folder, 'slow-sync.so')
      const made = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', shim, SHIM, '-ldl'], { encoding: 'utf8' })
      if (made.status !== 0) {
        console.log('  not run: it needs Linux and a C compiler named cc')
        return []
      }
      const quiet = await side({})
      const attacked = await side({ LD_PRELOAD: shim })
      const figure = (what: string, unit: string, of: (side: Side) => number) => ({
        what,
        unit,
        quiet: of(quiet),
        attacked: of(attacked),
      })
      return [
        figure('1,000 creates', 'ms', ({ tookMs }) => tookMs),
        figure('the slowest create', 'ms', (one) => one.slowestMs),
        figure('refused', 'calls', (one) => one.refused),
        figure('/livez, longest', 'ms', ({ livezMs }) => livezMs.max),
      ]
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
