import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './workspace.mjs'

/** Packs the example game server and puts it next to the built command. `matchyard dev` creates a build from it. */
export async function packDemo() {
  const { packGameServer } = await import('@matchyard/example-game-server')
  const folder = join(root, 'packages', 'server', 'dist')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'demo-game-server.zip'), await packGameServer())
}
