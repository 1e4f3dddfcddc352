import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { orchestratorProbe } from '@matchyard/testkit/orchestrator'
import { afterEach, describe, expect, it } from 'vitest'
import { IS_LINUX } from '../../src/process/proc'
import { type ProcessUnderTest, processHarness } from '../../src/process/testing/harness'
import { answerOf, LARGE_MIB, listener } from './large-listener'

/* After a reported end the ports may be assigned again: all processes that held them have released them by then. */

const { eventually, specFor } = orchestratorProbe
const LOOK_EVERY_MS = 1

let subject: ProcessUnderTest
afterEach(() => subject.dispose())

/**
 * Starts a launch whose program starts the game as another process, and ends on request. It has no isolation and no
 * limits.
 */
async function launched() {
  subject = await processHarness({ isolation: 'none', limits: 'none' }).open()
  const { orchestrator, folder, dataDirectory, store } = subject
  const [game, portFile, over] = [join(folder, 'game.js'), join(folder, 'port'), join(folder, 'over')]
  const tell = `(port) => {
    require('node:fs').writeFileSync('${portFile}.new', port)
    require('node:fs').renameSync('${portFile}.new', '${portFile}')
  }`
  await writeFile(game, listener(LARGE_MIB, tell))
  const start = `#!/bin/sh\n'${process.execPath}' '${game}' &\nwhile [ ! -e '${over}' ]; do sleep 0.02; done\nexit 0\n`
  store.unpack = (_, { directory }) => writeFile(join(directory, 'start.sh'), start, { mode: 0o755 })
  const build = { type: 'zip', buildId: 'bld_probe', executablePath: 'start.sh' } as const
  const spec = await specFor(subject, { requests: [], readiness: 'uptime', build })
  expect(await orchestrator.launch(spec)).toEqual({ ok: true })
  await eventually('it listens', async () => existsSync(portFile))
  await orchestrator.observe()
  const untilExited = async () => {
    while ((await orchestrator.observe())[0]?.state !== 'exited') await pause(LOOK_EVERY_MS)
  }
  const claim = join(dataDirectory, 'servers', spec.instanceId, '1', 'claim.json')
  return {
    orchestrator,
    spec,
    port: Number(await readFile(portFile, 'utf8')),
    killSupervisor: async () => process.kill(JSON.parse(await readFile(claim, 'utf8')).pid, 'SIGKILL'),
    over: () => writeFile(over, ''),
    untilExited,
  }
}

describe.runIf(IS_LINUX)('an end is told once its ports are free', () => {
  it('of one that ends by itself; forgotten, it is not told again', async () => {
    const { orchestrator, spec, port, over, untilExited } = await launched()
    await over()
    await untilExited()
    expect(await answerOf(port)).toBe('refuses')
    await orchestrator.forget(spec.instanceId)
    expect(await orchestrator.observe()).toEqual([])
  })

  it('of one that is stopped', async () => {
    const { orchestrator, spec, port, untilExited } = await launched()
    await orchestrator.stop(spec.instanceId, { graceMs: 5_000 })
    await untilExited()
    expect(await answerOf(port)).toBe('refuses')
  })

  it('of one whose supervisor is gone', async () => {
    const { port, killSupervisor, over, untilExited } = await launched()
    await killSupervisor()
    await over()
    await untilExited()
    expect(await answerOf(port)).toBe('refuses')
  })
})
