import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { orchestratorProbe } from '@matchyard/testkit/orchestrator'
import { expect, it } from 'vitest'
import { PRUNED_AFTER } from '../../src/kit/index'
import { processHarness } from '../../src/process/testing/harness'

it('an ended game server without a readable record keeps no build from being removed, also while the service runs', async () => {
  const subject = await processHarness().open()
  try {
    const ended = join(subject.dataDirectory, 'servers', 'srv_ended', '1')
    await mkdir(ended, { recursive: true })
    await writeFile(join(ended, 'exit.json'), JSON.stringify({ code: 0, signal: null, at: 1 }))
    await writeFile(join(ended, 'record.json'), '{')
    const spec = await orchestratorProbe.specFor(subject)
    const has = subject.store.has.bind(subject.store)
    const isUploaded = new Set<string>()
    subject.store.has = async (buildId) => isUploaded.has(buildId) || has(buildId)
    subject.store.unpack = async () => {} // no program in it: it is unpacked, and does not start
    for (let n = 0; n < PRUNED_AFTER * 2; n++) {
      const build = { type: 'zip', buildId: `bld_up${n}`, executablePath: 'server' } as const
      isUploaded.add(build.buildId)
      expect(await subject.orchestrator.launch({ ...spec, instanceId: `srv_${n}`, build })).toMatchObject({ ok: false })
      isUploaded.delete(build.buildId)
    }
    expect((await readdir(join(subject.dataDirectory, 'builds'))).length).toBeLessThan(PRUNED_AFTER)
  } finally {
    await subject.dispose()
  }
})
