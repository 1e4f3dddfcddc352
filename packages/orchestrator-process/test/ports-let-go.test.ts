import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { TIER_SIZES } from '@matchyard/core'
import type { LaunchSpec, Orchestrator } from '@matchyard/core/ports'
import { orchestratorProbe } from '@matchyard/testkit/orchestrator'
import { afterEach, describe, expect, it } from 'vitest'
import { processOrchestrator } from '../src/index'
import { IS_LINUX } from '../src/proc'

/* Who is told an end may give its ports away: whatever held them has let go of them by then. */

const { eventually } = orchestratorProbe
/** The kernel takes a while with this, and lets go of the ports after it. */
const LARGE_MIB = 512
const LOOK_EVERY_MS = 1

const ending: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end()
})

const accepts = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.once('error', () => resolve(false)).once('connect', () => socket.destroy())
  })

const SPEC: LaunchSpec = {
  instanceId: 'srv_1',
  attempt: 1,
  projectId: 'prj_1',
  matchId: null,
  region: 'iad',
  tier: '1x-1g',
  tierSize: TIER_SIZES['1x-1g'],
  build: { type: 'zip', buildId: 'bld_1', executablePath: 'start.sh' },
  startupArgs: '',
  networkPorts: [],
  portRequests: [],
  readiness: 'uptime',
  config: {},
} as unknown as LaunchSpec

/** A launch whose program starts the game beside itself, and ends when it is told so. Nothing isolates or limits it. */
async function launched() {
  const folder = await mkdtemp(join(tmpdir(), 'lets-go-'))
  ending.push(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
  const [game, portFile, over] = ['game.js', 'port', 'over'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await writeFile(
    game,
    `const memory = Buffer.alloc(${LARGE_MIB} << 20, 1)
    const server = require('node:net').createServer((socket) => socket.end(String(memory[0])))
    server.listen(0, '127.0.0.1', () => {
      require('node:fs').writeFileSync('${portFile}.new', String(server.address().port))
      require('node:fs').renameSync('${portFile}.new', '${portFile}')
    })`,
  )
  const start = `#!/bin/sh\n'${process.execPath}' '${game}' &\nwhile [ ! -e '${over}' ]; do sleep 0.02; done\nexit 0\n`
  const orchestrator: Orchestrator = processOrchestrator({
    dataDirectory: join(folder, 'data'),
    buildStore: {
      has: async () => true,
      unpack: async (_, { directory }: { directory: string }) =>
        writeFile(join(directory, 'start.sh'), start, { mode: 0o755 }),
    } as Parameters<typeof processOrchestrator>[0]['buildStore'],
    installationId: `ins_${folder}`,
    clock: { now: () => Date.now() },
    isolation: 'none',
    limits: 'none',
  })
  ending.push(() => orchestrator.close())
  await orchestrator.open()
  expect(await orchestrator.launch(SPEC)).toEqual({ ok: true })
  await eventually('it listens', async () => existsSync(portFile))
  await orchestrator.observe()
  const untilExited = async () => {
    while ((await orchestrator.observe())[0]?.state !== 'exited') await pause(LOOK_EVERY_MS)
  }
  return {
    orchestrator,
    port: Number(await readFile(portFile, 'utf8')),
    claim: async () => JSON.parse(await readFile(join(folder, 'data/servers/srv_1/1/claim.json'), 'utf8')),
    over: () => writeFile(over, ''),
    untilExited,
  }
}

describe.runIf(IS_LINUX)('an end is told once its ports are free', () => {
  it('of one that ends by itself; forgotten, it is not told again', async () => {
    const { orchestrator, port, over, untilExited } = await launched()
    await over()
    await untilExited()
    expect(await accepts(port)).toBe(false)
    await orchestrator.forget(SPEC.instanceId)
    expect(await orchestrator.observe()).toEqual([])
  })

  it('of one that is stopped', async () => {
    const { orchestrator, port, untilExited } = await launched()
    await orchestrator.stop(SPEC.instanceId, { graceMs: 5_000 })
    await untilExited()
    expect(await accepts(port)).toBe(false)
  })

  it('of one whose supervisor is gone', async () => {
    const { port, claim, over, untilExited } = await launched()
    process.kill((await claim()).pid, 'SIGKILL')
    await over()
    await untilExited()
    expect(await accepts(port)).toBe(false)
  })
})
