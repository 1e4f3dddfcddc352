import { besideOthers, doorFigures } from '../door'
import type { HarmFigure, HarmRow } from '../row'
import { HarmWorld } from '../world'

const WATCHED_MS = 30_000
const ATTACKS = [
  [150, 'accept-encoding: gzip\r\n'],
  [980, 'accept-encoding: gzip\r\n'],
  [150, ''],
  [980, ''],
] as const

/** Connections that request a long answer and read nothing of it. */
export const row: HarmRow = {
  name: 'unread-answers',
  harm: 'connections ask for the script of the reference, 4.35 MB, 1.2 MB packed, and read nothing; those that are closed come again',
  async run(): Promise<readonly HarmFigure[]> {
    const world = await HarmWorld.serve()
    try {
      const quiet = await besideOthers(world, WATCHED_MS / 3)
      const figures: HarmFigure[] = []
      for (const [connections, packing] of ATTACKS) {
        const requests = `GET /reference?asset=standalone.js HTTP/1.1\r\nhost: a\r\n${packing}\r\n`
        const attack = { connections, requests, bytes: 1, reads: false, opensAgain: true }
        const name = `${connections}${packing === '' ? '' : ', packed'}`
        figures.push(...doorFigures(name, quiet, await besideOthers(world, WATCHED_MS, attack)))
      }
      return figures
    } finally {
      await world.stop()
    }
  },
}
