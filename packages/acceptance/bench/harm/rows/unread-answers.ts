import { besideOthers, doorFigures } from '../door'
import type { HarmFigure, HarmRow } from '../row'
import { HarmWorld } from '../world'

const WATCHED_MS = 30_000

/** Connections that ask for something long, and read nothing of it. */
export const row: HarmRow = {
  name: 'unread-answers',
  harm: 'connections ask for the script of the reference, 4.35 MB, and read nothing; those that are closed come again',
  async run(): Promise<readonly HarmFigure[]> {
    const world = await HarmWorld.serve()
    try {
      const quiet = await besideOthers(world, WATCHED_MS / 3)
      const figures: HarmFigure[] = []
      for (const connections of [150, 980]) {
        const requests = 'GET /reference?asset=standalone.js HTTP/1.1\r\nhost: a\r\n\r\n'
        const attack = { connections, requests, bytes: 1, reads: false, opensAgain: true }
        figures.push(...doorFigures(`${connections}`, quiet, await besideOthers(world, WATCHED_MS, attack)))
      }
      return figures
    } finally {
      await world.stop()
    }
  },
}
